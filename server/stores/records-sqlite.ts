// Records in one SQLite file: node:sqlite under Kysely. One connection, a queue before it (Kysely's), every commit synced to disk.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { Problem } from '../kernel/problem.ts'
import { type RecordTables } from './tables.ts'

export type ReleaseLock = () => Promise<void>

const FILE = 'records.sqlite'
const LOCK_FILE = 'records.lock'

/** A command line beside the server may hold the write lock for a moment; longer than this is a fault. */
const BUSY_WAIT_MS = 5_000
const BUSY_POLL_MS = 10
/** Statements are few and fixed; those with lists of varying length must not grow the cache without end. */
const MAX_STATEMENTS = 500

/**
 * WAL lets a second process (the command line) read and write beside the server. FULL syncs each commit, so that what was acknowledged
 * survives a power cut. secure_delete overwrites deleted rows: an old salt that could be read back would break the promise of the sessions.
 */
const pragmas = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma secure_delete = on;
`

/** Once open, nothing waits inside SQLite: that would stop the whole process. The driver tries again instead. */
const noWaiting = 'pragma busy_timeout = 0'

const BUSY = 5
/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN. */
const unavailableCodes = new Set([BUSY, 6, 8, 10, 13, 14])

/** The primary code is the low byte. */
const codeOf = (error: unknown) => (error instanceof Error && 'errcode' in error ? Number(error.errcode) & 255 : 0)

function explained(error: unknown): unknown {
  return unavailableCodes.has(codeOf(error))
    ? new Problem('unavailable', 'The records cannot be read or written at the moment.', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : error
}

/** A statement refused as busy has done nothing, so it may be put again. Inside a transaction, which holds the lock, none is refused. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += BUSY_POLL_MS) {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== BUSY || waitedMs >= BUSY_WAIT_MS) throw explained(error)
    }
    await pause(BUSY_POLL_MS)
  }
}

/**
 * SQLite knows no booleans; and node:sqlite hands over every number as a fraction, which its full-text index does not take for a row number:
 * `rowid between 1 and 9` would read the whole index.
 */
function toInput(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return BigInt(value)
  return (Number.isSafeInteger(value) ? BigInt(value as number) : value) as SQLInputValue
}

/** node:sqlite gives objects without a prototype; callers compare and spread them like any other. */
const toPlain = (row: Record<string, unknown>) => ({ ...row })

function adapt(statement: StatementSync): SqliteStatement {
  const reader = statement.columns().length > 0
  return {
    reader,
    all: (parameters) => statement.all(...parameters.map(toInput)).map(toPlain),
    run: (parameters) => statement.run(...parameters.map(toInput)),
    iterate: (parameters) =>
      statement
        .all(...parameters.map(toInput))
        .map(toPlain)
        .values(),
  }
}

function statementCache(database: DatabaseSync): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = adapt(database.prepare(sql))
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(sql, statement)
    return statement
  }
}

class PatientSqliteDriver extends SqliteDriver {
  readonly #seen = new WeakSet<DatabaseConnection>()

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection()
    if (this.#seen.has(connection)) return connection
    this.#seen.add(connection)
    const execute = connection.executeQuery.bind(connection)
    connection.executeQuery = (query) => patiently(() => execute(query))
    return connection
  }

  /** Transactions take the write lock at once: one that reads first and writes later would fail when another process wrote in between. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

function dialectOf(database: DatabaseSync): Dialect {
  const handle = { prepare: statementCache(database), close: () => database.close() }
  return {
    createDriver: () => new PatientSqliteDriver({ database: handle }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Readable by the owner alone: the salts are in it. The write-ahead log takes over the mode of the file. */
function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_WAIT_MS })
  try {
    database.exec(pragmas)
    database.exec(noWaiting)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

export interface OpenedSqlite {
  readonly records: Kysely<RecordTables>
  readonly file: string
  /** Empties the write-ahead log, in which deleted rows still stand. */
  readonly scrub: () => Promise<void>
}

export function openSqlite(dataDir: string): OpenedSqlite {
  const file = join(dataDir, FILE)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    createPrivately(file)
    const database = openDatabase(file)
    const records = new Kysely<RecordTables>({ dialect: dialectOf(database) })
    // Through Kysely's queue, so that it never runs in the middle of a transaction. Busy readers make it do less, not fail.
    const scrub = async () => void (await records.executeQuery(CompiledQuery.raw('pragma wal_checkpoint(truncate)')))
    return { records, file, scrub }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new Error(`the records file ${file} cannot be opened: ${reason}`, { cause: error })
  }
}

/**
 * The lock is a transaction on a file of its own: the system lets go of it when its holder dies, and the records stay free for others meanwhile.
 * No waiting inside SQLite: that would block the whole process, and two openings in one process would wait for each other.
 */
export async function lockBySqlite(file: string): Promise<ReleaseLock | undefined> {
  const database = new DatabaseSync(join(file, '..', LOCK_FILE), { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (codeOf(error) === BUSY) return undefined
    throw error
  }
  return async () => database.close()
}
