// Counts by day that are kept in memory and written together every few seconds: however often something is
// counted, it costs few statements, and nobody waits for one.
import { dayOf } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { isPaused } from '../kernel/paused.ts'

const FLUSH_MS = 5_000

interface Counted {
  /** Days since 1970. */
  readonly day: number
}

export interface DailyCountsParts<Row extends Counted> extends Pick<Deps, 'now' | 'log'> {
  /** What is counted, for the log. */
  readonly name: string
  /** Rows with the same key are one. */
  readonly keyOf: (row: Row) => string
  readonly sum: (one: Row, other: Row) => Row
  /** Adds a row to what is stored of its key. */
  readonly add: (row: Row) => Promise<void>
  /** Days that are stored. */
  readonly keptDays: number
  /** Deletes rows of earlier days. */
  readonly deleteBefore: (day: number) => Promise<void>
}

export class DailyCounts<Row extends Counted> {
  readonly #parts: DailyCountsParts<Row>
  #waiting = new Map<string, Row>()
  #timer: NodeJS.Timeout | undefined
  #lastDay = 0
  #last: Promise<void> = Promise.resolve()

  constructor(parts: DailyCountsParts<Row>) {
    this.#parts = parts
  }

  /** Rows that wait to be written. */
  get size(): number {
    return this.#waiting.size
  }

  note(row: Row): void {
    this.#wait(row)
    this.#flushSoon()
  }

  /**
   * Writes what waits: before it is shown. While writes are paused it goes on waiting, and
   * what is shown lacks it.
   * @throws when the records are away; the counts are kept for the next time.
   */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const run = this.#last.then(() => this.#write())
    this.#last = run.catch(() => undefined)
    try {
      await run
    } catch (error) {
      if (!isPaused(error)) throw error
      this.#flushSoon()
    }
  }

  /** @throws as `flush` does. */
  async close(): Promise<void> {
    await this.flush().finally(() => clearTimeout(this.#timer))
  }

  #wait(row: Row): void {
    const { keyOf, sum } = this.#parts
    const key = keyOf(row)
    const known = this.#waiting.get(key)
    this.#waiting.set(key, known ? sum(known, row) : row)
  }

  async #write(): Promise<void> {
    const { add, deleteBefore, keptDays, now } = this.#parts
    const rows = [...this.#waiting.values()]
    this.#waiting = new Map()
    const today = dayOf(now())
    if (rows.length > 0 && today !== this.#lastDay) {
      await deleteBefore(today - keptDays).catch(() => undefined)
      this.#lastDay = today
    }
    for (const [index, row] of rows.entries()) {
      try {
        await add(row)
      } catch (error) {
        for (const unwritten of rows.slice(index)) this.#wait(unwritten)
        throw error
      }
    }
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) => {
        this.#parts.log.warn({ err: error }, `writing down ${this.#parts.name} failed`)
        this.#flushSoon()
      })
    }, FLUSH_MS).unref()
  }
}
