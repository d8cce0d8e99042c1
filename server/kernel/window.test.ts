import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { WeekStart } from './calendar.ts'
import { Problem } from './problem.ts'
import { anyNow, anyWindow } from '../../test/support/windows.ts'
import { daysTouched, endOfNow, parseWindow, precedingSpan } from './window.ts'

const at = (text: string) => Date.parse(text)
const now = at('2026-11-20T13:05:07.250Z')
const texts = (span: { fromMs: number; toMs: number }) => [
  new Date(span.fromMs).toISOString(),
  new Date(span.toMs).toISOString(),
]
const of = (period: string, nowMs = now) => parseWindow({ period }, nowMs)
const custom = (date_from: string, date_to: string) => parseWindow({ period: 'custom', date_from, date_to }, now)

test('every period begins and ends where the definitions say', () => {
  const end = '2026-11-20T13:05:08.000Z'
  assert.deepEqual(texts(of('today')), ['2026-11-20T00:00:00.000Z', end])
  assert.deepEqual(texts(of('yesterday')), ['2026-11-19T00:00:00.000Z', '2026-11-20T00:00:00.000Z'])
  assert.deepEqual(texts(of('last_7')), ['2026-11-14T00:00:00.000Z', end])
  assert.deepEqual(texts(of('last_28')), ['2026-10-24T00:00:00.000Z', end])
  assert.deepEqual(texts(of('month_to_date')), ['2026-11-01T00:00:00.000Z', end])
  assert.deepEqual(texts(of('year_to_date')), ['2026-01-01T00:00:00.000Z', end])
  assert.deepEqual(texts(of('last_12_months')), ['2025-12-01T00:00:00.000Z', end])
  assert.deepEqual(texts(custom('2026-08-01', '2026-08-21')), ['2026-08-01T00:00:00.000Z', '2026-08-22T00:00:00.000Z'])
})

test('weeks, quarters and what is over begin and end where the definitions say', () => {
  const end = '2026-11-20T13:05:08.000Z' // a Friday
  const day = (text: string) => `${text}T00:00:00.000Z`
  assert.deepEqual(texts(of('last_30')), [day('2026-10-22'), end])
  assert.deepEqual(texts(of('last_90')), [day('2026-08-23'), end])
  assert.deepEqual(texts(of('this_week')), [day('2026-11-16'), end])
  assert.deepEqual(texts(of('last_week')), [day('2026-11-09'), day('2026-11-16')])
  assert.deepEqual(texts(of('last_month')), [day('2026-10-01'), day('2026-11-01')])
  assert.deepEqual(texts(of('this_quarter')), [day('2026-10-01'), end])
  assert.deepEqual(texts(of('last_quarter')), [day('2026-07-01'), day('2026-10-01')])
  assert.deepEqual(texts(of('last_quarter', at('2026-03-31T10:00:00Z'))), [day('2025-10-01'), day('2026-01-01')])
  assert.deepEqual(texts(of('last_year')), [day('2025-01-01'), day('2026-01-01')])
  const week = (week_start: WeekStart, period = 'last_week') => texts(parseWindow({ period }, now, { week_start }))
  assert.deepEqual(week('sunday'), [day('2026-11-08'), day('2026-11-15')])
  assert.deepEqual(week('saturday'), [day('2026-11-07'), day('2026-11-14')])
  assert.deepEqual(week('saturday', 'this_week'), [day('2026-11-14'), end])
})

test('all time begins with the day of the first that is kept, today when nothing is, and ten years ago at most', () => {
  const all = (firstMs?: number) => texts(parseWindow({ period: 'all_time' }, now, { firstMs }))
  const end = '2026-11-20T13:05:08.000Z'
  assert.deepEqual(all(at('2026-02-03T22:10:00Z')), ['2026-02-03T00:00:00.000Z', end])
  assert.deepEqual(all(), ['2026-11-20T00:00:00.000Z', end])
  assert.equal(daysTouched(parseWindow({ period: 'all_time' }, now, { firstMs: 0 })), 3653)
})

test('/v2 knows eight periods, and last_7 for a default that is none of them', () => {
  assert.throws(() => parseWindow({ period: 'last_30' }, now, { isPublic: true }), Problem)
  assert.equal(parseWindow({}, now, { isPublic: true, default_period: 'last_quarter' }).period, 'last_7')
  assert.equal(parseWindow({}, now, { isPublic: true, default_period: 'last_28' }).period, 'last_28')
  assert.equal(parseWindow({}, now, { default_period: 'last_quarter' }).period, 'last_quarter')
})

test('months and years before this one are found across a new year', () => {
  assert.equal(texts(of('last_12_months', at('2026-01-31T10:00:00Z')))[0], '2025-02-01T00:00:00.000Z')
  assert.equal(texts(of('yesterday', at('2026-01-01T00:00:00Z')))[0], '2025-12-31T00:00:00.000Z')
})

test('in the last moment of a day, today is still that day, whole', () => {
  assert.deepEqual(texts(of('today', at('2026-11-20T23:59:59.999Z'))), [
    '2026-11-20T00:00:00.000Z',
    '2026-11-21T00:00:00.000Z',
  ])
})

test('what happened at the moment of the question is inside a window that ends now', () => {
  fc.assert(fc.property(anyNow, (nowMs) => endOfNow(nowMs) > nowMs && endOfNow(nowMs) - nowMs <= 1000))
})

test('without a period the default of the property counts, else the last seven days', () => {
  assert.equal(parseWindow({}, now, { default_period: 'last_28' }).period, 'last_28')
  assert.equal(parseWindow({ period: null }, now).period, 'last_7')
})

test('windows are described in words', () => {
  assert.equal(of('last_7').showing, 'Last 7 Days')
  assert.equal(of('month_to_date').showing, 'Month To Date')
  assert.equal(custom('2026-08-01', '2026-08-21').showing, '1 Aug 2026 - 21 Aug 2026')
  assert.equal(custom('2026-08-01', '2026-08-01').showing, '1 Aug 2026')
})

const refused = (field: string, ask: Parameters<typeof parseWindow>[0]) =>
  assert.throws(
    () => parseWindow(ask, now),
    (error) => error instanceof Problem && error.status === 422 && error.errors !== undefined && field in error.errors,
  )

test('unknown periods, missing, impossible and reversed dates and more than ten years are refused by name', () => {
  refused('period', { period: 'last_9' })
  refused('period', { period: '__proto__' })
  refused('date_from', { period: 'custom' })
  refused('date_to', { period: 'custom', date_from: '2026-01-01' })
  for (const date of [
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '20260101',
    '2026-1-1',
    '2026-01-01T00:00',
    '1969-12-31',
    '2100-01-01',
    '',
  ]) {
    refused('date_from', { period: 'custom', date_from: date, date_to: '2026-11-01' })
  }
  refused('date_to', { period: 'custom', date_from: '2026-02-02', date_to: '2026-02-01' })
  refused('date_to', { period: 'custom', date_from: '2016-01-01', date_to: '2026-01-01' })
  assert.equal(daysTouched(custom('2016-01-02', '2026-01-01')), 3653)
})

test('the preceding window is as long as this one and ends where it begins', () => {
  fc.assert(
    fc.property(anyWindow, (window) => {
      const preceding = precedingSpan(window)
      return preceding.toMs === window.fromMs && preceding.toMs - preceding.fromMs === window.toMs - window.fromMs
    }),
  )
})
