// The facts log of one process: rows are acknowledged once they are in it, and stay in it until they are
// inserted. Whatever is appended while a commit is on its way to the disk goes into the next one.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { KEPT_FREE_BYTES } from '../../kernel/room.ts'
import { unavailable } from '../facts/engine.ts'
import { filesOf, isBusy, type LogEntry, type LogFileOptions, type LogPiece } from './file.ts'
import { logThread } from './log-thread.ts'

/** That of a process by itself, or of the first of several; the others have their number in the name. */
const FILE = 'facts-log.sqlite'
const OTHER_FILE = /^facts-log-\d+\.sqlite$/

const fileOf = (slot: number): string => (slot === 1 ? FILE : FILE.replace('.', `-${slot}.`))

/** The logs of the other processes of this folder, as far as there are any. */
function otherFilesIn(dataDir: string): string[] {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : []
  return names.filter((name) => OTHER_FILE.test(name)).map((name) => join(dataDir, name))
}

/** What is done goes out of the file with the next commit, or so long after. */
const REMOVE_AFTER_MS = 1_000

export interface FactsLogOptions {
  readonly dataDir: string
  /** Which process of the service this one is; the only one when left out. */
  readonly slot?: number | undefined
  /** Takes over what is in the logs of others: nobody else writes there. */
  readonly takesOver: boolean
  readonly fsync: boolean
  /** Of rows that wait: above, nothing is acknowledged. */
  readonly mostBytes: number
  readonly skipsDamage: boolean
  readonly log: Logger
  /**
   * Told of each entry that is on disk, in their order, before whoever appended a row of it.
   * @param subjects that its rows are about, as they were given with the rows.
   */
  readonly onEntry: (entry: LogEntry, subjects: readonly string[]) => void
  /** Told when there are entries, before whoever appended the first, and when there are none any more. */
  readonly onWaiting?: ((isWaiting: boolean) => void) | undefined
}

export interface FactsLogStats {
  readonly entries: number
  readonly bytes: number
}

export interface LogGiven {
  readonly table: string
  readonly columns: string
  readonly lines: readonly string[]
  /** What the rows are about: hashes of sessions, and ids of properties. */
  readonly subjects: readonly string[]
}

/** Rows that go into one entry, and whoever waits for it. */
interface Group {
  readonly table: string
  readonly columns: string
  readonly lines: string[]
  readonly subjects: string[]
  bytes: number
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[]
}

