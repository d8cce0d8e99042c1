// Which part of a window is read from where: every session of it once, whatever of its weeks is settled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DAY_MS, dayText, mondayOf } from '../kernel/days.ts'
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

test('every session of a window is read once, from its copy or from the folds, and no other', () => {
  const weekOf = ({ day }: Session) => dayText(mondayOf(day))
  fc.assert(
    fc.property(
      fc.array(session, { maxLength: 120, size: 'max' }),
      span,
      fc.func(fc.boolean()),
      (sessions, asked, isSettled) => {
        const byWeek = Map.groupBy(sessions, weekOf)
        const settled = [...byWeek].filter(([week]) => isSettled(week))
        const held = new Map(
          settled.map(([week, own], copy) => {
            const entries = own.map(({ entryMs }) => entryMs)
            return [week, { copy, firstMs: Math.min(...entries), lastMs: Math.max(...entries) }]
          }),
        )
        const bounds = boundsOf('p', asked)
        const known = { weeks: held, layout, hasMarks: false }
        const { sql, params } = sessionRows({ ...known, bounds, columns: ['day'], condition: everySession })
        const { inner, outer, settled: away } = params as { inner: number[]; outer: number[]; settled: string[] }
        const isInWindow = ({ day, entryMs }: Session) =>
          dayText(day) >= bounds.day_from &&
          dayText(day) <= bounds.day_to &&
          entryMs >= asked.fromMs &&
          entryMs < asked.toMs
        const copied = (copies: readonly number[]) =>
          settled.flatMap(([, own], copy) => (copies.includes(copy) ? own : []))
        const folded = /sessions FINAL/.test(sql) ? sessions.filter((each) => !away.includes(weekOf(each))) : []
        const read = [...copied(inner), ...copied(outer).filter(isInWindow), ...folded.filter(isInWindow)]
        const inOrder = (a: Session, b: Session) => a.day - b.day || a.entryMs - b.entryMs
        assert.deepEqual(read.toSorted(inOrder), sessions.filter(isInWindow).toSorted(inOrder))
      },
    ),
    { numRuns: 300 },
  )
})
