// A clock far ahead or behind, as a machine without a battery has it: nobody is answered with a fault, and
// nothing of such a day is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Footfall, startFootfall } from '../../test/support/server.ts'

test('while the clock says a day that cannot be stored callers are told so, short links lead on, and afterwards all is well', async (t) => {
  const noon = Date.UTC(2026, 10, 22, 12)
  const footfall = await startFootfall(t, { now: noon })
  const { track, property, clock } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const { json: view } = await track.load()
  const { group } = (await call('POST', '/v2/property/link-groups', { body: { name: 'g' } })).json.data
  const wanted = { group_id: group.id, domain: 'link-a', destination_url: 'https://example.com/there' }
  const { link } = (await call('POST', '/v2/property/links', { body: wanted })).json.data
  for (const ms of [Date.UTC(2149, 5, 6), Date.UTC(2150, 0, 1), Date.UTC(9000, 0, 1), -1]) {
    clock.set(ms)
    const replies = [
      await track.load(),
      await track.ping(view.view_id),
      await track.event(view.session_id, 'click'),
      await track.resolve(),
      await call('POST', '/v2/lib/error', { body: { property_id: property.key, error: 'x', lib: 'signals' } }),
      await call('POST', '/v2/property/signals/analytics/metrics', { body: { period: 'last_7' } }),
      await call('GET', `/manage/properties/${property.id}/lib-errors`),
    ]
    for (const { status, json } of replies) assert.deepEqual([status, json.error_code], [503, 'unavailable'])
    assert.match(replies[0]!.json.message, /clock of this server is wrong/)
    assert.equal((await call('GET', `/a/${link.code}`)).headers.get('location'), wanted.destination_url)
    assert.equal((await call('GET', '/healthz')).status, 200)
  }
  clock.set(noon + 1_000)
  assert.equal((await track.load()).status, 200)
  const { json } = await call('POST', '/v2/property/signals/analytics/metrics', { body: { period: 'today' } })
  assert.equal(json.analytics.period_metrics.summary.views.current, 2)
})
