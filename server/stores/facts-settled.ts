// Weeks that are over, copied out of the folds into plain rows (`settled`), so that a question about a year
// has little left to fold. A copy stands for its week only as long as the week's sessions are those that were
// copied: every insert into them makes a part with a new block number, which merging keeps, and these numbers
// are the mark that the copy was made of. Whatever comes late is read from the folds until the week is copied
// again. Nothing is ever changed in place, so it does not matter who copies, how often, or where it breaks
// off. A restore numbers the parts anew: on a server the table is another one then, which the mark tells;
// embedded it begins without copies (backup.ts).
import { randomInt } from 'node:crypto'
import { DAY_MS, dayFromText, dayText, mondayOf } from '../kernel/days.ts'
import type { FactsEngine } from './facts-engine.ts'
import type { FactsLayout } from './facts.ts'
import { type Days, Ledger, sundayOf, type Week } from './facts-settled-ledger.ts'
import type { DatedRow } from './facts-versions.ts'

/** The sessions of a week, copied. */
export interface SettledWeek {
  readonly copy: number
  /**
   * When the first and the last of them began, in milliseconds; the last before the first when there are
   * none.
   */
  readonly firstMs: number
  readonly lastMs: number
}

/** By Monday, YYYY-MM-DD. */
export type SettledWeeks = ReadonlyMap<string, SettledWeek>

/** A week is over this long after its Sunday: visits go on over midnight. */
const OVER_MS = 8 * DAY_MS
/**
 * A copy that nobody needs any more is dropped after this long: a question may still be reading it, or
 * somebody be writing it.
 */
const DROP_AFTER_MS = 3_600_000
const MOST_COPIES = 2 ** 47

/**
 * Rows that one statement folds, or those of one day if they are more: no statement takes long, and a quiet
 * week takes one.
 */
const ROWS_AT_ONCE = 50_000

/** Neighbours in one as long as they have few rows. @param days each by itself, in their order. */
export function together(days: readonly Days[]): Days[] {
  const some: Days[] = []
  for (const day of days) {
    const before = some.at(-1)
    const rows = day.rows + (before?.rows ?? 0)
    if (before && rows <= ROWS_AT_ONCE) some[some.length - 1] = { first: before.first, last: day.last, rows }
    else some.push(day)
  }
  return some
}

export class Settled {
  readonly #ledger: Ledger
  readonly #isShared: boolean
  /** What this process knows of the weeks that hold, where it alone writes. */
  #known: Promise<Map<string, SettledWeek>> | undefined
  /** Rows of later days touch nothing that is known: nearly all rows. */
  #lastKnownDay = ''
  /** Of each week, how often it was touched while it was being copied. */
  readonly #touched = new Map<string, number>()
  /** By week, as it was at the last call. */
  #lastMarks: ReadonlyMap<string, string> = new Map()
  /** Copies that no week needs, and since when. */
  readonly #unused = new Map<string, number>()
  #isClosed = false
  #last: Promise<unknown> = Promise.resolve()

  /** @param isShared others write to the store as well. */
  constructor(engine: FactsEngine, layout: FactsLayout, isShared: boolean) {
    this.#ledger = new Ledger(engine, layout)
    this.#isShared = isShared
  }

  /** The weeks whose copies hold what the folds hold; others may have one that is out of date. */
  weeks(): Promise<SettledWeeks> {
    if (this.#isShared) return this.#readWeeks()
    if (this.#known) return this.#known
    this.#lastKnownDay = '9999'
    this.#known = this.#readWeeks().then((found) => {
      const last = [...found.keys()].toSorted().at(-1)
      this.#lastKnownDay = last === undefined ? '' : sundayOf(last)
      return found
    })
    this.#known.catch(() => (this.#known = undefined))
    return this.#known
  }

  /**
   * Copies the weeks that are over and have no copy that holds.
   * @param nowMs milliseconds.
   * @param isPatient leaves alone what has changed since the last call: it may go on changing.
   * @returns the Mondays of the weeks that were copied.
   */
  settle(nowMs: number, isPatient: boolean): Promise<string[]> {
    const run = this.#last.then(() => this.#settleAll(nowMs, isPatient))
    this.#last = run.catch(() => undefined)
    return run
  }

