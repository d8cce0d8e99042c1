import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketsOf, type Interval } from '../kernel/buckets.ts'
import { endOfNow, parseWindow, type WindowQuery } from '../kernel/window.ts'
import { readLive } from './live-facts.ts'
import { project } from './graph.ts'
import type { FigureName } from './metrics.ts'

function projection(
  now: string,
  asked: string | WindowQuery,
  interval: Interval,
  last: readonly [number, number],
  metric: 'sessions' | 'bounce' = 'sessions',
) {
  const nowMs = endOfNow(Date.parse(now))
  const buckets = bucketsOf(
    parseWindow(typeof asked === 'string' ? { period: asked } : asked, Date.parse(now)),
    interval,
  )
  const ahead = buckets.filter(({ fromMs }) => fromMs >= nowMs).length
  const series = buckets.map(({ label }, index) => ({ label, value: last[index - buckets.length + ahead + 2] ?? 0 }))
  return project(metric, buckets, series, nowMs)
}

const custom = (date_from: string, date_to: string): WindowQuery => ({ period: 'custom', date_from, date_to })

test('the running bucket is extrapolated to its full length, beside the last complete one', () => {
  assert.deepEqual(projection('2026-11-20T05:59:59Z', 'last_7', 'day', [40, 12]), [
    { label: "Nov 19 '26", value: 40 },
    { label: "Nov 20 '26", value: 48 },
  ])
  assert.deepEqual(projection('2026-11-20T13:14:59Z', 'today', 'hour', [10, 3])[1], { label: '13h', value: 12 })
})

test('nothing is projected in the first 2% of a bucket', () => {
  assert.deepEqual(projection('2026-11-20T00:28:00Z', 'last_7', 'day', [40, 1]), [])
  assert.equal(projection('2026-11-20T00:29:00Z', 'last_7', 'day', [40, 1]).length, 2)
})

test('nothing is projected for means, for windows that are over, for the only bucket, and when the last one is complete', () => {
  assert.deepEqual(projection('2026-11-20T12:00:00Z', 'last_7', 'day', [40, 12], 'bounce'), [])
  assert.deepEqual(projection('2026-11-20T12:00:00Z', 'yesterday', 'hour', [40, 12]), [])
  assert.deepEqual(projection('2026-11-20T12:00:00Z', 'today', 'day', [0, 12]), [])
  assert.deepEqual(projection('2026-11-20T23:59:59Z', 'last_7', 'day', [40, 12]), [])
})

test('a custom window that holds now is extrapolated as one that ends now', () => {
  const last_7 = projection('2026-11-20T05:59:59Z', 'last_7', 'day', [40, 12])
  assert.deepEqual(projection('2026-11-20T05:59:59Z', custom('2026-11-14', '2026-11-20'), 'day', [40, 12]), last_7)
  assert.deepEqual(
    projection('2026-11-20T05:59:59Z', custom('2026-11-14', '2026-11-22'), 'day', [40, 12]),
    last_7,
    'also when days of it are still to come',
  )
  assert.deepEqual(
    projection('2026-11-20T13:14:59Z', custom('2026-11-20', '2026-11-20'), 'hour', [10, 3]),
    projection('2026-11-20T13:14:59Z', 'today', 'hour', [10, 3]),
  )
  assert.deepEqual(projection('2026-11-16T11:59:59Z', custom('2026-10-01', '2026-11-16'), 'month', [62, 31])[1], {
    label: "Nov '26",
    value: 60,
  })
})

test('a custom window that is over, or still to come, has nothing that runs, also in a week that it cuts', () => {
  const now = '2026-11-11T12:00:00Z'
  assert.deepEqual(projection(now, custom('2026-11-01', '2026-11-10'), 'week', [7, 7]), [])
  assert.deepEqual(projection(now, custom('2026-11-12', '2026-11-20'), 'day', [7, 7]), [])
  assert.deepEqual(projection(now, custom('2026-11-11', '2026-11-20'), 'day', [7, 7]), [], 'the first bucket runs')
})

test('live reads of each question no more than its metric needs', async () => {
  const asked = async (...figures: FigureName[]) => {
    const statements: string[] = []
    const query = async (_name: string, sql: string) => {
      statements.push(sql)
      return []
    }
    const bucket = { fromMs: 0, toMs: 30_000, fullToMs: 30_000, label: '' }
    await readLive({ query, hasMarks: async () => false }, { propertyId: 'p', clauses: [] }, [bucket], figures)
    return statements.join('\n')
  }
  assert.doesNotMatch(await asked('sessions', 'views'), /sessions FINAL|JOIN/)
  const bounce = await asked('sessions', 'bounced')
  assert.match(bounce, /sessions FINAL/)
  assert.doesNotMatch(bounce, /figure_(?!sessions|bounced)|scrolls/)
})
