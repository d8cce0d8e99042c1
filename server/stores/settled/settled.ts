// Days that are over, copied out of the folds into plain rows (`settled`), so that a question about a year
// has little left to fold. A copy stands for a day only as long as the day has what was copied: with every
// insert of it the engine adds a random number to the day (`day_changes`), and the sum is part of the mark
// that the copy was made of. Whatever comes late is read from the folds until its day is
// copied again. Nothing is ever changed in place, so it does not matter who copies, how often, or where it
// breaks off. Once a week is over its days are joined into one copy, since questions open each copy that they
// read.
import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { DAY_MS, dayFromText, mondayOf } from '../../kernel/days.ts'
import type { FactsEngine } from '../facts/engine.ts'
import type { FactsLayout } from '../facts.ts'
import { GoalSums } from './goal-sums.ts'
import { type Day, Ledger, type NotedDay, ROWS_AT_ONCE, together } from './ledger.ts'
import type { DatedRow } from '../facts/versions.ts'
import type { SummedGoal } from '../goal-sums.ts'

/** The copy that holds the sessions of a day. It never changes: the same number means the same rows. */
export interface SettledDay {
  readonly copy: number
  /** How many days are in the copy, also those that it does not stand for. */
  readonly days: number
  /**
   * When the first and the last session of the day began, in milliseconds; the last before the first when
   * there are none.
   */
  readonly firstMs: number
  readonly lastMs: number
}

/** By day, YYYY-MM-DD. */
export interface SettledDays extends ReadonlyMap<string, SettledDay> {
  /** No day before this one has sessions; left out where that is not known. */
  readonly emptyBefore?: string
}

class KnownDays extends Map<string, SettledDay> implements SettledDays {
  emptyBefore = ''
}

/** A day is over this long after its beginning: visits go on over midnight. */
const OVER_MS = DAY_MS + 3_600_000
/**
 * A copy that nobody needs any more is dropped after this long: a question may still be reading it, or
 * somebody be writing it.
 */
const DROP_AFTER_MS = 3_600_000
const MOST_COPIES = 2 ** 47

/** What is to be one copy: days out of the folds, and days that other copies hold. */
interface Plan {
  readonly due: readonly Day[]
  readonly held: readonly Day[]
}

/**
 * Of a week. The copies of its days are joined with the last of them, and again after each change.
 * @param isDue whether the day is over and quiet.
 */
function planOf(week: readonly Day[], isDue: (day: Day) => boolean): Plan | undefined {
  const { held = [], open = [] } = Object.groupBy(week, ({ mark, copied }) => (mark === copied ? 'held' : 'open'))
  const due = open.filter(isDue)
  const isWhole = due.length === open.length
  const isJoined = new Set(held.map(({ copy }) => copy)).size <= 1
  if (due.length === 0 && (!isWhole || isJoined)) return undefined
  return { due, held: isWhole ? held : [] }
}

const settledDay = ({ copy, days, first_ms, last_ms }: Omit<Day, 'day' | 'mark' | 'copied'>): SettledDay => ({
  copy: Number(copy),
  days,
  firstMs: Number(first_ms),
  lastMs: Number(last_ms),
})

export class Settled {
  readonly #ledger: Ledger
  readonly #goals: GoalSums
  readonly #isShared: boolean
  /** What this process knows of the days that hold, where it alone writes. */
  #known: Promise<KnownDays> | undefined
  /** Where others write too: the look that is about to begin. */
  #next: Promise<SettledDays> | undefined
  /** Rows of later days touch nothing that is known: nearly all rows. */
  #lastKnownDay = ''
  /** Days that are being copied, as long as nothing touches them. */
  readonly #untouched = new Set<string>()
  /** By day, as it was at the last call. */
  #lastMarks: ReadonlyMap<string, string> = new Map()
  /** Copies that no day needs, and since when. */
  readonly #unused = new Map<string, number>()
  #isClosed = false
  #last: Promise<unknown> = Promise.resolve()

  /** @param isShared others write to the store as well. */
  constructor(engine: FactsEngine, layout: FactsLayout, isShared: boolean) {
    this.#ledger = new Ledger(engine, layout)
    this.#goals = new GoalSums(engine, layout, this.#ledger)
    this.#isShared = isShared
  }

