import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bucketsOf, parseWindow } from '../kernel/window.ts'
import { readLive } from './facts.ts'
import { project } from './graph.ts'
import type { FigureName } from './metrics.ts'

function projection(
  now: string,
  period: string,
  interval: 'hour' | 'day' | 'month',
  last: readonly [number, number],
  metric: 'sessions' | 'bounce' = 'sessions',
) {
  const window = parseWindow({ period }, Date.parse(now), null)
  const buckets = bucketsOf(window, interval)
  const series = buckets.map((bucket, index) => ({ label: bucket.label, value: last[index - buckets.length + 2] ?? 0 }))
  return project(metric, window, buckets, series)
}

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

test('a last week that a finished window cuts is not running', () => {
  const window = parseWindow({ period: 'custom', date_from: '2026-11-01', date_to: '2026-11-10' }, 0, null)
  const buckets = bucketsOf(window, 'week')
  const series = buckets.map((bucket) => ({ label: bucket.label, value: 7 }))
  assert.equal(buckets.at(-1)?.toMs, window.toMs)
  assert.deepEqual(project('sessions', window, buckets, series), [])
})

test('live reads of each question no more than its metric needs', async () => {
  const asked = async (...figures: FigureName[]) => {
    const statements: string[] = []
    const query = async (_name: string, sql: string) => {
      statements.push(sql)
      return []
    }
    const bucket = { fromMs: 0, toMs: 30_000, fullToMs: 30_000, label: '' }
    await readLive({ query }, { propertyId: 'p', clauses: [] }, [bucket], figures)
    return statements.join('\n')
  }
  assert.doesNotMatch(await asked('sessions', 'views'), /sessions FINAL|JOIN/)
  const bounce = await asked('sessions', 'bounced')
  assert.match(bounce, /sessions FINAL/)
  assert.doesNotMatch(bounce, /figure_(?!sessions|bounced)|scrolls/)
})
