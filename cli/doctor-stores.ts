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
import { withRecordsOf } from './with-records.ts'
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
  return withRecordsOf(config, (records) => recordsVerdict(records, isServer))
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

/** What a replica that has just been down takes a moment to fetch is no reason to look. */
const MOST_BEHIND_SECONDS = 300

interface Replica {
  readonly server: string
  readonly readonly_tables: number
  readonly behind_seconds: number
}

const replicasSql = (cluster: string) => `SELECT concat(hostName(), ':', toString(tcpPort())) AS server,
  toUInt32(countIf(is_readonly)) AS readonly_tables, toUInt32(max(absolute_delay)) AS behind_seconds
FROM clusterAllReplicas('${cluster}', system.replicas) WHERE database = currentDatabase()
GROUP BY server ORDER BY server SETTINGS skip_unavailable_shards = 1`

/** Undefined while all of them keep up, and where there are none. */
async function replicasVerdict(facts: Facts, servers: number): Promise<Verdict | undefined> {
  const { cluster, isReplicated } = facts.layout
  if (!isReplicated || !cluster) return undefined
  const replicas = await facts.query<Replica>('doctor', replicasSql(cluster))
  const stuck = replicas.find(({ readonly_tables }) => readonly_tables > 0)
  if (stuck)
    return wrong(
      `${stuck.readonly_tables} tables are read-only on ${stuck.server}: check its connection to ClickHouse Keeper and its interserver port`,
    )
  const late = replicas.find(({ behind_seconds }) => behind_seconds > MOST_BEHIND_SECONDS)
  if (late) return warn(`${late.server} is ${late.behind_seconds} seconds behind the other replicas`)
  if (replicas.length > 0 && replicas.length < servers)
    return warn(`${servers - replicas.length} of ${servers} ClickHouse servers do not answer`)
  return undefined
}

async function factsVerdict(facts: Facts, { clickhouseUrls }: Config): Promise<Verdict> {
  const isServer = clickhouseUrls.length > 0
  const where = isServer ? 'ClickHouse server' : 'ClickHouse, embedded'
  const [row] = await facts.query<{ seconds: number }>('doctor', 'SELECT toUnixTimestamp(now()) AS seconds')
  const due = await dueFactMigrations(facts)
  const replicas = await replicasVerdict(facts, clickhouseUrls.length)
  return clockVerdict(row?.seconds ?? 0) ?? replicas ?? upToDate(where, due)
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
    return await factsVerdict(facts, config)
  } finally {
    await facts.close()
  }
}
