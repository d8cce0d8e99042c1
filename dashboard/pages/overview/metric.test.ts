// What is said of each bucket, and which days a window is compared with.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Overview } from '../../api/overview.ts'
import { type MetricId, metricIds } from '../../api/overview-ids.ts'
import { number } from '../../format.ts'
import { comparisonOf, knownValues } from './known.ts'
import { momentWords, shownMetric } from './metric.ts'
import { seriesCsv } from './series-csv.ts'
import { loadTexts } from '../../texts/index.ts'

before(() => loadTexts(['common', 'overview']))

const DAY = 86_400
const start = Date.parse('2026-11-19T00:00:00Z') / 1000

const perMetric = <Value>(value: Value) =>
  Object.fromEntries(metricIds.map((id) => [id, value])) as Record<(typeof metricIds)[number], Value>

const overview = {
  cards: [
    { id: 'sessions', format: 'count' },
    { id: 'bounce', format: 'fraction' },
    { id: 'duration', format: 'seconds' },
    { id: 'scroll', format: 'scroll' },
  ],
  inputs: { interval: 'day', compare: 'preceding' },
  meta: { first_view_ts: start - 1.5 * DAY },
  window: { from_ts: start, to_ts: start + 1.5 * DAY },
  previous_window: { from_ts: start - 1.5 * DAY, to_ts: start },
  series: {
    buckets: [
      { label: '', from_ts: start, to_ts: start + DAY, is_running: false },
      { label: '', from_ts: start + DAY, to_ts: start + 1.5 * DAY, is_running: true },
    ],
    current: { ...perMetric([0, null]), sessions: [12_345, 40], bounce: [40, 60], scroll: [60, 70] },
    known: {
      bounce: { sessions: [12_345, 20], values: [25, 10] },
      duration: { sessions: [12_345, 0], values: [0, null] },
      scroll: { sessions: [12_345, 1], values: [60, 70] },
    },
    previous: { ...perMetric([0, 0]), sessions: [10_000, 0], bounce: [50, 0] },
    previous_known: {
      bounce: { sessions: [10_000, 0], values: [50, null] },
      duration: { sessions: [10_000, 0], values: [0, null] },
      scroll: { sessions: [10_000, 0], values: [0, null] },
    },
    projected: { ...perMetric(null), sessions: 80 },
  },
} as unknown as Overview

test('a bucket is said with every digit, what it is expected to come to, and what was before', () => {
  const sessions = shownMetric(overview, 'sessions', 'preceding')
  assert.match(momentWords(sessions, 0, []), /Nov.*2026: 12.?345 Sessions\. Before: 10.?000, \+23\s?%$/)
  assert.match(
    momentWords(sessions, 1, ['A sale']),
    /: 40 Sessions, so far\. .*: 80\. Before: 0, \+40\. Notes: A sale$/,
  )
  assert.doesNotMatch(momentWords(shownMetric(overview, 'sessions', 'none'), 0, []), /Before/)
  assert.equal(momentWords(sessions, 2, []), '')
})

test('the bounce rate is a percentage in the series and in what is said', () => {
  const { moments, tick } = shownMetric(overview, 'bounce', 'preceding')
  assert.match(moments[0]?.shown ?? '', /^25\s?%$/)
  assert.equal(moments[0]?.change, `−${number(25)} points`)
  assert.match(tick(50), /^50\s?%$/)
})

test('what is not known is no figure, and is compared with nothing', () => {
  const of = (id: MetricId) => shownMetric(overview, id, 'preceding').moments[1]
  const told = [of('bounce')?.shown, of('duration')?.shown, of('scroll')?.shown].map((words) =>
    words?.replace(/\s/, ''),
  )
  assert.deepEqual(told, ['10%', '–', '70%'], 'over those of which it is known')
  assert.deepEqual([of('duration')?.value, of('bounce')?.shownBefore, of('bounce')?.change], [null, '–', null])
  assert.match(of('bounce')?.known ?? '', /20 of 40 sessions/)
  assert.match(momentWords(shownMetric(overview, 'duration', 'none'), 1, []), /not known .*0 of 40 sessions/)
  assert.equal(shownMetric(overview, 'bounce', 'none').moments[0]?.known, null)
  const nobody = { ...perMetric([0]), bounce: [100], views_session: [0] }
  const known = { bounce: { sessions: [0], values: [null] } }
  const shown = (['sessions', 'views_session', 'bounce'] as const).map((id) => knownValues(id, nobody, known))
  assert.deepEqual(shown, [[0], [null], [null]])
})

test('nothing is compared with a window that begins before anybody was seen', () => {
  const since = (first_view_ts: number | null) => ({ ...overview, meta: { ...overview.meta, first_view_ts } })
  const kinds = [start - 1.5 * DAY, start - 1.5 * DAY + 1, null].map((ts) => comparisonOf(since(ts), 'preceding'))
  assert.deepEqual(kinds, ['full', 'early', 'full'])
  assert.equal(comparisonOf(since(start), 'none'), 'none')
  const early = shownMetric(since(start), 'sessions', 'preceding')
  assert.deepEqual([early.isCompared, early.moments[0]?.shownBefore, early.moments[0]?.change], [false, null, null])
})

test('the graph as a file has a line for each bucket, and nothing where nothing is yet', () => {
  const [head = '', first = '', second = ''] = seriesCsv(overview).split('\r\n')
  assert.ok(head.startsWith('from_utc,to_utc,sessions,visits,') && head.includes(',previous_sessions,'))
  assert.ok(first.startsWith('2026-11-19T00:00:00.000Z,2026-11-20T00:00:00.000Z,12345,0,'))
  assert.ok(second.startsWith('2026-11-20T00:00:00.000Z,2026-11-20T12:00:00.000Z,40,,'))
  const cell = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)]
  assert.deepEqual([cell(first, 'bounce'), cell(second, 'bounce'), cell(second, 'duration')], ['25', '10', ''])
  assert.deepEqual([cell(first, 'previous_bounce'), cell(second, 'previous_bounce')], ['50', ''])
})
