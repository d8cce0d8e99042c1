// Records in one SQLite file: node:sqlite under Kysely, every commit synced to disk.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery, type Dialect, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { BUSY, codeOf, openLanes } from './records-sqlite-lanes.ts'
import { type RecordTables } from './tables.ts'

export type ReleaseLock = () => Promise<void>

const FILE = 'records.sqlite'
const LOCK_FILE = 'records.lock'

/** Opening waits inside SQLite: another process may just be making the file. */
const OPEN_WAIT_MS = 5_000

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

/** Once open, nothing waits inside SQLite: that would stop the whole process. The lanes try again instead. */
const noWaiting = 'pragma busy_timeout = 0'

/** Kysely would let one statement through at a time; the lanes know better which may run side by side. */
class LaneAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function dialectOf(reader: DatabaseSync, writer: DatabaseSync): Dialect {
  return {
    createDriver: () => openLanes(reader, writer),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new LaneAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Readable by the owner alone: the salts are in it. The write-ahead log takes over the mode of the file. */
function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: OPEN_WAIT_MS })
  try {
    database.exec(pragmas)
    database.exec(noWaiting)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function openReader(file: string, writer: DatabaseSync): DatabaseSync {
  try {
    return openDatabase(file)
  } catch (error) {
    writer.close()
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
    const writer = openDatabase(file)
    const records = new Kysely<RecordTables>({ dialect: dialectOf(openReader(file, writer), writer) })
    // As a write, so that it never runs in the middle of a transaction. Busy readers make it do less, not fail.
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
