// The shape of every stored row. Records are Kysely tables; facts are what is appended to ClickHouse.
// The SQL of the same tables is in migrations/; test/records.test.ts and test/facts.test.ts hold the two together.
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

// ---------------------------------------------------------------- records

/** JSON columns are text in both databases; read and written by the folder that owns the table. Times are unix seconds. */
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
  /** Numbers that count up in the transactions that use them: transactions that draw one commit in the order of their numbers. */
  counters: { name: string; value: number }
}

// ---------------------------------------------------------------- facts

/** `at` of a row that is no page view: later than any, so that it never wins the `min` of a first touch. Milliseconds (2299-12-31). */
export const NEVER_MS = 10_413_705_600_000

/** What a page view appends; a ping appends the key, `seen`, `seconds` and `scroll` alone. Times are integer milliseconds. */
export interface ViewRow {
  property: string
  /** YYYY-MM-DD: the session's day, which is the UTC day of its first view. */
  day: string
  /** The session hash, an unsigned 64-bit integer in decimal. */
  session: string
  view: number
  at: number
  seen: number
  seconds: number
  /** -1 unknown, else 0 to 100. */
  scroll: number
  url: string
  hostname: string
  path: string
  title: string
  status: number
  width: number
  height: number
  referrer_url: string
  referrer_domain: string
  channel: string
  method: string
  source: string
  utm_source: string
  utm_medium: string
  utm_campaign: string
  utm_term: string
  utm_content: string
  /** Name of the click id parameter that came along (gclid, fbclid …); its value is not kept. */
  click_id: string
  country_code: string
  country: string
  region: string
  city: string
  timezone: string
  network: string
  browser: string
  os: string
  device: string
  language: string
  is_bot: number
  bot_name: string
  bot_reason: string
  /** Version of the browser library: `1.1.0`; '' when it named none. */
  library: string
}

export type EventKind = 'event' | 'acquisition' | 'identify'

/** Custom events, money, identification. No address, no name, no external id. */
export interface EventRow {
  property: string
  /** The day of the session, not of the event: an order may arrive weeks later. */
  day: string
  kind: EventKind
  name: string
  session: string
  /** Unsigned 64-bit, decimal; the same on every retry. */
  id: string
  view: number
  at: number
  /** 1 when the visitor's browser sent it (it counts as activity), 0 when the owner's server did. */
  by_visitor: number
  value: string | null
  /** The value read as a number, when it is one. */
  number: number | null
  meta: Record<string, string>
  /** Minor units of `currency`; null when no money came. */
  amount: number | null
  /** ISO 4217, or '' when none was named. */
  currency: string
  /** USD cents at the rate of the event's day. */
  amount_usd: number
  order_id: string
  tags: string[]
  contact_id: string
}

/** A visit to a short link. */
export interface ClickRow {
  property: string
  /** UTC day of the click. */
  day: string
  link_group: string
  link: string
  /** Unsigned 64-bit, decimal. */
  id: string
  at: number
  /** The session to which a page view of the same visitor would belong now: its day, and its hash in decimal. */
  session_day: string
  session: string
  /** Where the visitor was sent. */
  destination: string
  referrer_url: string
  referrer_domain: string
  country_code: string
  country: string
  region: string
  city: string
  network: string
  browser: string
  os: string
  device: string
  language: string
  is_bot: number
  bot_name: string
  bot_reason: string
  /** Clicks that the row stands for: 1, or as many as a flood had. */
  count: number
}

/** `view`: a page asked for a form session; `open`: the visitor began; `submit`: kept for the owner; `drop`: kept apart as spam. */
export type FormEventKind = 'view' | 'open' | 'submit' | 'drop'

/** A step of one form session. Nothing of what was written. */
export interface FormEventRow {
  property: string
  form: string
  kind: FormEventKind
  /** UTC day of the step. */
  day: string
  /** Names the form session, in all its steps: unsigned 64-bit, decimal. */
  id: string
  at: number
  /** The visitor's session, or '1970-01-01' and '0' when none is known. */
  session_day: string
  session: string
  /** What the form was called then. */
  form_name: string
  source: string
  country_code: string
  country: string
  device: string
  is_bot: number
  /** Of a submit alone: 1 when the spam score flagged it. */
  is_flagged: number
  /** Id of the submission, of a submit or a drop. */
  submission: string
}

/** What a visitor saw of a block, or did with it. A row that comes again with the same ids folds into the first. */
export interface ImpressionRow {
  property: string
  block: string
  phase: number
  version: string
  kind: 'view' | 'click'
  /** UTC day of the render that it belongs to. */
  day: string
  session_day: string
  session: string
  /** Of the interaction: unsigned 64-bit, decimal. */
  id: string
  /** Of the render that it belongs to: unsigned 64-bit, decimal. */
  request: string
  at: number
  dwell_ms: number
  cta_key: string
  element_key: string
  event_name: string
  /** JSON object. */
  meta: string
  country_code: string
  device: string
  is_bot: number
  bot_reason: string
}

/** A failure in a browser library. */
export interface LibErrorRow {
  property: string
  day: string
  lib: string
  message: string
  id: string
  at: number
  browser: string
  os: string
  is_bot: number
}

/** What an owner says of a session. */
export interface MarkRow {
  property: string
  /** Of the session. */
  day: string
  session: string
  /** Twice a number that grows with each word about the session, and one more when it says: invalid. */
  mark: number
  /** The marking that says so; '' for one session alone. */
  batch: string
}

export interface FactTables {
  views: ViewRow
  events: EventRow
  clicks: ClickRow
  form_events: FormEventRow
  impressions: ImpressionRow
  lib_errors: LibErrorRow
  marks: MarkRow
}

export type FactTable = keyof FactTables
