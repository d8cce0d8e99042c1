import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  type Figures,
  graphValue,
  knownMetricIds,
  knownValue,
  metricIds,
  metricValue,
  noFigures,
  shownMetricIds,
  shownMetrics,
  summaryEntry,
} from './metrics.ts'

const figures = (some: Partial<Figures>): Figures => ({ ...noFigures, ...some })

const anyFigures = fc.record({
  sessions: fc.integer({ min: 1, max: 1_000_000 }),
  views: fc.integer({ min: 1, max: 10_000_000 }),
  bounced: fc.integer({ min: 0, max: 1_000_000 }),
  seconds: fc.integer({ min: 0, max: 1_000_000_000 }),
  scroll: fc.integer({ min: 0, max: 100_000_000 }),
  scrolled: fc.integer({ min: 0, max: 1_000_000 }),
  measured: fc.integer({ min: 0, max: 1_000_000 }),
  judged: fc.integer({ min: 0, max: 1_000_000 }),
  judged_bounces: fc.integer({ min: 0, max: 1_000_000 }),
  value: fc.integer({ min: 0, max: 1_000_000_000 }),
  re_entries: fc.integer({ min: 0, max: 1_000_000 }),
})

test('without sessions every figure is 0', () => {
  for (const id of metricIds) assert.equal(metricValue(id, noFigures), 0)
})

test('figures are rounded as each is defined', () => {
  const some = figures({ sessions: 3, views: 10, bounced: 1, seconds: 100, scroll: 101, scrolled: 2, value: 1234 })
  const values = Object.fromEntries(metricIds.map((id) => [id, metricValue(id, some)]))
  assert.deepEqual(values, {
    sessions: 3,
    views: 10,
    views_session: 3.33,
    bounce: 0.3333,
    duration: 33,
    scroll: 51,
    cost: 0,
    value: 1234,
  })
  assert.equal(graphValue('views_session', some), 3.333)
  assert.equal(graphValue('bounce', some), 33.333)
})

test('of what is not known of every session the mean is over those of which it is', () => {
  const some = figures({
    sessions: 9,
    bounced: 6,
    seconds: 100,
    scroll: 101,
    scrolled: 2,
    measured: 5,
    judged: 4,
    judged_bounces: 1,
  })
  assert.deepEqual(
    knownMetricIds.map((id) => knownValue(id, some, metricValue)),
    [
      { sessions: 4, value: 0.25 },
      { sessions: 5, value: 20 },
      { sessions: 2, value: 51 },
    ],
  )
  assert.deepEqual(knownValue('bounce', some, graphValue), { sessions: 4, value: 25 })
  for (const id of knownMetricIds)
    assert.deepEqual(knownValue(id, figures({ sessions: 9, bounced: 6 }), metricValue), { sessions: 0, value: null })
})

test('the noise of adding means in another order does not decide a rounding', () => {
  assert.equal(metricValue('scroll', figures({ scroll: 101 - 3e-14, scrolled: 2 })), 51)
})

test('comparisons agree with their own parts', () => {
  fc.assert(
    fc.property(anyFigures, anyFigures, fc.constantFrom(...shownMetricIds), (current, previous, id) => {
      const entry = summaryEntry(id, current, previous)
      const previousValue = metricValue(id, previous)
      assert.equal(entry.current, metricValue(id, current))
      assert.equal(entry.previous, metricValue(id, previous))
      assert.equal(entry.trend, entry.current > previousValue ? 'up' : entry.current < previousValue ? 'down' : 'flat')
      assert.equal(entry.percent_abs, entry.percent === null ? null : Math.abs(entry.percent))
      assert.equal(entry.percent === null, entry.previous === 0 && entry.current !== 0)
      const isBetter = (entry.trend === 'up') !== shownMetrics[id].isReverse
      assert.equal(entry.trend_color, entry.trend === 'flat' ? 'base' : isBetter ? 'success' : 'danger')
    }),
  )
})

test('nothing is compared with a window without sessions', () => {
  assert.deepEqual(summaryEntry('sessions', figures({ sessions: 4 }), undefined), {
    current: 4,
    previous: null,
    difference: null,
    percent: null,
    percent_abs: null,
    trend: null,
    trend_color: 'base',
  })
})
