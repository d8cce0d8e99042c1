// Groups the rows appended to one table into inserts and answers each append when its rows are stored, or never were.
// Writes at once when idle; under load one insert follows the other, so the busier it is, the larger the groups.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Problem } from '../kernel/problem.ts'
import { isBadRow, type FactsEngine } from './facts-engine.ts'
import type { FactTable } from './tables.ts'

/** Between the beginnings of two inserts: shorter wastes the fixed cost of an insert on few rows, longer is waiting that visitors feel. */
const LINGER_MS = 80
/** So many waiting rows are worth an insert at once: it then runs beside the requests that bring the next ones, instead of after them. */
const ENOUGH_ROWS = 800
/** Rows of one insert: more gains nothing on the cost of a row and makes the rows behind wait. */
const INSERT_ROWS = 10_000
/** What may wait. Above, the answer is 503: about a second's worth of page views, in memory that a small machine has. */
const QUEUE_ROWS = 30_000
const QUEUE_BYTES = 64 * 1024 * 1024
/** How long a failing insert is tried again before its rows are given back. Longer than a restart of the server takes. */
const RETRY_MS = 10_000
const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 1000
const RETRY_AFTER_SECONDS = 5

interface Entry {
  readonly lines: readonly string[]
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
  /** Resolves when the lines are stored. */
  add(lines: readonly string[]): Promise<void>
  stats(): BatcherStats
  /** Stores what waits; later rows are refused. */
  close(): Promise<void>
}

export interface BatcherLimits {
  readonly lingerMs: number
  readonly queueRows: number
  readonly retryMs: number
}

export const usualLimits: BatcherLimits = { lingerMs: LINGER_MS, queueRows: QUEUE_ROWS, retryMs: RETRY_MS }

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

  function add(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return Promise.resolve()
    const bytes = lines.reduce((sum, line) => sum + line.length, 0)
    if (closed) return Promise.reject(unavailable('The server is stopping.'))
    if (waitingRows > 0 && (waitingRows + lines.length > limits.queueRows || waitingBytes + bytes > QUEUE_BYTES)) {
      return Promise.reject(unavailable('Too much is waiting to be stored.'))
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue.push({ lines, bytes, stored: resolve, failed: reject })
    queuedRows += lines.length
    if (queuedRows >= ENOUGH_ROWS) wake()
    waitingRows += lines.length
    waitingBytes += bytes
    working ??= work()
    return promise
  }

  async function work(): Promise<void> {
    while (queue.length > 0) {
      // What the same turn of the event loop brings goes along.
      await new Promise(setImmediate)
      const batch = take()
      const began = performance.now()
      await store(batch)
      const left = limits.lingerMs - (performance.now() - began)
      if (left > 0 && !closed && queuedRows < ENOUGH_ROWS) await linger(left)
    }
    working = undefined
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
    while (count < queue.length && (count === 0 || rows + queue[count]!.lines.length <= INSERT_ROWS))
      rows += queue[count++]!.lines.length
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
    const error = await insertUntil(lines, performance.now() + limits.retryMs)
    if (!error) return done(entries)
    // One bad row must not fail its neighbours: halve until it stands alone.
    if (isBadRow(error) && entries.length > 1) {
      const half = entries.length >> 1
      await store(entries.slice(0, half))
      await store(entries.slice(half))
      return
    }
    log.error({ err: error, table, rows: lines.length }, 'rows were not stored')
    const answer = isBadRow(error)
      ? new Error(`A row of ${table} is not one that can be stored.`, { cause: error })
      : unavailable('The facts store does not answer.', error)
    done(entries, answer)
  }

  /** The last error, when the time is over or trying again is in vain. */
  async function insertUntil(lines: readonly string[], deadline: number): Promise<unknown> {
    const token = randomUUID()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
      try {
        await engine.insert(table, lines, token)
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
    stats: () => ({ waitingRows, inserts, insertedRows, failedInserts }),
    close: async () => {
      closed = true
      wake()
      await working
    },
  }
}

function unavailable(message: string, cause?: unknown): Problem {
  return new Problem('unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause })
}
