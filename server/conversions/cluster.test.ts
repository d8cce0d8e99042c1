// Conversions where the facts are spread over two servers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { startFootfall } from '../../test/support/server.ts'
import { readSessionId } from '../kernel/ids.ts'
import { keyText, sessionKey } from '../sessions/facts.ts'
import { findConverted } from './facts.ts'
import { openRunFacts } from '../deliveries/facts.ts'

const VISITORS = 12

test('on two shards the figures are those of the whole, and each session knows its own', async (t) => {
  const cluster = await startMigratedCluster()
  t.after(() => cluster.remove())
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
  const footfall = await startFootfall(t, { now: Date.parse('2026-11-20T13:05:07Z'), env })
  const { context, property, track } = footfall
  const sessions: string[] = []
  for (let n = 0; n < VISITORS; n++) {
    const address = `203.0.113.${n}`
    sessions.push((await track.load({ address })).json.session_id)
    if (n % 3 === 0) await track.event(sessions[n]!, 'signup', { address })
  }
  const at = `/manage/properties/${property.id}/conversions`
  const figures = async (body: object) => {
    const made = await footfall.call('POST', at, { body: { name: 'x', ...body } })
    const reply = await footfall.call('GET', `${at}/${made.json.data.conversion.id}/statistics`)
    assert.equal(reply.status, 200, reply.text)
    const { conversions, converted, sessions: all } = reply.json.data.statistics
    return [conversions, converted, all]
  }
  assert.deepEqual(await figures({ event_type: 'event', event_value: 'signup' }), [4, 4, VISITORS])
  assert.deepEqual(await figures({ event_type: 'page_view', event_value: '/*' }), [VISITORS, VISITORS, VISITORS])
  assert.deepEqual(await figures({ event_type: 'form_submit' }), [0, 0, VISITORS])
  const definition = { event_type: 'event', event_value: 'signup' } as const
  const refs = sessions.map((id) => readSessionId(context.keys, property.id, id)!)
  const keys = refs.map(sessionKey)
  const expected = keys.filter((_, n) => n % 3 === 0).map(keyText)
  assert.deepEqual(await findConverted(context.facts, property.id, keys, definition), new Set(expected))
  const atMs = Date.parse('2026-11-20T13:05:07Z')
  const runFacts = openRunFacts(context)
  const pages = await Promise.all(refs.map((ref) => runFacts.page(property.id, ref, atMs)))
  assert.deepEqual(
    pages,
    Array.from({ length: VISITORS }, () => ({ path: '/', url: 'https://example.com/' })),
  )
})
