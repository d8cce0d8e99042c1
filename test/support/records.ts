// Both homes of the records, for tests that must hold on either.
import { mkdtempSync, rmSync } from 'node:fs'
import { after, test, type TestContext } from 'node:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRecords, type Records, type RecordsOptions } from '../../server/stores/records.ts'
import { migrateRecords } from '../../server/stores/migrations/records.ts'
import { copyRecords } from './models.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export interface Home {
  readonly kind: 'sqlite' | 'postgres'
  /** Where to open records that are empty, not even migrated. */
  fresh(t: TestContext): Promise<RecordsOptions>
  /** Where to open records that are empty. */
  migrated(t: TestContext): Promise<RecordsOptions>
}

export function newDataDir(t: Pick<TestContext, 'after'>): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-records-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function migrate(options: RecordsOptions): Promise<void> {
  const records = await openRecords(options)
  try {
    await migrateRecords(records)
  } finally {
    await records.destroy()
  }
}

async function freshSqlite(t: TestContext): Promise<RecordsOptions> {
  return { databaseUrl: null, dataDir: newDataDir(t) }
}

const sqlite: Home = {
  kind: 'sqlite',
  fresh: freshSqlite,
  async migrated(t) {
    const options = await freshSqlite(t)
    await copyRecords(options.dataDir)
    return options
  },
}

/** Migrated once: copies of that take a fifth of the time. */
function onServer(postgres: Postgres): Home {
  let model: Promise<string> | undefined
  const makeModel = async (): Promise<string> => {
    const databaseUrl = await postgres.freshUrl()
    await migrate({ databaseUrl, dataDir: tmpdir() })
    return databaseUrl
  }
  return {
    kind: 'postgres',
    fresh: async (t) => ({ databaseUrl: await postgres.freshUrl(), dataDir: newDataDir(t) }),
    async migrated(t) {
      model ??= makeModel()
      return { databaseUrl: await postgres.freshUrl(await model), dataDir: newDataDir(t) }
    },
  }
}

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
  const options = await home.migrated(t)
  return { records: await openNode(t, options), options }
}

/** The same promise, once for each home. */
export function testOnEach(
  homes: readonly Home[],
  promise: string,
  check: (t: TestContext, home: Home) => Promise<void>,
): void {
  for (const home of homes) test(`${home.kind}: ${promise}`, (t) => check(t, home))
}
