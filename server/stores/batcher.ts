// Groups the rows of one table into inserts and says of each append when its rows are stored, or never were.
// Under load one insert follows the other, so the busier it is, the larger the groups.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Problem } from '../kernel/problem.ts'
import { isBadRow, type FactsEngine } from './facts-engine.ts'
import { columnsOf } from './facts-rows.ts'
import type { FactTable } from './tables.ts'

/**
 * Between the beginnings of two inserts that visitors wait for, as a multiple of the last one's time: a store that answers quickly is asked
 * often, and one that does not gets larger groups.
 */
const LINGER_FACTOR = 3
const LEAST_LINGER_MS = 20
const MOST_LINGER_MS = 80
/** From a row that nobody waits for to its insert: the longer, the fewer inserts, and the more a question may have to wait for. */
const BEHIND_LINGER_MS = 250
/** So many waiting rows are worth an insert at once: it then runs beside the requests that bring the next ones, instead of after them. */
const ENOUGH_ROWS = 800
/** Rows of one insert: more gains little on the cost of a row, and takes the processor from those who wait for an answer. */
const INSERT_ROWS = 4_000
/** Whose rows nobody waits for are kept waiting from here on, so that inserts keep up with them. */
const CROWDED_ROWS = 12_000
/** What may wait. Above, the answer is 503: some seconds' worth of page views, in memory that a small machine has. */
const QUEUE_ROWS = 30_000
const QUEUE_BYTES = 64 * 1024 * 1024
/** How long a failing insert is tried again before its rows are given back. Longer than a restart of the server takes. */
const RETRY_MS = 10_000
const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 1000
const RETRY_AFTER_SECONDS = 5

interface Entry {
  readonly lines: readonly string[]
  readonly columns: string
  readonly bytes: number
  readonly stored: () => void
  readonly failed: (error: Error) => void
}

export interface BatcherStats {
  /** Now; the others since the start. */
  readonly waitingRows: number
  readonly inserts: number
  readonly insertedRows: number
  readonly failedInserts: number
}

export interface Batcher {
  /**
   * Resolves when the lines are stored.
   * @param columns of the lines, when they are not those of this version.
   */
  add(lines: readonly string[], columns?: string): Promise<void>
  /** Whether these lines would be refused because too many wait. */
  isFull(lines: readonly string[]): boolean
  /** Resolves once so few wait that more may come: at once, or after an insert or two. */
  calm(): Promise<void>
  /** Inserts what waits now without waiting for more. Resolves once each row of it is stored, or is known not to be. */
  flush(): Promise<void>
  stats(): BatcherStats
  /** Stores what waits; later rows are refused. */
  close(): Promise<void>
}

export interface BatcherLimits {
  /** Nobody waits for the rows: they are acknowledged already. */
  readonly isBehind: boolean
  /** Instead of the usual one, for tests. */
  readonly lingerMs?: number
  readonly queueRows: number
  readonly retryMs: number
}

export const usualLimits: BatcherLimits = { isBehind: false, queueRows: QUEUE_ROWS, retryMs: RETRY_MS }

