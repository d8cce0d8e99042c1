// Which part of a window is read from where: every session of it once, whatever of its days is settled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY_MS, dayText, mondayOf } from '../kernel/days.ts'
import type { SettledDay } from '../stores/settled/settled.ts'
import { boundsOf, everySession, sessionRows } from './rows.ts'

const FIRST_DAY = 20_000
const DAYS = 60

interface Session {
  readonly day: number
  readonly entryMs: number
}

/** Nearly all begin on their own day; who first did something else and saw a page after midnight, later. */
const session = fc
  .record({ day: fc.nat(DAYS), ms: fc.nat(DAY_MS - 1), later: fc.constantFrom(0, 0, 0, 0, 1) })
  .map(({ day, ms, later }): Session => ({ day: FIRST_DAY + day, entryMs: (FIRST_DAY + day + later) * DAY_MS + ms }))

const edge = fc.oneof(
  fc.nat(DAYS + 4).map((day) => (FIRST_DAY - 2 + day) * DAY_MS),
  fc.nat((DAYS + 4) * DAY_MS).map((ms) => (FIRST_DAY - 2) * DAY_MS + ms),
)

const anySpan = fc
  .tuple(edge, edge)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ fromMs: Math.min(one, other), toMs: Math.max(one, other) }))

/** Whole weeks, but for some hours at either end. */
const weeks = fc
  .tuple(fc.nat(7), fc.integer({ min: 1, max: 3 }), fc.nat(DAY_MS), fc.nat(DAY_MS))
  .map(([first, count, late, early]) => {
    const fromMs = (mondayOf(FIRST_DAY) + first * 7) * DAY_MS
    return { fromMs: fromMs + late, toMs: fromMs + count * 7 * DAY_MS - early }
  })

const span = fc.oneof(anySpan, weeks)

const layout = { cluster: null, database: null, fsync: false }

/** Which copy of its week stands for a day: one of its own, one of two that several share, or none. */
const anyHolder = fc.constantFrom('own', 'first', 'first', 'first', 'second', undefined)

/**
 * Copies by week and holder; the shared ones were made of every day of the week, and stand for some of them.
 */
function copiesOf(sessions: readonly Session[], holders: readonly (string | undefined)[]) {
  const byDay = Map.groupBy(sessions, ({ day }) => day)
  const rows = new Map<number, readonly Session[]>()
  const numbers = new Map<string, number>()
  const settled = new Map<string, SettledDay>()
  for (const [index, holder] of holders.entries()) {
    if (holder === undefined) continue
    const day = FIRST_DAY + index
    const own = byDay.get(day) ?? []
    const key = holder === 'own' ? `${day}` : `${mondayOf(day)} ${holder}`
    const copy = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, copy)
    const ofWeek = sessions.filter((each) => mondayOf(each.day) === mondayOf(day))
    // What a copy has of days that it does not stand for is out of date.
    rows.set(copy, holder === 'own' ? own : ofWeek)
    const entries = own.map(({ entryMs }) => entryMs)
    const [firstMs, lastMs] = own.length > 0 ? [Math.min(...entries), Math.max(...entries)] : [0, -1]
    settled.set(dayText(day), { copy, days: holder === 'own' ? 1 : 7, firstMs, lastMs })
  }
  return { rows, settled }
}

interface Params {
  readonly inner: readonly number[]
  readonly outer: readonly number[]
  readonly outer_days: readonly string[]
  readonly outer_copies: readonly number[]
  readonly weeks: readonly string[]
  readonly days: readonly string[]
}

test('every session of a window is read once, from its copy or from the folds, and no other', () => {
  fc.assert(
    fc.property(
      fc.array(session, { maxLength: 120, size: 'max' }),
      span,
      fc.array(anyHolder, { minLength: DAYS + 1, maxLength: DAYS + 1 }),
      (sessions, asked, holders) => {
        const { rows, settled } = copiesOf(sessions, holders)
        const bounds = boundsOf('p', asked)
        const { sql, params } = sessionRows({
          settled,
          layout,
          hasMarks: false,
          bounds,
          columns: ['day'],
          condition: everySession,
        })
        const { inner, outer, outer_days, outer_copies, weeks, days } = params as unknown as Params
        const isInWindow = ({ day, entryMs }: Session) =>
          dayText(day) >= bounds.day_from &&
          dayText(day) <= bounds.day_to &&
          entryMs >= asked.fromMs &&
          entryMs < asked.toMs
        const copied = (copies: readonly number[]) =>
          copies.flatMap((copy) => rows.get(copy)!.map((each) => ({ copy, each })))
        const isOuter = ({ copy, each }: { copy: number; each: Session }) =>
          outer_copies[outer_days.indexOf(dayText(each.day))] === copy
        const isFolded = ({ day }: Session) => !weeks.includes(dayText(mondayOf(day))) && !days.includes(dayText(day))
        const read = [
          ...copied(inner).map(({ each }) => each),
          ...copied(outer)
            .filter(isOuter)
            .map(({ each }) => each)
            .filter(isInWindow),
          ...(/sessions FINAL/.test(sql) ? sessions.filter(isFolded).filter(isInWindow) : []),
        ]
        const inOrder = (a: Session, b: Session) => a.day - b.day || a.entryMs - b.entryMs
        assert.deepEqual(read.toSorted(inOrder), sessions.filter(isInWindow).toSorted(inOrder))
      },
    ),
    { numRuns: 500 },
  )
})
