// The file of the facts log: rows that are acknowledged and not inserted yet. SQLite sees to torn writes;
// what it cannot see, a middle that has been damaged, check.ts looks for. Belongs to one thread
// (log-thread.ts): every call waits for the disk.
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { BUSY, codeOf } from '../sqlite/codes.ts'
import { isCutShort, LOG_PAGE_BYTES } from './check.ts'

/** Rows of one table, as they are inserted. */
export interface LogRows {
  readonly table: string
  /** The columns of each row, as in the statement: rows of an earlier version have fewer. */
  readonly columns: string
  /** One JSON array a line. */
  readonly lines: string
}

export interface LogEntry extends LogRows {
  /** Grows with each entry, and is never used again. */
  readonly seq: number
}

export interface LogPiece {
  readonly entries: readonly LogEntry[]
  /** The greatest number that any entry ever had. */
  readonly lastSeq: number
}

export interface LogState {
  readonly entries: number
  readonly bytes: number
}

/**
 * FULL: a commit that has returned survives a power cut. secure_delete: what is inserted, and may be erased
 * there, is not left behind here. A second process that opens the file is refused.
 */
const pragmas = (fsync: boolean) => `
  pragma page_size = ${LOG_PAGE_BYTES};
  pragma locking_mode = exclusive;
  pragma journal_mode = wal;
  pragma synchronous = ${fsync ? 'full' : 'off'};
  pragma secure_delete = on;
  pragma wal_autocheckpoint = 4000;
  pragma journal_size_limit = ${SMALL_BYTES};
`

const schema = `
  create table if not exists formats (id integer primary key, name text not null, columns text not null, unique (name, columns)) strict;
  create table if not exists entries (seq integer primary key autoincrement, format integer not null, checksum integer not null, lines text not null) strict;
  create table if not exists refused (seq integer primary key, format integer not null, lines text not null) strict;
`

/** After a long absence of the store the emptied file is made small again. */
const SMALL_BYTES = 32 * 1024 * 1024

/** Looked at so often at most: it costs more than a small commit. */
const LOOK_MS = 250

/** The file, and what SQLite keeps beside it. */
export const filesOf = (file: string): string[] => [file, `${file}-wal`, `${file}-shm`]

/** @throws Error with a sentence for the owner. */
function damage(file: string, cause?: unknown): Error {
  return new Error(
    `The facts log ${file} is damaged: rows that were acknowledged and not inserted yet may be in it. ` +
      'Put back the file from a copy of the disk, or start with FACTS_LOG_DAMAGED=skip, which sets it aside and goes on with what can still be read.',
    { cause },
  )
}

