import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { weekStarts } from '../server/kernel/calendar.ts'
import { dayFromText } from '../server/kernel/days.ts'
import { namedPeriods } from '../server/kernel/periods.ts'
import { type Choice, daysOfChoice, periodGroups, shifted, type Today } from './shift.ts'
import { type Period, periods } from './window.ts'

/** A Friday. */
const today: Today = { day: dayFromText('2026-11-20'), weekStart: 'monday' }
const named = (period: Period): Choice => ({ period, date_from: null, date_to: null })
const custom = (date_from: string, date_to: string): Choice => ({ period: 'custom', date_from, date_to })

test('every period but a custom one can be chosen, once', () => {
  assert.deepEqual(periodGroups.flat().toSorted(), [...namedPeriods].toSorted())
  assert.deepEqual(periods.toSorted(), [...namedPeriods, 'custom'].toSorted())
})

test('the period before is the day, the week, the month, the quarter or the year before, by its name where it has one', () => {
  const before: readonly [Choice, Choice][] = [
    [named('today'), named('yesterday')],
    [named('yesterday'), custom('2026-11-18', '2026-11-18')],
    [named('last_7'), custom('2026-11-07', '2026-11-13')],
    [named('last_90'), custom('2026-05-25', '2026-08-22')],
    [named('this_week'), named('last_week')],
    [named('last_week'), custom('2026-11-02', '2026-11-08')],
    [named('month_to_date'), named('last_month')],
    [named('last_month'), custom('2026-09-01', '2026-09-30')],
    [named('this_quarter'), named('last_quarter')],
    [named('last_quarter'), custom('2026-04-01', '2026-06-30')],
    [named('year_to_date'), named('last_year')],
    [named('last_12_months'), custom('2024-12-01', '2025-11-30')],
    [custom('2026-03-01', '2026-03-31'), custom('2026-02-01', '2026-02-28')],
    [custom('2026-02-01', '2026-03-31'), custom('2025-12-01', '2026-01-31')],
    [custom('2026-11-03', '2026-11-07'), custom('2026-10-29', '2026-11-02')],
  ]
  for (const [choice, expected] of before) assert.deepEqual(shifted(choice, -1, today), expected)
})

test('the period after leads back to the one that is running, and there is none after that', () => {
  assert.deepEqual(shifted(custom('2026-10-01', '2026-10-31'), 1, today), named('month_to_date'))
  assert.deepEqual(shifted(custom('2026-11-07', '2026-11-13'), 1, today), custom('2026-11-14', '2026-11-20'))
  assert.deepEqual(shifted(named('last_week'), 1, today), named('this_week'))
  assert.deepEqual(shifted(named('last_year'), 1, today), named('year_to_date'))
  for (const period of namedPeriods.filter((id) => !/^last_(week|month|quarter|year)$|^yesterday$/.test(id)))
    assert.equal(shifted(named(period), 1, today), undefined, period)
})

test('of all time, and of dates that are none, there is no other', () => {
  assert.equal(shifted(named('all_time'), -1, today), undefined)
  assert.equal(shifted(custom('2026-11-0x', '2026-11-07'), -1, today), undefined)
  assert.equal(shifted(custom('2026-11-09', '2026-11-07'), -1, today), undefined)
})

test('what comes before ends where the period begins, and the one after that is the period again', () => {
  const anyToday = fc
    .tuple(fc.integer({ min: 18_000, max: 24_000 }), fc.constantFrom(...weekStarts))
    .map(([day, weekStart]) => ({ day, weekStart }))
  const anyPeriod = fc.constantFrom(...namedPeriods.filter((id) => id !== 'all_time'))
  fc.assert(
    fc.property(anyToday, anyPeriod, (at, period) => {
      const before = shifted(named(period), -1, at)
      assert.ok(before)
      const [then, now] = [daysOfChoice(before, at), daysOfChoice(named(period), at)]
      assert.equal((then?.to ?? 0) + 1, now?.from)
      const again = shifted(before, 1, at)
      assert.equal(again && daysOfChoice(again, at)?.from, now?.from)
    }),
  )
})