  /** To be called when rows may have been stored, before the caller of the append is answered. */
  touch(rows: readonly DatedRow[]): void {
    for (const { day, session_day } of rows) {
      if (day !== undefined) this.#touchDay(day)
      if (session_day !== undefined && session_day !== day) this.#touchDay(session_day)
    }
  }

  /** To be called when anything may have changed. */
  touchAll(): void {
    this.#known = undefined
    for (const week of this.#touched.keys()) this.#touched.set(week, this.#touched.get(week)! + 1)
  }

  /** Resolves once nothing is being copied. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
  }

  async #readWeeks(): Promise<Map<string, SettledWeek>> {
    const holding = (await this.#ledger.listWeeks()).filter(({ mark, copied }) => mark === copied)
    return new Map(
      holding.map(({ week, copy, first_ms, last_ms }) => [
        week,
        { copy: Number(copy), firstMs: Number(first_ms), lastMs: Number(last_ms) },
      ]),
    )
  }

  #touchDay(day: string): void {
    if (this.#touched.size === 0 && day > this.#lastKnownDay) return
    const week = dayText(mondayOf(dayFromText(day)))
    if (this.#touched.has(week)) this.#touched.set(week, this.#touched.get(week)! + 1)
    // Questions that begin from now on do not use the copy: their wait for it begins later.
    void this.#known?.then(
      (found) => found.delete(week),
      () => undefined,
    )
  }

  async #copyWeek(week: string, copy: number): Promise<void> {
    const runs = together(await this.#ledger.listDays(week))
    for (const days of runs) {
      if (this.#isClosed) return
      await this.#ledger.copyDays(copy, days)
    }
    const isOnePart = runs.length <= 1 && runs.every(({ rows }) => rows <= ROWS_AT_ONCE)
    if (!this.#isClosed && !isOnePart) await this.#ledger.mergeCopy(copy)
  }

  /** @returns false when the week has changed meanwhile. */
  async #settleWeek({ week, mark }: Week): Promise<boolean> {
    const copy = randomInt(1, MOST_COPIES)
    this.#touched.set(week, 0)
    try {
      await this.#copyWeek(week, copy)
      if (this.#isClosed) return false
      const bounds = await this.#ledger.readBounds(copy)
      const now = (await this.#ledger.listWeeks()).find((found) => found.week === week)
      if (now?.mark !== mark) return false
      await this.#ledger.note({ week, mark, ...bounds }, copy)
      await this.#remember(week, { copy, firstMs: Number(bounds.first_ms), lastMs: Number(bounds.last_ms) })
      return true
    } finally {
      this.#touched.delete(week)
    }
  }

  async #remember(week: string, settled: SettledWeek): Promise<void> {
    const found = await this.#known
    if (!found || this.#touched.get(week) !== 0) return
    found.set(week, settled)
    if (sundayOf(week) > this.#lastKnownDay) this.#lastKnownDay = sundayOf(week)
  }

  async #settleAll(nowMs: number, isPatient: boolean): Promise<string[]> {
    const all = await this.#ledger.listWeeks()
    const settled: string[] = []
    for (const week of all) {
      if (this.#isClosed) return settled
      const isOver = dayFromText(week.week) * DAY_MS + OVER_MS <= nowMs
      const isQuiet = !isPatient || this.#lastMarks.get(week.week) === week.mark
      if (isOver && isQuiet && week.mark !== week.copied && (await this.#settleWeek(week))) settled.push(week.week)
    }
    this.#lastMarks = new Map(all.map(({ week, mark }) => [week, mark]))
    await this.#dropUnused(nowMs)
    return settled
  }

  async #dropUnused(nowMs: number): Promise<void> {
    const used = new Set((await this.#ledger.listWeeks()).map(({ copy }) => copy))
    const copies = await this.#ledger.listCopies()
    for (const copy of this.#unused.keys()) if (used.has(copy)) this.#unused.delete(copy)
    for (const copy of copies) {
      if (used.has(copy)) continue
      const since = this.#unused.get(copy) ?? nowMs
      this.#unused.set(copy, since)
      if (nowMs - since < DROP_AFTER_MS) continue
      await this.#ledger.dropCopy(copy)
      this.#unused.delete(copy)
    }
  }
}
