// The forward-only migrations of the records, in order. All that are due run in one transaction: all or none,
// and one process at a time.
import { type Kysely, sql } from 'kysely'
import { recordsKind, type Records, type Tx } from '../records.ts'
import { listMigrations } from './folder.ts'

export interface RecordMigration {
  /** Written into the ledger: never renamed once released. */
  readonly name: string
  readonly up: (tx: Tx, kind: 'sqlite' | 'postgres') => Promise<void>
}

const folder = new URL('./records/', import.meta.url)

/** In their order: appended to, never reordered. Loaded when it is run: most starts run none of them. */
export async function listRecordMigrations(): Promise<readonly RecordMigration[]> {
  const listed = await listMigrations<RecordMigration>(folder)
  return listed.map(({ name, load }) => ({ name, up: async (tx, kind) => (await load()).up(tx, kind) }))
}

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
 * @param given another list than the program's own, in tests.
 * @returns the names of the migrations that were run now.
 * @throws Error when a newer program was here before.
 */
export async function migrateRecords(records: Records, given?: readonly RecordMigration[]): Promise<string[]> {
  const known = given ?? (await listRecordMigrations())
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
  return (await dueOf(records, await listRecordMigrations())).map((migration) => migration.name)
}

/** Of all tables together, about: as the statistics of PostgreSQL have them. */
export async function countRecordRows(records: Records): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as count from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(records)
  return rows[0]?.count ?? 0
}
