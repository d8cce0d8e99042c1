// The shape of every stored row. Records are Kysely tables; facts are what is appended to ClickHouse. The SQL
// of the same tables is in migrations/; test/records.test.ts and test/facts.test.ts hold the two together.
import type {
  AccountSetupTable,
  InvitationTable,
  MemberTable,
  RecoveryCodeTable,
  ShareTable,
  SignInTable,
  UserSessionTable,
  UserTable,
} from './account-tables.ts'
import type { AnnotationTable, SessionMarkTable } from './analytics-tables.ts'
import type {
  AutomationTable,
  ConversionTable,
  DeliveryAttemptTable,
  DeliveryTable,
  ToldSubmissionTable,
} from './automation-tables.ts'
import type { ContactSessionTable, ContactTable } from './contact-tables.ts'
import type { ContentBlockTable, ContentEditTable, ContentPhaseTable, ContentVersionTable } from './content-tables.ts'
import type {
  FormEditTable,
  FormEvictionTable,
  FormSessionTable,
  FormTable,
  SubmissionKeyTable,
  SubmissionTable,
} from './form-tables.ts'
import type { LinkGroupTable, LinkTable } from './link-tables.ts'
import type { PropertyTable, RefusedCallTable, TokenTable } from './property-tables.ts'

export * from './fact-tables.ts'

/**
 * JSON columns are text in both databases; read and written by the folder that owns the table. Times are unix
 * seconds.
 */
export interface RecordTables {
  properties: PropertyTable
  tokens: TokenTable
  refused_calls: RefusedCallTable
  salts: {
    /** Days since 1970-01-01, UTC. */
    day: number
    /** 16 random bytes, hex. */
    salt: string
  }
  currency_rates: {
    /** YYYY-MM-DD */
    day: string
    /** ISO 4217, upper case. */
    currency: string
    /** How many units of the currency one US dollar bought on that day. */
    per_usd: number
  }
  contacts: ContactTable
  contact_sessions: ContactSessionTable
  link_groups: LinkGroupTable
  links: LinkTable
  forms: FormTable
  form_edits: FormEditTable
  form_evictions: FormEvictionTable
  form_sessions: FormSessionTable
  submissions: SubmissionTable
  submission_keys: SubmissionKeyTable
  conversions: ConversionTable
  automations: AutomationTable
  deliveries: DeliveryTable
  delivery_attempts: DeliveryAttemptTable
  told_submissions: ToldSubmissionTable
  content_blocks: ContentBlockTable
  content_versions: ContentVersionTable
  content_phases: ContentPhaseTable
  content_edits: ContentEditTable
  annotations: AnnotationTable
  session_marks: SessionMarkTable
  users: UserTable
  user_sessions: UserSessionTable
  sign_ins: SignInTable
  recovery_codes: RecoveryCodeTable
  members: MemberTable
  invitations: InvitationTable
  shares: ShareTable
  account_setup: AccountSetupTable
  /**
   * Numbers that count up in the transactions that use them: transactions that draw one commit in the order
   * of their numbers.
   */
  counters: { name: string; value: number }
}
