// What is said of each bucket, and which days a window is compared with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Overview } from '../../api/overview.ts'
import { metricIds } from '../../api/overview-ids.ts'
import { momentWords, previousSpan, shownMetric } from './metric.ts'
import { seriesCsv } from './series-csv.ts'

const DAY = 86_400
const start = Date.parse('2026-11-19T00:00:00Z') / 1000

const perMetric = <Value>(value: Value) =>
  Object.fromEntries(metricIds.map((id) => [id, value])) as Record<(typeof metricIds)[number], Value>

const overview = {
  cards: [
    { id: 'sessions', format: 'count' },
    { id: 'bounce', format: 'fraction' },
  ],
  inputs: { interval: 'day', compare: 'preceding' },
  window: { from_ts: start, to_ts: start + 1.5 * DAY },
  series: {
    buckets: [
      { label: '', from_ts: start, to_ts: start + DAY, is_running: false },
      { label: '', from_ts: start + DAY, to_ts: start + 1.5 * DAY, is_running: true },
    ],
    current: { ...perMetric([0, null]), sessions: [12_345, 40], bounce: [25, 0] },
    previous: { ...perMetric([0, 0]), sessions: [10_000, 0], bounce: [50, 0] },
    projected: { ...perMetric(null), sessions: 80 },
  },
} as unknown as Overview

test('a bucket is said with every digit, what it is expected to come to, and what was before', () => {
  const sessions = shownMetric(overview, 'sessions', 'preceding')
  assert.match(momentWords(sessions, 0, []), /Nov.*2026: 12.?345 Sessions\. Before: 10.?000, \+23\s?%$/)
  assert.match(momentWords(sessions, 1, ['A sale']), /: 40 Sessions, so far\. .*: 80\. Before: 0\. Notes: A sale$/)
  assert.doesNotMatch(momentWords(shownMetric(overview, 'sessions', 'none'), 0, []), /Before/)
  assert.equal(momentWords(sessions, 2, []), '')
})

test('the bounce rate is a percentage in the series and in what is said', () => {
  const { moments, tick } = shownMetric(overview, 'bounce', 'preceding')
  assert.match(moments[0]?.shown ?? '', /^25\s?%$/)
  assert.match(moments[0]?.change ?? '', /^[-−]50\s?%$/)
  assert.match(tick(50), /^50\s?%$/)
})

test('a window is compared with the one before it, or with the same days of the year before', () => {
  assert.deepEqual(previousSpan(overview), { from_ts: start - 1.5 * DAY, to_ts: start })
  const year = { ...overview, inputs: { ...overview.inputs, compare: 'year' as const } }
  assert.equal(previousSpan(year).from_ts, Date.parse('2025-11-19T00:00:00Z') / 1000)
})

test('the graph as a file has a line for each bucket, and nothing where nothing is yet', () => {
  const [head = '', first = '', second = ''] = seriesCsv(overview).split('\r\n')
  assert.ok(head.startsWith('from_utc,to_utc,sessions,visits,') && head.includes(',previous_sessions,'))
  assert.ok(first.startsWith('2026-11-19T00:00:00.000Z,2026-11-20T00:00:00.000Z,12345,0,'))
  assert.ok(second.startsWith('2026-11-20T00:00:00.000Z,2026-11-20T12:00:00.000Z,40,,'))
})
