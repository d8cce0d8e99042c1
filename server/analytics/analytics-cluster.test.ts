import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClickHouse } from '../../test/support/clickhouse.ts'
import { startFootfall } from '../../test/support/server.ts'

const VISITORS = 12

test('on two shards, clauses over views and events, top lists, live and sessions are those of the whole', async (t) => {
  const cluster = await startClickHouse({ shards: 2 })
  t.after(() => cluster.remove())
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
  const footfall = await startFootfall(t, { now: Date.parse('2026-11-20T13:05:07Z'), env })
  for (let n = 0; n < VISITORS; n++) {
    const visitor = { address: `203.0.113.${n}` }
    const load = await footfall.track.load({ ...visitor, page: `https://example.com/${n % 2 ? 'odd' : 'even'}` })
    if (n % 3 === 0) await footfall.track.event(load.json.session_id, 'third', { ...visitor, value: n })
  }
  const ask = async (path: string, clauses: unknown[] = []) =>
    (await footfall.call('POST', `/v2/property/signals/${path}`, { body: { clauses } })).json
  const total = async (...clauses: unknown[]) => (await ask('sessions', clauses)).total

  assert.equal(await total(), VISITORS)
  const isOdd = { id: 'page_path', op: 'equals', value: '/odd' }
  const isThird = { id: 'event_name', op: 'equals', value: 'third' }
  assert.equal(await total(isOdd), 6)
  assert.equal(await total(isThird, { id: 'event_value_num', op: 'gte', value: 6 }), 2)
  assert.equal(await total(isOdd, isThird), 2)
  assert.equal((await ask('sessions')).data.length, VISITORS)

  const { period_metrics, period_top_dimensions } = (await ask('analytics/metrics', [isThird])).analytics
  assert.equal(period_metrics.summary.sessions.current, 4)
  assert.deepEqual(
    period_top_dimensions.dimensions.entry_path_full.data.map((row: { id: string; value: number }) => [
      row.id,
      row.value,
    ]),
    [
      ['/even', 2],
      ['/odd', 2],
    ],
  )
  assert.equal((await ask('analytics/live', [isOdd])).graph.series.at(-1).value, 6)
  assert.equal((await ask('analytics/live')).graph.series.at(-1).value, VISITORS)
  assert.equal((await ask('analytics/graph')).graph.series.at(-1).value, VISITORS)
})
