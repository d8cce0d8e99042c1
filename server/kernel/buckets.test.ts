import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type WeekStart, weekStarts } from './calendar.ts'
import { DAY_MS } from './days.ts'
import { Problem } from './problem.ts'
import { acceptedIntervals, bucketsOf, type Interval, parseInterval } from './buckets.ts'
import { anyNow, anyWindow, assertTiled, bucketsIn, relativePeriods } from '../../test/support/windows.ts'
import { daysTouched, parseWindow } from './window.ts'
import { dayIn, UTC } from './zones.ts'

const at = (text: string) => Date.parse(text)
const now = at('2026-11-20T13:05:07.250Z')
const of = (period: string, nowMs = now) => parseWindow({ period }, nowMs)

const anyBuckets = bucketsIn(anyWindow)

test('buckets tile the window without gap or overlap, none of them empty, and only the last is cut at its end', () => {
  fc.assert(
    fc.property(anyBuckets, ({ window, buckets }) => {
      assertTiled(window, buckets)
    }),
  )
})

test('within a year, labels of a window tell its buckets apart', () => {
  fc.assert(
    fc.property(anyBuckets, ({ window, buckets }) => {
      fc.pre(daysTouched(window) <= 365)
      assert.equal(new Set(buckets.map((bucket) => bucket.label)).size, buckets.length)
    }),
  )
})

test('hours, days, months and years begin at the boundaries of the calendar', () => {
  const begins: Record<Interval, (text: string) => boolean> = {
    hour: (text) => text.endsWith(':00:00.000Z'),
    day: (text) => text.endsWith('T00:00:00.000Z'),
    week: (text) => text.endsWith('T00:00:00.000Z'),
    month: (text) => text.endsWith('-01T00:00:00.000Z'),
    year: (text) => text.endsWith('-01-01T00:00:00.000Z'),
  }
  fc.assert(
    fc.property(anyBuckets, ({ buckets, interval }) =>
      buckets.slice(1).every((bucket) => begins[interval](new Date(bucket.fromMs).toISOString())),
    ),
  )
})

test('the table of intervals holds at each of its borders', () => {
  const rows: [days: number, standard: Interval, accepted: Interval[]][] = [
    [1, 'hour', ['hour', 'day']],
    [2, 'day', ['day']],
    [7, 'day', ['day']],
    [8, 'day', ['day', 'week']],
    [30, 'day', ['day', 'week']],
    [31, 'week', ['day', 'week', 'month']],
    [180, 'week', ['day', 'week', 'month']],
    [181, 'month', ['week', 'month']],
    [365, 'month', ['week', 'month']],
    [366, 'month', ['week', 'month', 'year']],
    [3653, 'month', ['week', 'month', 'year']],
  ]
  for (const [days, standard, accepted] of rows) {
    const row = acceptedIntervals({ fromMs: 0, toMs: days * DAY_MS, zone: UTC })
    assert.deepEqual([row.default, row.intervals], [standard, accepted], `${days} days`)
  }
  assert.throws(() => parseInterval('hour', of('last_7')), Problem)
  assert.throws(() => parseInterval('toString', of('last_7')), Problem)
  assert.equal(parseInterval(null, of('last_28')), 'day')
})

test('weeks are runs of seven days, or begin with the day on which the property’s weeks begin', () => {
  const window = { fromMs: at('2026-08-19T00:00:00Z'), toMs: at('2026-09-02T00:00:00Z'), zone: UTC }
  const begins = (weekStart?: WeekStart) =>
    bucketsOf({ ...window, ...(weekStart && { weekStart }) }, 'week').map(({ fromMs }) => new Date(fromMs).getUTCDate())
  assert.deepEqual(begins(), [19, 26]) // a Wednesday
  assert.deepEqual(begins('monday'), [19, 24, 31])
  assert.deepEqual(begins('sunday'), [19, 23, 30])
  assert.deepEqual(begins('saturday'), [19, 22, 29])
})

test('weeks of every zone tile the window, and all but the first begin on the property’s day', () => {
  const anyZone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const weekday = { monday: 'Monday', sunday: 'Sunday', saturday: 'Saturday' } as const
  const asked = fc.record({ zone: anyZone, nowMs: anyNow, weekStart: fc.constantFrom(...weekStarts) })
  fc.assert(
    fc.property(asked, fc.constantFrom(...relativePeriods), ({ zone, nowMs, weekStart }, period) => {
      const firstMs = nowMs - 400 * DAY_MS
      const window = parseWindow({ period }, nowMs, { timezone: zone, week_start: weekStart, firstMs })
      fc.pre(acceptedIntervals(window).intervals.includes('week'))
      const buckets = bucketsOf(window, 'week')
      assertTiled(window, buckets)
      for (const { fromMs, fullToMs } of buckets.slice(1)) {
        assert.equal(new Date(fromMs).toLocaleDateString('en', { timeZone: zone, weekday: 'long' }), weekday[weekStart])
        assert.equal(dayIn(zone, fullToMs) - dayIn(zone, fromMs), 7)
      }
    }),
  )
})

test('labels have the formats of the contract', () => {
  const label = (interval: Interval, from: string, to: string) =>
    bucketsOf({ fromMs: at(from), toMs: at(to), zone: UTC }, interval).map((bucket) => bucket.label)
  assert.deepEqual(label('hour', '2026-08-20T13:00:00Z', '2026-08-20T15:00:00Z'), ['13h', '14h'])
  assert.deepEqual(label('hour', '2026-08-20T23:00:00Z', '2026-08-21T01:00:00Z'), ['20-23h', '21-0h'])
  assert.deepEqual(label('day', '2026-08-21T00:00:00Z', '2026-08-22T00:00:00Z'), ["Aug 21 '26"])
  assert.deepEqual(label('week', '2026-08-15T00:00:00Z', '2026-08-24T00:00:00Z'), [
    'Week (15 Aug - 21 Aug)',
    'Week (22 Aug - 23 Aug)',
  ])
  assert.deepEqual(label('month', '2026-08-15T00:00:00Z', '2026-09-02T00:00:00Z'), ["Aug '26", "Sep '26"])
  assert.deepEqual(label('year', '2025-08-15T00:00:00Z', '2026-09-02T00:00:00Z'), ['2025', '2026'])
})
