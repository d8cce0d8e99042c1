// Records in one SQLite file: threads with node:sqlite under Kysely, every commit synced to disk.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  CompiledQuery,
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { WriteGate } from '../gate.ts'
import { exempted, gatedDriver } from '../records/gated.ts'
import { openLanes } from './driver.ts'
import type { WriteParts } from './parts.ts'
import { BUSY, codeOf } from './codes.ts'
import type { RecordTables } from '../tables.ts'

export type ReleaseLock = () => Promise<void>

const FILE = 'records.sqlite'
const LOCK_FILE = 'records.lock'

export const sqliteFile = (dataDir: string): string => join(dataDir, FILE)

/** Kysely would let one statement through at a time; the lanes know better which may run side by side. */
class LaneAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

function dialectOf(driver: Driver): Dialect {
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new LaneAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/**
 * Readable by the owner alone: the salts are in the records. The write-ahead log takes over the mode of the
 * file.
 */
function createPrivately(file: string): void {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
}

/** Moves what was committed, and changes nothing. */
const emptyLog = exempted(CompiledQuery.raw('pragma wal_checkpoint(truncate)'))

/** While another process reads, the write-ahead log cannot be emptied; it is tried again so soon after. */
const SCRUB_AGAIN_MS = 500

interface Scrubber {
  readonly scrub: () => Promise<void>
  readonly stop: () => void
}

/**
 * An emptying of the log that somebody is in the way of is owed, and made up for as soon as they are gone.
 */
function openScrubber(empty: () => Promise<boolean>): Scrubber {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const again = (): void => {
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      scrub().catch(() => undefined) // which has seen to the next try
    }, SCRUB_AGAIN_MS).unref()
  }
  const scrub = async (): Promise<void> => {
    try {
      if (!(await empty())) again()
    } catch (error) {
      again()
      throw error
    }
  }
  const stop = (): void => {
    isStopped = true
    clearTimeout(timer)
  }
  return { scrub, stop }
}

export interface OpenedSqlite {
  readonly records: Kysely<RecordTables>
  readonly file: string
  /**
   * Empties the write-ahead log, in which deleted rows still stand: now, or as soon as no other process
   * reads.
   */
  readonly scrub: () => Promise<void>
  readonly write: WriteParts
}

/** @param gate that every write goes through. */
export async function openSqlite(dataDir: string, gate?: WriteGate): Promise<OpenedSqlite> {
  const file = sqliteFile(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    createPrivately(file)
    const scrubber = openScrubber(async () => {
      // As a write, so that it never runs in the middle of a transaction.
      const { rows } = await records.executeQuery<{ busy: number }>(emptyLog)
      return rows[0]?.busy === 0
    })
    const driver = await openLanes(file, scrubber.stop)
    const records = new Kysely<RecordTables>({ dialect: dialectOf(gate ? gatedDriver(driver, gate) : driver) })
    const write: WriteParts = gate ? (...given) => gate.pass(() => driver.write(...given)) : driver.write
    return { records, file, scrub: scrubber.scrub, write }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new Error(`the records file ${file} cannot be opened: ${reason}`, { cause: error })
  }
}

/**
 * The lock is a transaction on a file of its own: the system lets go of it when its holder dies, and the
 * records stay free for others meanwhile. No waiting inside SQLite: that would block the whole process, and
 * two openings in one process would wait for each other.
 */
export async function lockBySqlite(file: string): Promise<ReleaseLock | undefined> {
  const lockFile = join(file, '..', LOCK_FILE)
  createPrivately(lockFile) // who can read it may hold the lock
  const database = new DatabaseSync(lockFile, { timeout: 0 })
  try {
    database.exec('begin exclusive')
  } catch (error) {
    database.close()
    if (codeOf(error) === BUSY) return undefined
    throw error
  }
  return async () => database.close()
}
