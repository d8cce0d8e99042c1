// Both homes of the records, for tests that must hold on either.
import { mkdtempSync, rmSync } from 'node:fs'
import { after, test, type TestContext } from 'node:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecords, type Records, type RecordsOptions } from '../../server/stores/records.ts'
import { migrateRecords } from '../../server/stores/migrations/records.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export interface Home {
  readonly kind: 'sqlite' | 'postgres'
  /** Where to open records that are empty, not even migrated. */
  fresh(t: TestContext): Promise<RecordsOptions>
}

export function newDataDir(t: Pick<TestContext, 'after'>): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-records-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

const sqlite: Home = { kind: 'sqlite', fresh: async (t) => ({ databaseUrl: null, dataDir: newDataDir(t) }) }

const onServer = (postgres: Postgres): Home => ({
  kind: 'postgres',
  fresh: async (t) => ({ databaseUrl: await postgres.freshUrl(), dataDir: newDataDir(t) }),
})

/** Starts PostgreSQL for the file that asks. */
export async function openHomes(): Promise<{ homes: Home[]; postgres: Postgres | undefined }> {
  const postgres = await startPostgres({ after })
  return { homes: postgres ? [sqlite, onServer(postgres)] : [sqlite], postgres }
}

/** One more node on the same records; closed at the end of the test. */
export async function openNode(t: TestContext, options: RecordsOptions): Promise<Records> {
  const records = await openRecords(options)
  t.after(() => records.destroy())
  return records
}

export async function openMigrated(t: TestContext, home: Home): Promise<{ records: Records; options: RecordsOptions }> {
  const options = await home.fresh(t)
  const records = await openNode(t, options)
  await migrateRecords(records)
  return { records, options }
}

/** The same promise, once for each home. */
export function testOnEach(
  homes: readonly Home[],
  promise: string,
  check: (t: TestContext, home: Home) => Promise<void>,
): void {
  for (const home of homes) test(`${home.kind}: ${promise}`, (t) => check(t, home))
}
