// Records on PostgreSQL: pg's pool under Kysely, numbers read as numbers, and a lost server told as
// "unavailable".
import {
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  type DatabaseConnection,
  type Dialect,
} from 'kysely'
import { type CustomTypesConfig, Pool, types } from 'pg'
import { Problem } from '../../kernel/problem.ts'
import type { WriteGate } from '../gate.ts'
import type { ReleaseLock } from '../sqlite/sqlite.ts'
import type { RecordTables } from '../tables.ts'
import { gatedDriver } from './gated.ts'

/**
 * More would queue inside a small server instead of here; fewer would let one slow statement hold up the
 * rest.
 */
const MAX_CONNECTIONS = 10
const CONNECT_TIMEOUT_MS = 5_000
/**
 * No statement of ours takes this long unless the server is in trouble: the caller gets 503 instead of
 * silence.
 */
const STATEMENT_TIMEOUT_MS = 30_000
/** Any number, the same on every node: "footfall" has no other advisory lock. */
const LOCK_KEY = 7_031_998_211

const { INT8, NUMERIC } = types.builtins

/** Times, counts and sums come as text by default, which SQLite does not do: one query, one shape. */
const numbersAsNumbers: CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === INT8 || oid === NUMERIC ? Number : types.getTypeParser(oid, format)),
}

/**
 * Classes 08 connection, 40 rolled back (deadlock, serialization: the same call may succeed now), 53
 * resources, 57 operator intervention (shutdown, cancelled by timeout), 58 system error; 25006: a standby
 * after a failover; 28 and 3D: refused or missing database.
 */
const unavailableStates = /^(?:08|40|53|57|58|28|3D|25006)/
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
/**
 * pg gives these without a code; the last when a transaction goes on over a connection that broke meanwhile.
 */
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|is not queryable/i

function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return unavailableStates.test(code) || networkCodes.has(code) || lostConnection.test(error.message)
}

function explained(error: unknown): unknown {
  return isUnavailable(error)
    ? new Problem('unavailable', 'The records cannot be read or written at the moment.', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : error
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw explained(error)
  }
}

class ExplainingPostgresDriver extends PostgresDriver {
  readonly #seen = new WeakSet<DatabaseConnection>()

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await attempt(() => super.acquireConnection())
    if (this.#seen.has(connection)) return connection
    this.#seen.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = (query, options) => attempt(() => execute(query, options))
    return connection
  }
}

function dialectOf(pool: Pool, gate: WriteGate | undefined): Dialect {
  const openDriver = () => new ExplainingPostgresDriver({ pool })
  return {
    createDriver: () => (gate ? gatedDriver(openDriver(), gate) : openDriver()),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

function poolOf(databaseUrl: string): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'footfall',
    types: numbersAsNumbers,
  })
  // A connection that breaks is told of by the query on it, or by the next; an idle one is nobody's loss. But
  // unheard, its error event would end the process, and the pool hears those of idle connections alone.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** The cause is left out on purpose: errors about addresses carry the whole URL, password and all. */
function whyNot(error: unknown): Error {
  const cause = error instanceof Problem ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : ''
  return new Error(`the database of DATABASE_URL cannot be opened${code}`)
}

/** @param gate that every write goes through. */
export async function openPostgres(databaseUrl: string, gate?: WriteGate): Promise<Kysely<RecordTables>> {
  let records: Kysely<RecordTables> | undefined
  try {
    records = new Kysely<RecordTables>({ dialect: dialectOf(poolOf(databaseUrl), gate) })
    await sql`select 1`.execute(records)
    return records
  } catch (error) {
    await records?.destroy()
    throw whyNot(error)
  }
}

/**
 * A lock of the session: held by one connection of its own, let go of by the server when that connection
 * ends.
 */
export async function lockByPostgres(records: Kysely<RecordTables>): Promise<ReleaseLock | undefined> {
  const locked = Promise.withResolvers<boolean>()
  const released = Promise.withResolvers<void>()
  const done = records.connection().execute(async (connection) => {
    const answer = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}::bigint) as taken`.execute(
      connection,
    )
    const taken = answer.rows[0]?.taken === true
    locked.resolve(taken)
    if (!taken) return
    await released.promise
    await sql`select pg_advisory_unlock(${LOCK_KEY}::bigint)`.execute(connection)
  })
  done.catch(locked.reject)
  if (!(await locked.promise)) return undefined
  return async () => {
    released.resolve()
    await done
  }
}
