// The forward-only migrations of the records, in order. All that are due run in one transaction: all or none,
// and one process at a time.
import { type Kysely, sql } from 'kysely'
import { recordsKind, type Records, type Tx } from '../records.ts'
import { contacts } from './records/002_contacts.ts'
import { links } from './records/003_links.ts'
import { forms } from './records/004_forms.ts'
import { automations } from './records/005_automations.ts'
import { submissionKeys } from './records/006_submission_keys.ts'
import { deliveryEvents } from './records/007_delivery_events.ts'
import { content } from './records/008_content.ts'
import { accounts } from './records/009_accounts.ts'
import { annotations } from './records/010_annotations.ts'
import { exclusions } from './records/011_exclusions.ts'
import { peopleErased } from './records/012_people_erased.ts'
import { sampleRun } from './records/013_sample_run.ts'
import { contactOrders } from './records/014_contact_orders.ts'
import { submissionIps } from './records/015_submission_ips.ts'
import { submissionSearch } from './records/016_submission_search.ts'
import { toldSubmissions } from './records/020_told_submissions.ts'
import { linkSearch } from './records/018_link_search.ts'
import { formEdits } from './records/017_form_edits.ts'
import { formEvictions } from './records/025_form_evictions.ts'
import { makers } from './records/023_makers.ts'
import { signInsByClient } from './records/024_sign_ins_by_client.ts'
import { guardedCalls } from './records/026_guarded_calls.ts'
import { markedContacts } from './records/031_marked_contacts.ts'
import { claimedEvictions } from './records/032_claimed_evictions.ts'
import { propertiesTokensSaltsRates } from './records/001_properties_tokens_salts_rates.ts'

export interface RecordMigration {
  /** Written into the ledger: never renamed once released. */
  readonly name: string
  readonly up: (tx: Tx, kind: 'sqlite' | 'postgres') => Promise<void>
}

/** Appended to, never reordered. */
export const recordMigrations: readonly RecordMigration[] = [
  propertiesTokensSaltsRates,
  contacts,
  links,
  forms,
  automations,
  submissionKeys,
  deliveryEvents,
  content,
  accounts,
  annotations,
  exclusions,
  peopleErased,
  sampleRun,
  contactOrders,
  submissionIps,
  submissionSearch,
  formEdits,
  linkSearch,
  toldSubmissions,
  makers,
  signInsByClient,
  formEvictions,
  guardedCalls,
  markedContacts,
  claimedEvictions,
]

interface Ledger {
  record_migrations: { name: string }
}

/** The ledger is no table of the product, so it stays out of RecordTables. */
const ledgerOf = (db: Records | Tx) => db as unknown as Kysely<Ledger>

/** Any number but the one of withMigrationLock, which is held around this. */
const LOCK_KEY = 7_031_998_212

/** SQLite's transactions exclude each other already. */
async function excludeOthers(records: Records, tx: Tx): Promise<void> {
  if (recordsKind(records) === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK_KEY}::bigint)`.execute(tx)
}

async function createLedger(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('record_migrations')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('applied_at', 'text', (column) => column.notNull().defaultTo(sql`current_timestamp`))
    .execute()
}

async function appliedNames(db: Records | Tx): Promise<Set<string>> {
  const rows = await ledgerOf(db).selectFrom('record_migrations').select('name').execute()
  return new Set(rows.map((row) => row.name))
}

function refuseNewer(applied: ReadonlySet<string>, known: readonly RecordMigration[]): void {
  const names = new Set(known.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !names.has(name))
  if (unknown.length === 0) return
  throw new Error(
    `the records were migrated by a newer version of Footfall (${unknown.toSorted().join(', ')}): run that version, or restore a backup`,
  )
}

async function apply(tx: Tx, kind: 'sqlite' | 'postgres', due: readonly RecordMigration[]): Promise<void> {
  for (const migration of due) {
    await migration.up(tx, kind)
    await ledgerOf(tx).insertInto('record_migrations').values({ name: migration.name }).execute()
  }
}

async function hasLedger(records: Records): Promise<boolean> {
  const tables = await records.introspection.getTables()
  return tables.some((table) => table.name === 'record_migrations')
}

/** Changes nothing. */
async function dueOf(records: Records, known: readonly RecordMigration[]): Promise<readonly RecordMigration[]> {
  const applied = (await hasLedger(records)) ? await appliedNames(records) : new Set<string>()
  refuseNewer(applied, known)
  return known.filter((migration) => !applied.has(migration.name))
}

/**
 * Brings the records up to date; safe when several nodes do so at once.
 * @param known the program's own list; another one in tests.
 * @returns the names of the migrations that were run now.
 * @throws Error when a newer program was here before.
 */
export async function migrateRecords(
  records: Records,
  known: readonly RecordMigration[] = recordMigrations,
): Promise<string[]> {
  // A start must not have to wait for somebody who writes for long, as an import does.
  if ((await dueOf(records, known)).length === 0) return []
  return records.transaction().execute(async (tx) => {
    await excludeOthers(records, tx)
    await createLedger(tx)
    const applied = await appliedNames(tx)
    refuseNewer(applied, known)
    const due = known.filter((migration) => !applied.has(migration.name))
    await apply(tx, recordsKind(records), due)
    return due.map((migration) => migration.name)
  })
}

/**
 * Changes nothing. @returns the names of the migrations still to be run. @throws Error when a newer program
 * was here before.
 */
export async function dueRecordMigrations(records: Records): Promise<string[]> {
  return (await dueOf(records, recordMigrations)).map((migration) => migration.name)
}
