// Groups the rows of one table into inserts and says of each append when its rows are stored, or never were.
// Under load one insert follows the other, so the busier it is, the larger the groups.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isBadRow, type FactsEngine, unavailable } from '../facts/engine.ts'
import { columnsOf } from '../facts/rows.ts'
import type { FactTable } from '../tables.ts'

/**
 * Between the beginnings of two inserts that visitors wait for, as a multiple of the last one's time: a store
 * that answers quickly is asked often, and one that does not gets larger groups.
 */
const LINGER_FACTOR = 3
const LEAST_LINGER_MS = 20
const MOST_LINGER_MS = 80
/**
 * Each of several nodes waits as many times as long, since what an insert costs is the same for few rows as
 * for many: together they then make no more of them than one. Above, answers would take too long.
 */
const MOST_TIMES = 5
/**
 * From a row that nobody waits for to its insert: the longer, the fewer inserts, and the more a question may
 * have to wait for.
 */
const BEHIND_LINGER_MS = 500
/**
 * So many rows that visitors wait for are worth an insert at once: it then runs beside the requests that
 * bring the next ones, instead of after them.
 */
const ENOUGH_ROWS = 800
/**
 * Rows of one insert: more gains little on the cost of a row, and takes the processor from those who wait for
 * an answer. So many that nobody waits for are inserted at once: fewer would be merged more often.
 */
const INSERT_ROWS = 4_000
/** Whose rows nobody waits for are kept waiting from here on, so that inserts keep up with them. */
const CROWDED_ROWS = 12_000
/**
 * What may wait. Above, the answer is 503: some seconds' worth of page views, in memory that a small machine
 * has.
 */
const QUEUE_ROWS = 30_000
const QUEUE_BYTES = 64 * 1024 * 1024
/**
 * How long a failing insert is tried again before its rows are given back. Longer than a restart of the
 * server takes.
 */
const RETRY_MS = 10_000
const FIRST_PAUSE_MS = 50
const LAST_PAUSE_MS = 1000

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

export interface BatcherLimits {
  /** Nobody waits for the rows: they are acknowledged already. */
  readonly isBehind: boolean
  /** How many processes write to the table. */
  readonly nodes?: () => number
  /** Instead of the usual one, for tests. */
  readonly lingerMs?: number
  readonly queueRows: number
  readonly retryMs: number
}

export const usualLimits: BatcherLimits = { isBehind: false, queueRows: QUEUE_ROWS, retryMs: RETRY_MS }

export interface BatcherParts {
  readonly engine: Pick<FactsEngine, 'insert'>
  readonly table: FactTable
  readonly log: Logger
  /** Smaller ones, for tests. */
  readonly limits?: BatcherLimits
}

export class Batcher {
  readonly #parts: BatcherParts
  readonly #limits: BatcherLimits
  #queue: Entry[] = []
  /** Rows whose insert has not ended, and of these those that no insert has taken yet. */
  #waitingRows = 0
  #queuedRows = 0
  #waitingBytes = 0
  #inserts = 0
  #insertedRows = 0
  #failedInserts = 0
  #isClosed = false
  #working: Promise<void> | undefined
  /** Ends the wait for more rows. */
  #wake: () => void = () => undefined
  /** The end of the next insert. */
  #ended = Promise.withResolvers<void>()
  /** Somebody waits for what is queued. */
  #isWanted = false
  /** When the last insert began, and how long it took. */
  #begunMs = Number.NEGATIVE_INFINITY
  #tookMs = 0
  /** Of the row that came last: all before it are stored when it is. */
  #lastAdded: Promise<void> = Promise.resolve()

  constructor(parts: BatcherParts) {
    this.#parts = parts
    this.#limits = parts.limits ?? usualLimits
  }

