// One of two ClickHouse nodes goes away or hangs: hits are taken all the same, whoever asks is told at once,
// and afterwards everything is there once.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { run } from './support/cli.ts'
import type { ClickHouse, ClickHouseNode } from './support/clickhouse.ts'
import { startMigratedCluster } from './support/cluster.ts'
import { type Footfall, startFootfall } from './support/server.ts'
import { eventually } from './support/site.ts'

let cluster: ClickHouse
let footfall: Footfall
const closers: (() => Promise<void>)[] = []
before(async () => {
  cluster = await startMigratedCluster()
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster!, LOG_LEVEL: 'fatal' }
  footfall = await startFootfall({ after: (close) => void closers.push(close) }, { env, hasHangingStore: true })
})
after(async () => {
  for (const close of closers) await close()
  await cluster.remove()
})

const ready = async (query = '') => {
  const { status, json } = await footfall.call('GET', `/readyz${query}`)
  return { status, away: json.away }
}

const troubles: Readonly<
  Record<string, readonly [(node: ClickHouseNode) => unknown, (node: ClickHouseNode) => unknown]>
> = {
  'was killed': [(node) => node.stop(), (node) => node.start()],
  hangs: [(node) => node.pause(), (node) => node.resume()],
}

const VISITORS = 12

for (const [name, [strike, mend]] of Object.entries(troubles))
  for (const which of [0, 1])
    test(`while node ${which} of a cluster ${name}, visitors are recorded, /readyz says 503, and questions are answered 503`, async () => {
      const { key, token } = await footfall.addProperty()
      const load = (visitor: number) => footfall.track.load({ key, address: `203.0.113.${visitor}` })
      const figures = () =>
        footfall.call('POST', '/v2/property/signals/analytics/metrics', { body: { period: 'today' }, token })
      await load(1)
      await strike(cluster.nodes[which]!)
      try {
        assert.deepEqual(await ready(), { status: 503, away: ['facts'] })
        assert.deepEqual(await ready('?scope=node'), { status: 200, away: [] })
        const loads = await Promise.all(Array.from({ length: VISITORS }, (_, visitor) => load(visitor)))
        assert.deepEqual([...new Set(loads.map(({ status }) => status))], [200])
        const { status, json, headers } = await figures()
        assert.deepEqual([status, json.error_code, Number(headers.get('retry-after')) > 0], [503, 'unavailable', true])
      } finally {
        await mend(cluster.nodes[which]!)
      }
      const answer = await eventually(figures, ({ status }) => status === 200)
      assert.equal(answer.json.analytics.period_metrics.summary.views.current, VISITORS + 1)
      assert.deepEqual(await ready(), { status: 200, away: [] })
    })

test('a start without one of the nodes says so in one line', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'footfall-shard-'))
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const env = { DATA_DIR: dataDir, CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster! }
  const [, node] = cluster.nodes
  await node!.stop()
  const { code, out, err } = await run(['migrate'], env)
  await node!.start()
  assert.deepEqual([code, out], [1, ''])
  assert.match(err, /^footfall: ClickHouse at http:\/\/127\.0\.0\.1:\d+ does not answer\.\n$/)
})