  /** The days whose copies hold what the folds hold; others may have one that is out of date. */
  days(): Promise<SettledDays> {
    if (this.#isShared) return this.#readTogether()
    if (this.#known) return this.#known
    this.#lastKnownDay = '9999'
    this.#known = this.#readKnown()
    this.#known.catch(() => (this.#known = undefined))
    return this.#known
  }

  /**
   * Copies the days that are over and have no copy that holds.
   * @param nowMs milliseconds.
   * @param isPatient leaves alone what has changed since the last call: it may go on changing.
   * @param goals to be added up, of all days.
   * @returns the days that were copied out of the folds.
   */
  settle(nowMs: number, isPatient: boolean, goals: readonly SummedGoal[] = []): Promise<string[]> {
    const run = this.#last.then(async () => {
      const settled = await this.#settleAll(nowMs, isPatient)
      await this.#goals.add(goals, () => this.#isClosed)
      return settled
    })
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

  /** Another process has copied days: what holds is read anew. */
  forget(): void {
    this.#known = undefined
  }

  /** To be called when anything may have changed. */
  touchAll(): void {
    this.#known = undefined
    this.#untouched.clear()
  }

  /** Resolves once nothing is being copied. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#last
  }

  /** The statements of one answer ask at one moment: a look that has not begun serves all who have come. */
  #readTogether(): Promise<SettledDays> {
    this.#next ??= setImmediate().then(() => {
      this.#next = undefined
      return this.#readDays().then((days) => new Map(days))
    })
    return this.#next
  }

  async #readDays(): Promise<[string, SettledDay][]> {
    const holding = (await this.#ledger.listDays()).filter(({ mark, copied }) => mark === copied)
    return holding.map((day) => [day.day, settledDay(day)])
  }

  async #readKnown(): Promise<KnownDays> {
    const [days, firstDay] = await Promise.all([this.#readDays(), this.#ledger.findFirstDay()])
    const found = new KnownDays(days)
    found.emptyBefore = firstDay
    this.#lastKnownDay = [firstDay, ...found.keys()].toSorted().at(-1)!
    return found
  }

  #touchDay(day: string): void {
    this.#untouched.delete(day)
    if (day > this.#lastKnownDay) return
    // Questions that begin from now on do not use the copy: their wait for it begins later.
    void this.#known?.then(
      (found) => {
        found.delete(day)
        if (day < found.emptyBefore) found.emptyBefore = day
      },
      () => undefined,
    )
  }

  async #copy(copy: number, { due, held }: Plan): Promise<void> {
    const runs = due.length > 0 ? together(await this.#ledger.countRows(due.map(({ day }) => day))) : []
    for (const { days } of runs) {
      if (this.#isClosed) return
      await this.#ledger.copyDays(copy, days)
    }
    if (held.length > 0 && !this.#isClosed) await this.#ledger.joinDays(copy, held)
    const isOnePart = held.length === 0 && runs.length <= 1 && runs.every(({ rows }) => rows <= ROWS_AT_ONCE)
    if (!this.#isClosed && !isOnePart) await this.#ledger.mergeCopy(copy)
  }

  /** @returns the days of the folds that have not changed meanwhile. */
  async #settleDays(plan: Plan): Promise<string[]> {
    const copy = randomInt(1, MOST_COPIES)
    const all = [...plan.due, ...plan.held]
    for (const { day } of all) this.#untouched.add(day)
    try {
      await this.#ledger.catchUp()
      await this.#copy(copy, plan)
      if (this.#isClosed) return []
      const noted = await this.#unchanged(copy, all)
      if (noted.length === 0) return []
      await this.#ledger.note(copy, all.length, noted)
      await this.#remember(noted.map((day) => [day.day, settledDay({ ...day, copy: `${copy}`, days: all.length })]))
      const days = new Set(noted.map(({ day }) => day))
      return plan.due.map(({ day }) => day).filter((day) => days.has(day))
    } finally {
      this.#untouched.clear()
    }
  }

  /** Of these days those that are still what was copied. */
  async #unchanged(copy: number, copied: readonly Day[]): Promise<NotedDay[]> {
    const bounds = new Map((await this.#ledger.readBounds(copy)).map((found) => [found.day, found]))
    const marks = new Map((await this.#ledger.listDays()).map(({ day, mark }) => [day, mark]))
    return copied
      .filter(({ day, mark }) => marks.get(day) === mark)
      .map(({ day, mark }) => ({ first_ms: '0', last_ms: '-1', ...bounds.get(day), day, mark }))
  }

  async #remember(settled: readonly (readonly [string, SettledDay])[]): Promise<void> {
    const found = await this.#known
    if (!found) return
    for (const [day, held] of settled) {
      if (!this.#untouched.has(day)) continue
      found.set(day, held)
      if (day > this.#lastKnownDay) this.#lastKnownDay = day
    }
  }

  async #settleAll(nowMs: number, isPatient: boolean): Promise<string[]> {
    const all = await this.#ledger.listDays()
    const isDue = ({ day, mark }: Day): boolean =>
      dayFromText(day) * DAY_MS + OVER_MS <= nowMs && (!isPatient || this.#lastMarks.get(day) === mark)
    const settled: string[] = []
    for (const week of Map.groupBy(all, ({ day }) => mondayOf(dayFromText(day))).values()) {
      if (this.#isClosed) return settled
      const plan = planOf(week, isDue)
      if (plan) settled.push(...(await this.#settleDays(plan)))
    }
    this.#lastMarks = new Map(all.map(({ day, mark }) => [day, mark]))
    await this.#knowAgain(all)
    await this.#dropUnused(nowMs)
    return settled
  }

  /**
   * A row may touch a day without changing what its copy holds: one that was stored before, or was refused by
   * the store. What holds is read anew then.
   */
  async #knowAgain(all: readonly Day[]): Promise<void> {
    const found = await this.#known
    if (found && all.some(({ day, mark, copied }) => mark === copied && !found.has(day))) this.#known = undefined
  }

  /** Not even what only one node still reads, which has not heard of the copy that replaced it. */
  async #listUsed(): Promise<Set<string>> {
    const days = new Set((await this.#ledger.listDays()).map(({ day }) => day))
    const named = await this.#ledger.listNamed()
    return new Set(named.filter(({ day }) => days.has(day)).map(({ copy }) => copy))
  }

  async #dropUnused(nowMs: number): Promise<void> {
    const used = await this.#listUsed()
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
