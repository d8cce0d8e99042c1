// The two stores as `footfall doctor` checks them: reachable, up to date, with clocks that agree with ours?
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Config, factsSettings, SettingError } from '../server/config.ts'
import { openKeys } from '../server/kernel/keys.ts'
import { refuseOtherSecret } from '../server/same-secret.ts'
import { type Facts, openFacts } from '../server/stores/facts.ts'
import { factsLogBytes } from '../server/stores/facts-log/log.ts'
import { dueFactMigrations } from '../server/stores/migrations/facts.ts'
import { dueRecordMigrations } from '../server/stores/migrations/records.ts'
import { openRecords, type Records } from '../server/stores/records.ts'
import { ok, type Scene, type Verdict, warn, wrong } from './doctor-verdict.ts'

/** Nodes that disagree by more would put visits of one person into two days around midnight. */
const CLOCK_TOLERANCE_SECONDS = 5

const upToDate = (where: string, due: readonly string[]): Verdict =>
  due.length === 0 ? ok(`${where}, up to date`) : warn(`${where}; the next start runs ${due.join(', ')}`)

function clockVerdict(storeSeconds: number): Verdict | undefined {
  const apart = Math.round(Math.abs(Date.now() / 1000 - storeSeconds))
  return apart > CLOCK_TOLERANCE_SECONDS ? warn(`its clock differs from this machine's by ${apart} seconds`) : undefined
}

async function recordsVerdict(records: Records, isServer: boolean): Promise<Verdict> {
  const due = await dueRecordMigrations(records)
  if (!isServer) return upToDate('SQLite', due)
  const { rows } = await sql<{ seconds: number }>`select extract(epoch from now())::float8 as seconds`.execute(records)
  return clockVerdict(rows[0]?.seconds ?? 0) ?? upToDate('PostgreSQL', due)
}

export async function checkRecords({ config }: Scene): Promise<Verdict> {
  const isServer = config.databaseUrl !== null
  if (!isServer && !existsSync(join(config.dataDir, 'records.sqlite'))) return ok('SQLite, created on first start')
  const records = await openRecords(config)
  try {
    return await recordsVerdict(records, isServer)
  } finally {
    await records.destroy()
  }
}

/**
 * Undefined while nothing is wrong with it, and where that cannot be told: what is wrong with the records is
 * another check's.
 */
export async function otherSecret(config: Config): Promise<Verdict | undefined> {
  const file = join(config.dataDir, 'secret')
  const isMade = config.databaseUrl !== null || existsSync(join(config.dataDir, 'records.sqlite'))
  if (!isMade || (config.secret === null && !existsSync(file))) return undefined
  const keys = openKeys(config.secret ?? readFileSync(file, 'utf8').trim())
  const records = await openRecords(config).catch(() => undefined)
  if (!records) return undefined
  try {
    await refuseOtherSecret(config, records, keys)
    return undefined
  } catch (error) {
    return error instanceof SettingError ? wrong(error.message) : undefined
  } finally {
    await records.destroy()
  }
}

async function factsVerdict(facts: Facts, isServer: boolean): Promise<Verdict> {
  const where = isServer ? 'ClickHouse server' : 'ClickHouse, embedded'
  const [row] = await facts.query<{ seconds: number }>('doctor', 'SELECT toUnixTimestamp(now()) AS seconds')
  const due = await dueFactMigrations(facts)
  return clockVerdict(row?.seconds ?? 0) ?? upToDate(where, due)
}

const MIB = 1024 * 1024
/** Share of what may wait. */
const WARN_SHARE = 0.5

/** The log takes at least as much disk space as the rows that wait in it. */
export function checkFactsLog({ config }: Scene): Verdict {
  const mb = Math.ceil(factsLogBytes(config.dataDir) / MIB)
  if (mb === 0) return ok('empty')
  const says = `${mb} MB on disk, of at most ${config.factsLogMb} MB`
  return mb > config.factsLogMb * WARN_SHARE ? warn(`${says}; once it is full, page views are refused`) : ok(says)
}

/** The embedded store belongs to one process: while the server runs, it answers for the store (/readyz). */
export async function checkFacts({ config, isServing }: Scene): Promise<Verdict> {
  const isServer = config.clickhouseUrls.length > 0
  if (!isServer && isServing) return ok('in use by the running service')
  if (!isServer && !existsSync(join(config.dataDir, 'facts'))) return ok('ClickHouse, embedded, created on first start')
  // An answer of 503 is valid here, and no reason to wait.
  const facts = await openFacts({ ...factsSettings(config), isPatient: false, log: pino({ level: 'silent' }) })
  try {
    return await factsVerdict(facts, isServer)
  } finally {
    await facts.close()
  }
}
