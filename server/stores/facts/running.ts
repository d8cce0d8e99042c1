// Sessions of a day that is not settled yet, as plain rows in the memory of an embedded store: folded once,
// and from then on only those to which something was added (docs/decisions/0080-running-day.md).
// They only save work. Where they are too many, or cannot be kept, the folds are read as they are.
import { Day, type RunningTable } from './running-day.ts'
import { readRounds, RunningRows } from './running-rows.ts'
import type { FactsEngine } from './engine.ts'
import type { DatedRow } from './versions.ts'
import { byName } from '../../kernel/by-name.ts'
import { quietKinds, type QuietVersions, type RunningDay } from '../running-columns.ts'

export interface RunningLimits {
  /** Of the tables of all days; those that are about to be dropped may have as much again. */
  readonly mostBytes: number
}

/** A row that may have been stored; where others tell of several at once, of which sessions they are. */
export interface TouchingRow extends DatedRow {
  readonly sessions?: readonly string[] | 'any' | undefined
}

interface Parts {
  readonly engine: FactsEngine
  /** Resolves once what was acknowledged by this process or another one is in the sessions. */
  readonly flush: () => Promise<void>
  readonly hasMarks: (propertyId: string) => Promise<boolean>
  readonly limits: RunningLimits
  /** Of the process among those that write to the store. */
  readonly slot: number
}

/**
 * Statements name all sessions that were folded again. With more, the rows move to a table without rounds.
 */
const MOST_CHANGED = 1_000
/**
 * Rows that are written after the first ones: those of a session pile up, and each round is a small block.
 */
const MOST_ADDED = 4_000
const MOST_ROUNDS = 400
/** What is assumed before a table is there: a session takes about 140, and more with long texts. */
const ROW_BYTES = 200
/** To fold more takes many seconds, however much memory there is. */
const MOST_ROWS = 1_000_000
/** A day that was not asked about for so long is let go. */
const UNUSED_MS = 600_000
/** Questions that were put together before may still be waiting for their turn. */
const DROP_AFTER_MS = 60_000
/** How soon it is tried again with a day that has no sessions or too many, or that failed. */
const AGAIN_MS = 30_000
/** A store that was started again has lost its memory, and to start takes it longer. */
const THERE_MS = 1_000

const keyOf = (propertyId: string, day: string): string => `${propertyId} ${day}`

