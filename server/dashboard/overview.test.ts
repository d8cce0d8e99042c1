// The overview against the contract's own answers, against counts by hand, and against writes that come in between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askOverview, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'

const START = Date.parse('2026-10-20T07:00:00Z')
const graphMetrics = ['sessions', 'views', 'views_session', 'bounce', 'duration', 'scroll'] as const

async function ask(footfall: Footfall, path: string, body: object) {
  const reply = await footfall.call('POST', `/v2/property/signals/${path}`, { body })
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

const questions = [
  {},
  { period: 'today' },
  { period: 'yesterday' },
  { period: 'last_28' },
  { period: 'last_28', interval: 'week' },
  { period: 'month_to_date' },
  { period: 'last_12_months' },
  { period: 'year_to_date', interval: 'week' },
  { period: 'custom', date_from: '2026-10-25', date_to: '2026-11-30' },
  { period: 'custom', date_from: '2026-10-25', date_to: '2026-11-08', interval: 'day' },
  { period: 'last_28', clauses: [{ id: 'event_name', op: 'equals', value: 'signup' }] },
  {
    period: 'last_28',
    clauses: [
      { id: 'page_path', op: 'not_contains', value: 'PRIC' },
      { id: 'language', op: 'equals', value: ['de-CH', 'fr'] },
    ],
  },
] as const

const seed = Number(process.env['OVERVIEW_SEED'] ?? Math.floor(Math.random() * 1e9))

async function compareWithContract(footfall: Footfall, question: (typeof questions)[number]): Promise<void> {
  const overview = await askOverview(footfall, question)
  const { analytics, meta } = await ask(footfall, 'analytics/metrics', question)
  const { summary } = analytics.period_metrics
  for (const card of overview.cards) {
    const { id, label: _label, format: _format, is_reverse: _reverse, definition, ...entry } = card
    assert.ok(definition.length > 20)
    if (id !== 'visits') assert.deepEqual(entry, summary[id], `${id} of ${JSON.stringify(question)}`)
  }
  for (const metric of graphMetrics) {
    const { graph, inputs } = await ask(footfall, 'analytics/graph', { ...question, metric, compare: true })
    assert.equal(overview.inputs.interval, inputs.interval)
    const nowTs = footfall.clock.now() / 1000
    const shown = overview.series.buckets.map((bucket: { from_ts: number }) => bucket.from_ts <= nowTs)
    assert.deepEqual(
      overview.series.buckets.map(({ label }: { label: string }, index: number) => ({
        label,
        value: overview.series.current[metric][index],
      })),
      graph.series.map((point: object, index: number) => (shown[index] ? point : { ...point, value: null })),
    )
    if (overview.series.previous !== null)
      assert.deepEqual(
        overview.series.previous[metric],
        graph.previousSeries.map((point: { value: number }) => point.value),
      )
    else assert.ok(graph.previousSeries.every((point: { value: number }) => point.value === 0))
    assert.equal(overview.series.projected[metric], graph.projectedSeries[1]?.value ?? null)
  }
  for (const [id, { data }] of Object.entries<{ data: { id: string; label: string; value: number }[] }>(
    analytics.period_top_dimensions.dimensions,
  )) {
    const bare = ({ id: value, label, value: sessions }: { id: string; label: string; value: number }) => [
      value,
      label,
      sessions,
    ]
    assert.deepEqual(overview.lists[id].rows.map(bare), data.map(bare))
  }
  assert.deepEqual(overview.countries, analytics.period_country_lang.countries)
  assert.deepEqual([overview.meta.showing, overview.meta.filters], [meta.showing, meta.filters])
}

test(`cards, series and lists are those of metrics and graph on random traffic (OVERVIEW_SEED=${seed})`, async (t) => {
  const footfall = await startFootfall(t, { now: START })
  await randomVisits(footfall, seededPick(seed), 150, 30)
  for (const question of questions) await compareWithContract(footfall, question)
})
