// Two nodes with one ClickHouse: what one of them stored is in the next answer of the other, and answers are
// kept all the same.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startClickHouse } from '../../test/support/clickhouse.ts'
import { askOverview } from '../../test/support/overview-world.ts'
import { type Footfall, startFootfall } from '../../test/support/server.ts'

const NOW = Date.parse('2026-11-20T13:05:07Z')

/** The nodes have records of their own, with one and the same property in them. */
async function startNodes(t: TestContext, shards: number) {
  const cluster = await startClickHouse({ shards })
  t.after(() => cluster.remove())
  const env = {
    CLICKHOUSE_URL: cluster.urls.join(','),
    SECRET: 'the same secret on both nodes of this test',
    ...(cluster.cluster !== null && { CLICKHOUSE_CLUSTER: cluster.cluster }),
  }
  const nodes = [await startFootfall(t, { now: NOW, env }), await startFootfall(t, { now: NOW, env })] as const
  const row = { id: 'pr_0123456789abcdefghij', key: 'ff_0123456789abcdefghij' }
  for (const node of nodes) await node.addProperty(row)
  return { cluster, nodes, ...row }
}

async function assertShared(t: TestContext, shards: number): Promise<void> {
  const { cluster, nodes, id, key } = await startNodes(t, shards)
  const [one, two] = nodes
  const views = async (node: Footfall) => {
    const { cards, meta } = await askOverview(node, {}, id)
    return [cards[2].current, meta.is_cached]
  }
  let stored = 0
  // Spread over the shards by who comes.
  for (const [writer, visitors] of [
    [two, 2],
    [one, 3],
  ] as const) {
    const loads = Array.from({ length: visitors }, () => writer.track.load({ address: `203.0.113.${++stored}`, key }))
    for (const { json } of await Promise.all(loads)) assert.equal(json.success, true)
    assert.deepEqual(await views(one), [stored, false])
    assert.deepEqual(await views(one), [stored, true])
    assert.deepEqual(await views(two), [stored, false])
    assert.deepEqual(await views(two), [stored, true])
  }
  const body = { name: 'Signed up', event_type: 'event', event_value: 'signup' }
  await one.call('POST', `/manage/properties/${id}/conversions`, { body })
  const signUp = async (who: number) => {
    const visitor = { address: `203.0.113.${who + 100}`, key }
    const { json } = await one.track.load(visitor)
    await one.track.event(json.session_id, 'signup', visitor)
    await one.track.event(json.session_id, 'signup', visitor)
  }
  await Promise.all([1, 2, 3, 4].map(signUp))
  const { outcomes, lists } = await askOverview(one, {}, id)
  assert.deepEqual(outcomes.events, [{ name: 'signup', count: 8, sessions: 4, value_cents: 0 }])
  const { count, sessions, rate } = outcomes.conversions[0]
  assert.deepEqual([count, sessions, rate, lists.entry_path_full.rows[0].value], [8, 4, 0.4444, 9])
  one.clock.advance(6_000)
  assert.deepEqual(await views(one), [9, false])
  await cluster.stop()
  const { status } = await one.call('POST', `/manage/properties/${id}/overview`)
  assert.equal(status, 503)
}

test('on a server', (t) => assertShared(t, 1))
test('on a cluster of two shards', (t) => assertShared(t, 2))
