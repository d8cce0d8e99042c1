import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMigratedCluster } from '../../test/support/cluster.ts'
import { startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'

const VISITORS = 12
/** They are on the site before they click. */
const EARLY = 4

test('on two shards, clicks, counters, sessions through a link and statistics are those of the whole', async (t) => {
  const cluster = await startMigratedCluster()
  t.after(() => cluster.remove())
  const env = { CLICKHOUSE_URL: cluster.urls.join(','), CLICKHOUSE_CLUSTER: cluster.cluster ?? '' }
  const footfall = await startFootfall(t, { now: Date.parse('2026-11-20T13:05:07Z'), env })
  const link = await addLink(footfall, { group_id: await addGroup(footfall) })
  const path = new URL(link.short_url).pathname
  const addressOf = (n: number) => `203.0.113.${n}`
  for (let n = 0; n < EARLY; n++) await footfall.track.load({ address: addressOf(n) })
  footfall.clock.advance(600_000)
  for (let n = 0; n < VISITORS; n++) {
    const address = addressOf(n)
    await visit(footfall.url, path, { address, method: n % 4 === 3 ? 'HEAD' : 'GET' })
    footfall.clock.advance(1000)
    if (n % 2 === 1) continue
    const { json } = await footfall.track.load({ address })
    if (n === 2) await footfall.track.event(json.session_id, 'signup', { address })
  }
  const get = async (where: string, query: Record<string, string | number> = {}) => {
    const reply = await footfall.call('GET', where, { query })
    assert.equal(reply.status, 200, reply.text)
    return reply.json.data
  }

  const pages = await Promise.all([1, 2, 3].map((page) => get('/v2/property/clicks', { page, per_page: 5 })))
  const clicks = pages.flatMap((page) => page.data)
  assert.deepEqual([pages[0].total, new Set(clicks.map((click) => click.id)).size], [VISITORS, VISITORS])
  const times = clicks.map((click) => click.click_ts)
  assert.deepEqual(
    times,
    times.toSorted((a, b) => b - a),
  )
  for (const click of [clicks[0], clicks.at(-1)])
    assert.deepEqual((await get(`/v2/property/clicks/${click.id}`)).click, click)
  assert.equal((await get('/v2/property/clicks', { type: 'bot' })).total, 3)
  assert.equal((await get(`/v2/property/links/${link.id}`)).link.clicks, 9)
  assert.equal((await get('/v2/property/link-groups')).groups[0].count_clicks, 9)

  const body = { clauses: [{ id: 'link', op: 'equals', value: link.id }] }
  const sessions = (await footfall.call('POST', '/v2/property/signals/sessions', { body })).json
  assert.equal(sessions.total, 4)
  assert.ok(sessions.data.every((document: { channel_method: string }) => document.channel_method === 'link'))
  const { statistics } = await get(`/manage/properties/${footfall.property.id}/links/${link.id}/statistics`)
  const { clicks: people, visitors, bots, arrived, already_on_site, engaged } = statistics
  assert.deepEqual([people, visitors, bots], [9, 9, { head: 3 }])
  assert.deepEqual([arrived, already_on_site, engaged], [6, 2, 1])
  const listed = await get(`/manage/properties/${footfall.property.id}/links`)
  assert.deepEqual(listed.data[0].figures, { clicks: 9, arrived: 6, engaged: 1 })
})