/** Moves what is there to a folder of its own, with the time in its name. @returns where the file is now. */
function setAside(file: string): string {
  const folder = join(dirname(file), `facts-log-damaged-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const path of filesOf(file)) if (existsSync(path)) renameSync(path, join(folder, basename(path)))
  return join(folder, basename(file))
}

/** Another process has the file. */
export const isBusy = (error: unknown): boolean => codeOf(error) === BUSY

function openDatabase(file: string, fsync: boolean): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new DatabaseSync(file)
  try {
    database.exec(pragmas(fsync))
    database.exec(schema)
    // The log of SQLite begins anew: isCutShort knows no more than one end that a power cut has left.
    database.exec('pragma wal_checkpoint(truncate)')
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) throw error
    throw damage(file, error)
  }
}

interface EntryRow {
  readonly seq: number
  readonly name: string
  readonly columns: string
  readonly checksum: number
  readonly lines: string
}

/** What can be read of a damaged file: entries whose checksum holds. */
function readWhatIsLeft(file: string): LogRows[] {
  const found: LogRows[] = []
  try {
    const database = new DatabaseSync(file, { readOnly: true })
    try {
      for (const row of database.prepare(selectEntries).iterate(0)) {
        const { name, columns, checksum, lines } = row as unknown as EntryRow
        if (crc32(lines) === checksum) found.push({ table: name, columns, lines })
      }
    } finally {
      database.close()
    }
  } catch {
    // Nothing more can be read.
  }
  return found
}

const selectEntries =
  'select seq, name, columns, checksum, lines from entries join formats on formats.id = format where seq > ? order by seq'

export interface LogFileOptions {
  readonly file: string
  readonly fsync: boolean
  /** Goes on with what can still be read of a damaged file, instead of stopping. */
  readonly skipsDamage: boolean
  /** What stays free on the disk: below, nothing is acknowledged. */
  readonly keptFreeBytes: number
}

export class LogFile {
  readonly #options: LogFileOptions
  readonly #database: DatabaseSync
  readonly #insert: StatementSync
  readonly #remove: StatementSync
  /** By table and columns. */
  readonly #formats = new Map<string, number>()
  #lookedMs = Number.NEGATIVE_INFINITY
  #hasRoom = true

  /** @throws Error when the file is damaged, and damage is not to be skipped. */
  static open(options: LogFileOptions): LogFile {
    const { file, skipsDamage } = options
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    try {
      if (isCutShort(`${file}-wal`)) throw damage(file)
      const log = new LogFile(options)
      log.#check()
      return log
    } catch (error) {
      if (!skipsDamage || isBusy(error)) throw error
      const left = readWhatIsLeft(setAside(file))
      const log = new LogFile(options)
      log.append(left, [])
      return log
    }
  }

  private constructor(options: LogFileOptions) {
    this.#options = options
    const { file } = options
    this.#database = openDatabase(file, options.fsync)
    this.#insert = this.#database.prepare('insert into entries (format, checksum, lines) values (?, ?, ?)')
    this.#remove = this.#database.prepare('delete from entries where seq = ?')
  }

  /** @throws Error when a page or an entry is not what was written. */
  #check(): void {
    const { file } = this.#options
    let verdict: unknown
    try {
      verdict = this.#database.prepare('pragma quick_check(1)').get()?.['quick_check']
      for (const row of this.#database.prepare(selectEntries).iterate(0)) this.#entryOf(row as unknown as EntryRow)
    } catch (error) {
      this.#database.close()
      throw damage(file, error)
    }
    if (verdict === 'ok') return
    this.#database.close()
    throw damage(file)
  }

  #entryOf({ seq, name, columns, checksum, lines }: EntryRow): LogEntry {
    if (crc32(lines) !== checksum) throw damage(this.#options.file)
    return { seq, table: name, columns, lines }
  }

  #formatOf({ table, columns }: LogRows): number {
    const key = `${table} ${columns}`
    const known = this.#formats.get(key)
    if (known !== undefined) return known
    this.#database.prepare('insert or ignore into formats (name, columns) values (?, ?)').run(table, columns)
    const row = this.#database.prepare('select id from formats where name = ? and columns = ?').get(table, columns)
    const id = Number(row?.['id'])
    this.#formats.set(key, id)
    return id
  }

  /** Below the bound nothing more is taken. */
  isRoomLeft(): boolean {
    const nowMs = performance.now()
    if (nowMs - this.#lookedMs < LOOK_MS) return this.#hasRoom
    this.#lookedMs = nowMs
    const { bavail, bsize } = statfsSync(dirname(this.#options.file))
    this.#hasRoom = bavail * bsize >= this.#options.keptFreeBytes
    return this.#hasRoom
  }

  /**
   * One commit, on disk when it returns.
   * @param done entries that are inserted.
   * @returns the numbers of the new entries.
   * @throws Error when there is no room, or the disk fails: then nothing is changed.
   */
  append(rows: readonly LogRows[], done: readonly number[]): number[] {
    if (rows.length > 0 && !this.isRoomLeft()) throw new Error('The disk of the facts log has no room left.')
    this.#database.exec('begin immediate')
    try {
      for (const seq of done) this.#remove.run(seq)
      const seqs = rows.map((each) =>
        Number(this.#insert.run(this.#formatOf(each), crc32(each.lines), each.lines).lastInsertRowid),
      )
      this.#database.exec('commit')
      if (rows.length === 0) this.#shrink()
      return seqs
    } catch (error) {
      this.#formats.clear()
      if (this.#database.isTransaction) this.#database.exec('rollback')
      throw error
    }
  }

  #shrink(): void {
    const pages = Number(this.#database.prepare('pragma page_count').get()?.['page_count'])
    if (pages * LOG_PAGE_BYTES > SMALL_BYTES && this.state().entries === 0)
      this.#database.exec('vacuum; pragma wal_checkpoint(truncate)')
  }

  /** Keeps rows that the store will never take, apart from those that wait. */
  refuse(seq: number, lines: string): void {
    this.#database
      .prepare(
        'insert or replace into refused (seq, format, lines) select seq, format, ? from entries where entries.seq = ?',
      )
      .run(lines, seq)
  }

  /** The entries that follow, as many as fit, and one at least. */
  read(after: number, mostBytes: number): LogPiece {
    const entries: LogEntry[] = []
    let bytes = 0
    for (const row of this.#database.prepare(selectEntries).iterate(after)) {
      const entry = this.#entryOf(row as unknown as EntryRow)
      entries.push(entry)
      bytes += entry.lines.length
      if (bytes >= mostBytes) break
    }
    const last = this.#database.prepare(`select seq from sqlite_sequence where name = 'entries'`).get()
    return { entries, lastSeq: Number(last?.['seq'] ?? 0) }
  }

  state(): LogState {
    const row = this.#database
      .prepare('select count(*) as entries, coalesce(sum(length(lines)), 0) as bytes from entries')
      .get()
    return { entries: Number(row?.['entries']), bytes: Number(row?.['bytes']) }
  }

  /** A file without entries is removed. */
  close(): void {
    const isEmpty = this.state().entries === 0 && !this.#database.prepare('select 1 from refused limit 1').get()
    this.#database.close()
    if (isEmpty) for (const path of filesOf(this.#options.file)) rmSync(path, { force: true })
  }
}
