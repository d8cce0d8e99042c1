// Records in one SQLite file: node:sqlite under Kysely. One connection, a queue before it (Kysely's), every commit synced to disk.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
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
const BUSY_TIMEOUT_MS = 5_000
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
  pragma busy_timeout = ${BUSY_TIMEOUT_MS};
`

/** SQLITE_BUSY, LOCKED, READONLY, IOERR, FULL and CANTOPEN: the primary code is the low byte. */
const unavailableCodes = new Set([5, 6, 8, 10, 13, 14])

function explained(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 255 : 0
  return unavailableCodes.has(code)
    ? new Problem('unavailable', 'The records cannot be read or written at the moment.', {
        cause: error,
        retryAfterSeconds: 5,
      })
    : error
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explained(error)
  }
}

/** SQLite knows no booleans. */
const toInput = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value) as SQLInputValue

/** node:sqlite gives objects without a prototype; callers compare and spread them like any other. */
const toPlain = (row: Record<string, unknown>) => ({ ...row })

function adapt(statement: StatementSync): SqliteStatement {
  const reader = statement.columns().length > 0
  return {
    reader,
    all: (parameters) => attempt(() => statement.all(...parameters.map(toInput)).map(toPlain)),
    run: (parameters) => attempt(() => statement.run(...parameters.map(toInput))),
    iterate: (parameters) =>
      attempt(() =>
        statement
          .all(...parameters.map(toInput))
          .map(toPlain)
          .values(),
      ),
  }
}

function statementCache(database: DatabaseSync): (sql: string) => SqliteStatement {
  const statements = new Map<string, SqliteStatement>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    const statement = attempt(() => adapt(database.prepare(sql)))
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(sql, statement)
    return statement
  }
}

/** Transactions take the write lock at once: one that reads first and writes later would fail when another process wrote in between. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

function dialectOf(database: DatabaseSync): Dialect {
  const handle = { prepare: statementCache(database), close: () => database.close() }
  return {
    createDriver: () => new ImmediateSqliteDriver({ database: handle }),
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
  const database = new DatabaseSync(file)
  try {
    database.exec(pragmas)
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

const isBusy = (error: unknown) => error instanceof Error && 'errcode' in error && (Number(error.errcode) & 255) === 5

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
    if (isBusy(error)) return undefined
    throw error
  }
  return async () => database.close()
}