/** @param limits smaller ones, for tests. */
export function openBatcher(
  engine: Pick<FactsEngine, 'insert'>,
  table: FactTable,
  log: Logger,
  limits: BatcherLimits = usualLimits,
): Batcher {
  let queue: Entry[] = []
  let waitingRows = 0
  /** Of the waiting ones, those that no insert has taken yet. */
  let queuedRows = 0
  let wake: () => void = () => undefined
  let waitingBytes = 0
  let inserts = 0
  let insertedRows = 0
  let failedInserts = 0
  let closed = false
  let working: Promise<void> | undefined
  /** The end of the next insert. */
  let ended = Promise.withResolvers<void>()
  /** Somebody waits for what is queued. */
  let isWanted = false
  /** When the last insert began, and how long it took. */
  let begunMs = Number.NEGATIVE_INFINITY
  let tookMs = 0
  /** Of the row that came last: all before it are stored when it is. */
  let lastAdded: Promise<void> = Promise.resolve()

  function add(lines: readonly string[], columns = columnsOf(table)): Promise<void> {
    if (lines.length === 0) return Promise.resolve()
    const bytes = bytesOf(lines)
    if (closed) return Promise.reject(unavailable('The server is stopping.'))
    if (isFull(lines)) return Promise.reject(unavailable('Too much is waiting to be stored.'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue.push({ lines, columns, bytes, stored: resolve, failed: reject })
    lastAdded = promise
    queuedRows += lines.length
    if (queuedRows >= ENOUGH_ROWS) wake()
    waitingRows += lines.length
    waitingBytes += bytes
    working ??= work()
    return promise
  }

  function isFull(lines: readonly string[]): boolean {
    if (waitingRows === 0) return false
    return waitingRows + lines.length > limits.queueRows || waitingBytes + bytesOf(lines) > QUEUE_BYTES
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      await waitForMore()
      const batch = take()
      begunMs = performance.now()
      await store(batch)
      tookMs = performance.now() - begunMs
      ended.resolve()
      ended = Promise.withResolvers()
    }
    working = undefined
  }

  async function calm(): Promise<void> {
    while (waitingRows > CROWDED_ROWS) await ended.promise
  }

  async function waitForMore(): Promise<void> {
    const adaptedMs = Math.min(Math.max(LINGER_FACTOR * tookMs, LEAST_LINGER_MS), MOST_LINGER_MS)
    const lingerMs = limits.lingerMs ?? (limits.isBehind ? BEHIND_LINGER_MS : adaptedMs)
    const leftMs = limits.isBehind ? lingerMs : begunMs + lingerMs - performance.now()
    if (leftMs > 0 && !closed && !isWanted && queuedRows < ENOUGH_ROWS) await linger(leftMs)
    // What the same turn of the event loop brings goes along.
    await new Promise(setImmediate)
  }

  /** Ends early when enough rows wait, or when nothing more will come. */
  function linger(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  function take(): Entry[] {
    let rows = 0
    let count = 0
    const { columns } = queue[0]!
    const fits = (entry: Entry) => entry.columns === columns && rows + entry.lines.length <= INSERT_ROWS
    while (count < queue.length && (count === 0 || fits(queue[count]!))) rows += queue[count++]!.lines.length
    isWanted &&= count < queue.length
    const batch = queue.slice(0, count)
    queuedRows -= rows
    queue = queue.slice(count)
    return batch
  }

  function done(entries: readonly Entry[], error?: Error): void {
    for (const entry of entries) {
      waitingRows -= entry.lines.length
      waitingBytes -= entry.bytes
      if (error) entry.failed(error)
      else entry.stored()
    }
  }

  /** Never throws: every entry gets its own answer. */
  async function store(entries: readonly Entry[]): Promise<void> {
    const lines = entries.flatMap((entry) => entry.lines)
    const error = await insertUntil(entries[0]!.columns, lines, performance.now() + limits.retryMs)
    if (!error) return done(entries)
    // One bad row must not fail its neighbours: halve until it stands alone.
    if (isBadRow(error) && entries.length > 1) {
      const half = entries.length >> 1
      await store(entries.slice(0, half))
      await store(entries.slice(half))
      return
    }
    log.error({ err: error, table, rows: lines.length }, 'rows were not inserted')
    const answer = isBadRow(error)
      ? new Error(`A row of ${table} is not one that can be stored.`, { cause: error })
      : unavailable('The facts store does not answer.', error)
    done(entries, answer)
  }

  /** The last error, when the time is over or trying again is in vain. */
  async function insertUntil(columns: string, lines: readonly string[], deadline: number): Promise<unknown> {
    const token = randomUUID()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
      try {
        await engine.insert(table, columns, lines, token)
        inserts++
        insertedRows += lines.length
        return undefined
      } catch (error) {
        failedInserts++
        if (isBadRow(error) || performance.now() + pauseMs > deadline) return error ?? new Error('insert failed')
        log.warn({ err: error, table, rows: lines.length }, 'insert failed, trying again')
        await sleep(pauseMs)
      }
    }
  }

  return {
    add,
    isFull,
    calm,
    flush: async () => {
      if (waitingRows === 0) return
      isWanted = queue.length > 0
      wake()
      await lastAdded.catch(() => undefined) // whoever added it is told
    },
    stats: () => ({ waitingRows, inserts, insertedRows, failedInserts }),
    close: async () => {
      closed = true
      wake()
      await working
    },
  }
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0)

function unavailable(message: string, cause?: unknown): Problem {
  return new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