/** What the logs of a folder take on the disk. */
export function factsLogBytes(dataDir: string): number {
  const paths = [join(dataDir, FILE), ...otherFilesIn(dataDir)].flatMap(filesOf)
  const sizes = paths.map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/**
 * With a store that several processes share, another one may have the log of this folder: it inserts what is
 * in it.
 */
async function openFile(options: LogFileOptions, log: Logger): Promise<FactsLogStats | undefined> {
  try {
    return await logThread.ask('open', options)
  } catch (error) {
    if (!isBusy(error)) throw error
    log.warn(
      'another process has the facts log of DATA_DIR: while the facts store is away, this one acknowledges nothing',
    )
    return undefined
  }
}

/** @returns what the file holds then; undefined when the other one could not be taken over. */
async function takeOver(file: LogFileOptions, other: LogFileOptions, log: Logger): Promise<FactsLogStats | undefined> {
  try {
    return await logThread.ask('takeOver', file, other)
  } catch (error) {
    if (!isBusy(error)) throw error
    log.warn({ file: other.file }, 'another process has this facts log: it inserts what is in it')
    return undefined
  }
}

export class FactsLog {
  readonly #options: FactsLogOptions
  readonly #file: LogFileOptions
  /** What the file holds: rows that wait to be inserted. */
  #entries: number
  #bytes: number
  /** The thread has the file open. */
  #isOpen: boolean
  #groups = new Map<string, Group>()
  /** Rows of groups that are not on disk yet. */
  #comingBytes = 0
  /** Entries to take out of the file. */
  #removed: number[] = []
  #last = 0
  #committing: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param found what is in the file, when it is open. */
  private constructor(options: FactsLogOptions, file: LogFileOptions, found: FactsLogStats | undefined) {
    this.#options = options
    this.#file = file
    this.#entries = found?.entries ?? 0
    this.#bytes = found?.bytes ?? 0
    this.#isOpen = found !== undefined
    options.onWaiting?.(this.#entries > 0)
  }

  /** @throws Error with a sentence for the owner when the log of an earlier run is damaged. */
  static async open(options: FactsLogOptions): Promise<FactsLog> {
    const { dataDir, slot = 1, takesOver, fsync, skipsDamage, log } = options
    const path = join(dataDir, fileOf(slot))
    const file: LogFileOptions = { file: path, fsync, skipsDamage, keptFreeBytes: KEPT_FREE_BYTES }
    let found = existsSync(path) ? await openFile(file, log) : undefined
    for (const other of takesOver ? otherFilesIn(dataDir) : [])
      found = (await takeOver(file, { ...file, file: other }, log)) ?? found
    return new FactsLog(options, file, found)
  }

  /** @throws Problem('unavailable') when the log is full or the disk fails: then nothing was acknowledged. */
  append({ table, columns, lines, subjects }: LogGiven): Promise<void> {
    const size = lines.reduce((sum, line) => sum + line.length, 0)
    if (this.#bytes + this.#comingBytes + size > this.#options.mostBytes)
      return Promise.reject(unavailable('The log of facts is full: the facts store has been away for too long.'))
    const key = `${table} ${columns}`
    const group: Group = this.#groups.get(key) ?? { table, columns, lines: [], subjects: [], bytes: 0, waiting: [] }
    this.#groups.set(key, group)
    group.lines.push(...lines)
    group.subjects.push(...subjects)
    group.bytes += size
    this.#comingBytes += size
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    group.waiting.push({ resolve, reject })
    this.#committing ??= this.#commitAll()
    return promise
  }

  /** An entry whose rows are inserted, or refused for good. */
  remove({ seq, lines }: LogEntry): void {
    this.#entries--
    this.#bytes -= lines.length
    if (this.#entries === 0) this.#options.onWaiting?.(false)
    this.#removed.push(seq)
    this.#removeLater()
  }

  /** Resolves once the removed entries are out of the file. */
  async emptied(): Promise<void> {
    if (this.#removed.length > 0) this.#committing ??= this.#commitAll()
    await this.#committing
  }

  /** The entries behind a number, about so many bytes of them. */
  read(after: number, mostBytes: number): Promise<LogPiece> {
    return logThread.ask('read', this.#file, after, mostBytes)
  }

  /** Keeps rows of an entry that the store will never take. */
  refuse({ seq }: LogEntry, lines: string): Promise<void> {
    return logThread.ask('refuse', this.#file, seq, lines)
  }

  /** The number of the last entry that onEntry was called with. */
  lastSeq(): number {
    return this.#last
  }

  stats(): FactsLogStats {
    return { entries: this.#entries, bytes: this.#bytes }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.emptied()
    if (this.#isOpen) await logThread.ask('close', this.#file)
  }

  async #commitAll(): Promise<void> {
    do {
      // What the same turn of the event loop brings goes along.
      await new Promise(setImmediate)
    } while ((await this.#commit()) && (this.#groups.size > 0 || this.#removed.length > 0))
    this.#committing = this.#groups.size > 0 ? this.#commitAll() : undefined
    if (this.#removed.length > 0) this.#removeLater()
  }

  #removeLater(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#committing ??= this.#commitAll()
    }, REMOVE_AFTER_MS).unref()
  }

  /** Every caller gets an answer of their own. @returns false when the disk fails. */
  async #commit(): Promise<boolean> {
    const [taken, gone] = [[...this.#groups.values()], this.#removed]
    this.#groups = new Map()
    this.#removed = []
    const rows = taken.map(({ table, columns, lines }) => ({ table, columns, lines: lines.join('\n') }))
    this.#isOpen = true
    try {
      const seqs = await logThread.ask('append', this.#file, rows, gone)
      rows.forEach((row, index) => this.#added({ ...row, seq: seqs[index]! }, [...new Set(taken[index]!.subjects)]))
      for (const { waiting } of taken) for (const { resolve } of waiting) resolve()
      return true
    } catch (error) {
      this.#options.log.error({ err: error, rows: rows.length }, 'the facts log cannot be written')
      this.#removed.push(...gone)
      const answer = unavailable('The facts log cannot be written.', error)
      for (const { waiting } of taken) for (const { reject } of waiting) reject(answer)
      return false
    } finally {
      for (const group of taken) this.#comingBytes -= group.bytes
    }
  }

  #added(entry: LogEntry, subjects: readonly string[]): void {
    if (this.#entries === 0) this.#options.onWaiting?.(true)
    this.#entries++
    this.#bytes += entry.lines.length
    this.#last = entry.seq
    this.#options.onEntry(entry, subjects)
  }
}