export class RunningDays {
  readonly #parts: Parts
  readonly #rows: RunningRows
  readonly #days = new Map<string, Day>()
  /** The bytes of all tables that are there, also of those that are about to be dropped. */
  readonly #sizes = new Map<string, number>()
  /** Tables that no statement reads that is put together from now on. */
  readonly #drops = new Map<string, NodeJS.Timeout>()
  #sweep: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#rows = new RunningRows(parts.engine, parts.slot)
  }

  /** To be called when rows may have been stored, before anybody is told so. */
  touch(rows: readonly TouchingRow[]): void {
    if (this.#days.size === 0) return
    for (const { property = '', day = '', session_day, session, sessions } of rows)
      if (session !== undefined && session !== '0')
        this.#days.get(keyOf(property, session_day ?? day))?.touch(sessions ?? [session])
  }

  /** To be called when anything may have changed. What was erased is not kept here either. */
  touchAll(): void {
    for (const day of this.#days.values()) this.#forget(day)
  }

  /**
   * The day with all that was acknowledged before the call. Undefined where the folds are to be read.
   * @param day YYYY-MM-DD
   */
  async of(propertyId: string, day: string): Promise<RunningDay | undefined> {
    const asked = this.#dayOf(propertyId, day)
    asked.usedMs = performance.now()
    if (asked.needsFold && asked.usedMs < asked.againMs) return undefined
    if (asked.needsFold || asked.touched.size > 0) asked.table = this.#next(asked, asked.table)
    else asked.table = asked.table.then((table) => table && this.#seen(asked, table))
    const table = await asked.table
    return table && { day, table: table.name, quiet: table.quiet, ...readRounds(table.rounds) }
  }

  /** Resolves once nothing of this process is left. */
  async close(): Promise<void> {
    clearInterval(this.#sweep)
    const tables = await Promise.all([...this.#days.values()].map(({ table }) => table))
    this.#days.clear()
    for (const timer of this.#drops.values()) clearTimeout(timer)
    const names = [...this.#drops.keys(), ...tables.flatMap((table) => table?.name ?? [])]
    await Promise.all(names.map((name) => this.#rows.drop(name)))
  }

  #dayOf(propertyId: string, day: string): Day {
    const key = keyOf(propertyId, day)
    const found = this.#days.get(key) ?? new Day(propertyId, day)
    this.#days.set(key, found)
    this.#sweep ??= setInterval(() => this.#forgetUnused(), UNUSED_MS / 10).unref()
    return found
  }

  async #next(day: Day, before: Promise<RunningTable | undefined>): Promise<RunningTable | undefined> {
    const touched = day.takeTouched()
    const table = await before
    try {
      await this.#parts.flush()
      const next = table && touched ? await this.#foldAgain(day, table, touched) : await this.#foldAll(day)
      if (table && table.name !== next?.name) this.#dropLater(table.name)
      return next
    } catch {
      // Whether the store does not answer or it was too much: whoever asks the folds is told.
      day.refuse(AGAIN_MS)
      if (table) this.#dropLater(table.name)
      return undefined
    }
  }

  /** Undefined when it is not worth it. */
  async #foldAll(day: Day): Promise<RunningTable | undefined> {
    const { mostBytes } = this.#parts.limits
    const rows = await this.#rows.count(day)
    const bytes = rows * ROW_BYTES
    if (rows > 0 && rows <= MOST_ROWS && bytes <= mostBytes)
      return this.#make(day, bytes, (name) => this.#fold(day, name, 0))
    day.refuse(AGAIN_MS)
    return undefined
  }

  async #foldAgain(day: Day, table: RunningTable, touched: ReadonlySet<string>): Promise<RunningTable> {
    const round = table.round + 1
    const added = table.added + touched.size
    const rounds = new Map([...table.rounds, ...[...touched].map((session) => [session, round] as const)])
    if (rounds.size <= MOST_CHANGED && added <= MOST_ADDED && round <= MOST_ROUNDS) {
      await this.#fold(day, table.name, round, touched)
      const quiet = this.#quietAfter(table, round, touched)
      return { name: table.name, rounds, quiet, round, added, seenMs: performance.now() }
    }
    return this.#make(day, day.bytes, async (name) => {
      await this.#rows.copy(day, name, { ...table, without: touched })
      await this.#fold(day, name, 0, touched)
    })
  }

  /** Statements that do not ask for it need not wait. What cannot be told may have changed. */
  async #quietAfter(table: RunningTable, round: number, touched: ReadonlySet<string>): Promise<QuietVersions> {
    const kinds = await this.#rows.kindsOf(table.name, touched).catch(() => quietKinds)
    const before = await table.quiet
    return byName(quietKinds, (kind) => (kinds.includes(kind) ? `${table.name}.${round}` : before[kind]))
  }

  async #fold(day: Day, name: string, round: number, sessions?: ReadonlySet<string>): Promise<void> {
    const hasMarks = await this.#parts.hasMarks(day.propertyId)
    await this.#rows.fold(day, name, { round, hasMarks, ...(sessions && { sessions }) })
  }

  /**
   * A table that could not be filled as a whole is not read.
   * @param expected bytes.
   */
  async #make(day: Day, expected: number, fill: (name: string) => Promise<void>): Promise<RunningTable> {
    const all = sum(this.#sizes.values()) + expected
    if (all > 2 * this.#parts.limits.mostBytes) throw new Error('the tables that are about to be dropped are too much')
    const name = await this.#rows.create()
    try {
      await fill(name)
      const bytes = await this.#rows.bytesOf(name)
      if (!this.#makeRoom(day, bytes)) throw new Error('this day alone is too much')
      this.#sizes.set(name, bytes)
      day.bytes = bytes
      return {
        name,
        rounds: new Map(),
        quiet: Promise.resolve(byName(quietKinds, () => name)),
        round: 0,
        added: 0,
        seenMs: performance.now(),
      }
    } catch (error) {
      void this.#rows.drop(name)
      throw error
    }
  }

  /** A table that was lost is made anew by the next question. */
  async #seen(day: Day, table: RunningTable): Promise<RunningTable | undefined> {
    if (performance.now() - table.seenMs < THERE_MS) return table
    if (await this.#rows.isThere(table.name)) return { ...table, seenMs: performance.now() }
    this.#sizes.delete(table.name)
    day.lose()
    return undefined
  }

  /** @returns false when it is more than may be kept, also without any other day. */
  #makeRoom(asked: Day, bytes: number): boolean {
    const { mostBytes } = this.#parts.limits
    const others = [...this.#days.values()].filter((day) => day !== asked).toSorted((a, b) => a.usedMs - b.usedMs)
    let all = bytes + sum(others.map((day) => day.bytes))
    for (const day of others) {
      if (all <= mostBytes) break
      all -= day.bytes
      this.#forget(day)
    }
    return all <= mostBytes
  }

  #forgetUnused(): void {
    const nowMs = performance.now()
    for (const day of this.#days.values()) if (nowMs - day.usedMs >= UNUSED_MS) this.#forget(day)
  }

  /** Questions that wait for its table still get it. */
  #forget(day: Day): void {
    this.#days.delete(keyOf(day.propertyId, day.day))
    void day.table.then((table) => table && this.#dropLater(table.name))
  }

  #dropLater(name: string): void {
    const drop = () => {
      this.#drops.delete(name)
      void this.#rows.drop(name).then(() => this.#sizes.delete(name))
    }
    clearTimeout(this.#drops.get(name))
    this.#drops.set(name, setTimeout(drop, DROP_AFTER_MS).unref())
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, one) => total + one, 0)