  /**
   * Resolves when the lines are stored.
   * @param columns of the lines, when they are not those of this version.
   */
  add(lines: readonly string[], columns = columnsOf(this.#parts.table)): Promise<void> {
    if (lines.length === 0) return Promise.resolve()
    if (this.#isClosed) return Promise.reject(unavailable('The server is stopping.'))
    if (this.isFull(lines)) return Promise.reject(unavailable('Too much is waiting to be stored.'))
    const bytes = bytesOf(lines)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#queue.push({ lines, columns, bytes, stored: resolve, failed: reject })
    this.#lastAdded = promise
    this.#queuedRows += lines.length
    if (this.#hasEnough()) this.#wake()
    this.#waitingRows += lines.length
    this.#waitingBytes += bytes
    this.#working ??= this.#work()
    return promise
  }

  /** Whether these lines would be refused because too many wait. */
  isFull(lines: readonly string[]): boolean {
    if (this.#waitingRows === 0) return false
    const isTooMany = this.#waitingRows + lines.length > this.#limits.queueRows
    return isTooMany || this.#waitingBytes + bytesOf(lines) > QUEUE_BYTES
  }

  /** Resolves once so few wait that more may come: at once, or after an insert or two. */
  async calm(): Promise<void> {
    while (this.#waitingRows > CROWDED_ROWS) await this.#ended.promise
  }

  /**
   * Inserts what waits now without waiting for more. Resolves once each row of it is stored, or is known not
   * to be.
   */
  async flush(): Promise<void> {
    if (this.#waitingRows === 0) return
    this.#isWanted = this.#queue.length > 0
    this.#wake()
    await this.#lastAdded.catch(() => undefined) // the caller that added it hears of it
  }

  stats(): BatcherStats {
    return {
      waitingRows: this.#waitingRows,
      inserts: this.#inserts,
      insertedRows: this.#insertedRows,
      failedInserts: this.#failedInserts,
    }
  }

  /** Stores what waits; later rows are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#wake()
    await this.#working
  }

  async #work(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#waitForMore()
      const batch = this.#take()
      this.#begunMs = performance.now()
      await this.#store(batch)
      this.#tookMs = performance.now() - this.#begunMs
      this.#ended.resolve()
      this.#ended = Promise.withResolvers()
    }
    this.#working = undefined
  }

  async #waitForMore(): Promise<void> {
    const leftMs = this.#lingerMs()
    if (leftMs > 0 && !this.#isClosed && !this.#isWanted && !this.#hasEnough()) await this.#linger(leftMs)
    // What the same turn of the event loop brings goes along.
    await new Promise(setImmediate)
  }

  #hasEnough(): boolean {
    return this.#queuedRows >= (this.#limits.isBehind ? INSERT_ROWS : ENOUGH_ROWS)
  }

  #lingerMs(): number {
    const { isBehind, lingerMs, nodes } = this.#limits
    const times = Math.min(nodes?.() ?? 1, MOST_TIMES)
    if (isBehind) return lingerMs ?? times * BEHIND_LINGER_MS
    const adaptedMs = times * Math.min(Math.max(LINGER_FACTOR * this.#tookMs, LEAST_LINGER_MS), MOST_LINGER_MS)
    return this.#begunMs + (lingerMs ?? adaptedMs) - performance.now()
  }

  /** Ends early when enough rows wait, or when nothing more will come. */
  #linger(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** The entries of the next insert: of one list of columns, and no more rows than an insert may have. */
  #take(): Entry[] {
    let rows = 0
    let count = 0
    const { columns } = this.#queue[0]!
    const fits = (entry: Entry) => entry.columns === columns && rows + entry.lines.length <= INSERT_ROWS
    while (count < this.#queue.length && (count === 0 || fits(this.#queue[count]!)))
      rows += this.#queue[count++]!.lines.length
    this.#isWanted &&= count < this.#queue.length
    const batch = this.#queue.slice(0, count)
    this.#queuedRows -= rows
    this.#queue = this.#queue.slice(count)
    return batch
  }

  #done(entries: readonly Entry[], error?: Error): void {
    for (const entry of entries) {
      this.#waitingRows -= entry.lines.length
      this.#waitingBytes -= entry.bytes
      if (error) entry.failed(error)
      else entry.stored()
    }
  }

  /** Never throws: every entry gets its own answer. */
  async #store(entries: readonly Entry[]): Promise<void> {
    const { table, log } = this.#parts
    const lines = entries.flatMap((entry) => entry.lines)
    const error = await this.#insertUntil(entries[0]!.columns, lines, performance.now() + this.#limits.retryMs)
    if (!error) return this.#done(entries)
    // One bad row must not fail its neighbours: halve until it stands alone.
    if (isBadRow(error) && entries.length > 1) {
      const half = entries.length >> 1
      await this.#store(entries.slice(0, half))
      await this.#store(entries.slice(half))
      return
    }
    log.error({ err: error, table, rows: lines.length }, 'rows were not inserted')
    const answer = isBadRow(error)
      ? new Error(`A row of ${table} is not one that can be stored.`, { cause: error })
      : unavailable('The facts store is not responding.', error)
    this.#done(entries, answer)
  }

  /** The last error, when the time is over or trying again is in vain. */
  async #insertUntil(columns: string, lines: readonly string[], deadline: number): Promise<unknown> {
    const { engine, table, log } = this.#parts
    const token = randomUUID()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS)) {
      try {
        await engine.insert(table, columns, lines, token)
        this.#inserts++
        this.#insertedRows += lines.length
        return undefined
      } catch (error) {
        this.#failedInserts++
        if (isBadRow(error) || performance.now() + pauseMs > deadline) return error ?? new Error('insert failed')
        log.warn({ err: error, table, rows: lines.length }, 'insert failed, trying again')
        await sleep(pauseMs)
      }
    }
  }
}

const bytesOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0)
