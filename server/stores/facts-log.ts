// The facts log of one process: rows are acknowledged once they are in it, and stay in it until they are inserted. Whatever is appended while a
// commit is on its way to the disk goes into the next one.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Problem } from '../kernel/problem.ts'
import { KEPT_FREE_BYTES } from './facts-embedded-config.ts'
import { filesOf, isBusy, type LogEntry, type LogFileOptions, type LogPiece } from './facts-log-file.ts'
import { onLogThread } from './facts-log-thread.ts'

const FILE = 'facts-log.sqlite'

/** What is done goes out of the file with the next commit, or so long after. */
const REMOVE_AFTER_MS = 1_000
const RETRY_AFTER_SECONDS = 5

export interface FactsLogOptions {
  readonly dataDir: string
  readonly fsync: boolean
  /** Of rows that wait: above, nothing is acknowledged. */
  readonly mostBytes: number
  readonly skipsDamage: boolean
  readonly log: Logger
  /**
   * Told of each entry that is on disk, in their order, before whoever appended a row of it.
   * @param sessions that its rows are about, as they were given with the rows.
   */
  readonly onEntry: (entry: LogEntry, sessions: readonly string[]) => void
}

export interface FactsLogStats {
  readonly entries: number
  readonly bytes: number
}

export interface FactsLog {
  /** @throws Problem('unavailable') when the log is full or the disk fails: then nothing was acknowledged. */
  append(rows: LogGiven): Promise<void>
  /** An entry whose rows are inserted, or refused for good. */
  remove(entry: LogEntry): void
  /** Resolves once the removed entries are out of the file. */
  emptied(): Promise<void>
  /** The entries behind a number, about so many bytes of them. */
  read(after: number, mostBytes: number): Promise<LogPiece>
  /** Keeps rows of an entry that the store will never take. */
  refuse(entry: LogEntry, lines: string): Promise<void>
  /** The number of the last entry that onEntry was told of. */
  lastSeq(): number
  stats(): FactsLogStats
  close(): Promise<void>
}

export interface LogGiven {
  readonly table: string
  readonly columns: string
  readonly lines: readonly string[]
  /** Hashes of the sessions that the rows are about. */
  readonly sessions: readonly string[]
}

/** Rows that go into one entry, and whoever waits for it. */
interface Group {
  readonly table: string
  readonly columns: string
  readonly lines: string[]
  readonly sessions: string[]
  bytes: number
  readonly waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[]
}

const unavailable = (message: string, cause?: unknown): Problem =>
  new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })

/** What the log of a folder takes on the disk. */
export function factsLogBytes(dataDir: string): number {
  const sizes = filesOf(join(dataDir, FILE)).map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}

const nothing: FactsLogStats = { entries: 0, bytes: 0 }

/** With a store that several processes share, another one may have the log of this folder: it inserts what is in it. */
async function openFile(options: LogFileOptions, log: Logger): Promise<FactsLogStats> {
  try {
    return await onLogThread('open', options)
  } catch (error) {
    if (!isBusy(error)) throw error
    log.warn(
      'another process has the facts log of DATA_DIR: while the facts store is away, this one acknowledges nothing',
    )
    return nothing
  }
}

/** @throws Error with a sentence for the owner when the log of an earlier run is damaged. */
export async function openFactsLog(options: FactsLogOptions): Promise<FactsLog> {
  const { dataDir, fsync, mostBytes, skipsDamage, log, onEntry } = options
  const file = join(dataDir, FILE)
  const fileOptions: LogFileOptions = { file, fsync, skipsDamage, keptFreeBytes: KEPT_FREE_BYTES }
  const hasFile = existsSync(file)
  let { entries, bytes } = hasFile ? await openFile(fileOptions, log) : nothing
  let isOpen = entries > 0
  let groups = new Map<string, Group>()
  /** Rows of groups that are not on disk yet. */
  let comingBytes = 0
  let removed: number[] = []
  let last = 0
  let committing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function append({ table, columns, lines, sessions }: LogGiven): Promise<void> {
    const size = lines.reduce((sum, line) => sum + line.length, 0)
    if (bytes + comingBytes + size > mostBytes)
      return Promise.reject(unavailable('The log of facts is full: the facts store has been away for too long.'))
    const key = `${table} ${columns}`
    const group: Group = groups.get(key) ?? { table, columns, lines: [], sessions: [], bytes: 0, waiting: [] }
    groups.set(key, group)
    group.lines.push(...lines)
    group.sessions.push(...sessions)
    group.bytes += size
    comingBytes += size
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    group.waiting.push({ resolve, reject })
    committing ??= commitAll()
    return promise
  }

  async function commitAll(): Promise<void> {
    do {
      // What the same turn of the event loop brings goes along.
      await new Promise(setImmediate)
    } while ((await commit()) && (groups.size > 0 || removed.length > 0))
    committing = groups.size > 0 ? commitAll() : undefined
    if (removed.length > 0) removeLater()
  }

  function removeLater(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      committing ??= commitAll()
    }, REMOVE_AFTER_MS).unref()
  }

  /** Everybody gets their own answer. @returns false when the disk fails. */
  async function commit(): Promise<boolean> {
    const [taken, gone] = [[...groups.values()], removed]
    groups = new Map()
    removed = []
    const rows = taken.map(({ table, columns, lines }) => ({ table, columns, lines: lines.join('\n') }))
    isOpen = true
    try {
      const seqs = await onLogThread('append', fileOptions, rows, gone)
      rows.forEach((row, index) => tell({ ...row, seq: seqs[index]! }, taken[index]!.sessions))
      for (const { waiting } of taken) for (const { resolve } of waiting) resolve()
      return true
    } catch (error) {
      log.error({ err: error, rows: rows.length }, 'the facts log cannot be written')
      removed.push(...gone)
      const answer = unavailable('The facts log cannot be written.', error)
      for (const { waiting } of taken) for (const { reject } of waiting) reject(answer)
      return false
    } finally {
      for (const group of taken) comingBytes -= group.bytes
    }
  }

  function tell(entry: LogEntry, sessions: readonly string[]): void {
    entries++
    bytes += entry.lines.length
    last = entry.seq
    onEntry(entry, sessions)
  }

  return {
    append,
    remove: ({ seq, lines }) => {
      entries--
      bytes -= lines.length
      removed.push(seq)
      removeLater()
    },
    emptied: async () => {
      if (removed.length > 0) committing ??= commitAll()
      await committing
    },
    read: (after, most) => onLogThread('read', fileOptions, after, most),
    refuse: ({ seq }, lines) => onLogThread('refuse', fileOptions, seq, lines),
    lastSeq: () => last,
    stats: () => ({ entries, bytes }),
    close: async () => {
      clearTimeout(timer)
      if (removed.length > 0) committing ??= commitAll()
      await committing
      if (isOpen) await onLogThread('close', fileOptions)
    },
  }
}
