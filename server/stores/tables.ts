// The shape of every stored row. Records are Kysely tables; facts are what is appended to ClickHouse. The SQL
// of the same tables is in migrations/; test/records.test.ts and test/facts.test.ts hold the two together.
import type { AccountTables } from './tables/account-tables.ts'
import type { AnalyticsTables } from './tables/analytics-tables.ts'
import type { AutomationTables } from './tables/automation-tables.ts'
import type { BackupTables } from './tables/backup-tables.ts'
import type { ContactTables } from './tables/contact-tables.ts'
import type { ContentTables } from './tables/content-tables.ts'
import type { FormTables } from './tables/form-tables.ts'
import type { LinkTables } from './tables/link-tables.ts'
import type { MailTables } from './tables/mail-tables.ts'
import type { PropertyTables } from './tables/property-tables.ts'
import type { RemovalTables } from './tables/removal-tables.ts'
import type { UploadTables } from './tables/upload-tables.ts'

export * from './fact-tables.ts'
export type { FactRemovalRow } from './tables/removal-tables.ts'
export type { MailRow } from './tables/mail-tables.ts'
export type { BackupRunRow } from './tables/backup-tables.ts'

/**
 * JSON columns are text in both databases; read and written by the folder that owns the table. Times are unix
 * seconds.
 */
export interface RecordTables
  extends
    AccountTables,
    AnalyticsTables,
    AutomationTables,
    BackupTables,
    ContactTables,
    ContentTables,
    FormTables,
    LinkTables,
    MailTables,
    PropertyTables,
    RemovalTables,
    UploadTables {
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
  /**
   * Numbers that count up in the transactions that use them: transactions that draw one commit in the order
   * of their numbers.
   */
  counters: { name: string; value: number }
  /** What is said of the installation as a whole: `secret`, the fingerprint of SECRET. */
  installation: { name: string; value: string }
  /** Nodes that share ClickHouse, and when each was last heard of. */
  nodes: { id: string; seen_ms: number }
  /** At most one row, `move`: while it is there, nobody writes to either store. */
  write_pauses: {
    name: string
    /** Of this pause. */
    id: string
    /** Null: until somebody ends it. */
    until_ms: number | null
    /** The place of facts that were moved alone: whoever has them there writes. Null: nobody does. */
    moved_to: string | null
  }
  /** The processes that write to the stores. */
  writers: {
    id: string
    seen_ms: number
    /** The pause for which it has stopped writing; empty when there was none. */
    pause_id: string
  }
}
