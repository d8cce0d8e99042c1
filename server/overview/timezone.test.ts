// A property's own clock, through the front door: what is counted on which of its days.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { askOverview } from '../../test/support/overview-world.ts'
import { openShare } from '../../test/support/shares.ts'
import { startAgain, startFootfall } from '../../test/support/server.ts'

/** 02:30 on Monday in Berlin, 19:30 on Sunday in Chicago. */
const NOW = Date.parse('2026-11-23T01:30:00Z')
const shared = await startFootfall({ after }, { now: NOW })

const sessionsOf = ({ cards }: { cards: { id: string; current: number; previous: number | null }[] }) => {
  const card = cards.find(({ id }) => id === 'sessions')
  return [card?.current, card?.previous]
}
const at = (text: string): number => Date.parse(text)

test('what happened around midnight belongs to the day of the property, and below /v2 to that of UTC', async () => {
  const footfall = await startAgain(shared, at('2026-11-21T12:00:00Z'))
  const { id } = footfall.property
  for (const [time, address] of [
    ['2026-11-21T22:59:00Z', '203.0.113.1'], // Saturday in Berlin
    ['2026-11-21T23:01:00Z', '203.0.113.2'], // Sunday in Berlin
    ['2026-11-22T23:01:00Z', '203.0.113.3'], // Monday in Berlin
    ['2026-11-22T23:30:00Z', '203.0.113.4'],
    ['2026-11-23T01:00:00Z', '203.0.113.5'],
  ] as const) {
    footfall.clock.set(at(time))
    await footfall.track.load({ address })
  }
  footfall.clock.set(NOW)
  const changed = await footfall.call('POST', `/manage/properties/${id}`, { body: { timezone: 'Europe/Berlin' } })
  assert.equal(changed.status, 200, changed.text)

  const today = await askOverview(footfall, { period: 'today' })
  assert.deepEqual(sessionsOf(today), [3, null])
  assert.equal(today.meta.timezone, 'Europe/Berlin')
  assert.deepEqual(today.window, { from_ts: at('2026-11-22T23:00:00Z') / 1000, to_ts: NOW / 1000 + 1 })
  assert.deepEqual(
    today.series.buckets.map(({ label }: { label: string }) => label),
    ['0h', '1h', '2h'],
  )
  assert.deepEqual(today.series.current.sessions, [2, 0, 1])
  assert.deepEqual(sessionsOf(await askOverview(footfall, { period: 'yesterday' })), [1, 1])
  assert.deepEqual(sessionsOf(await askOverview(footfall, { period: 'yesterday', timezone: 'UTC' })), [2, 2])

  const metrics = async (body: object) => {
    const { json } = await footfall.call('POST', '/v2/property/signals/analytics/metrics', { body })
    return [json.analytics.period_metrics.summary.sessions.current, json.inputs.timezone]
  }
  assert.deepEqual(await metrics({ period: 'yesterday' }), [2, undefined])
  assert.deepEqual(await metrics({ period: 'yesterday', timezone: 'Europe/Berlin' }), [1, 'Europe/Berlin'])
  assert.deepEqual(await metrics({ period: 'today', timezone: 'America/Chicago' }), [3, 'America/Chicago'])

  const list = await footfall.call('POST', `/manage/properties/${id}/lists/entry_path_full`, {
    body: { period: 'today' },
  })
  assert.equal(list.json.data.rows[0].value, 3, list.text)
})

test('statistics of links, forms and conversions go by the same clock', async () => {
  const footfall = await startAgain(shared, at('2026-11-22T22:30:00Z'))
  const manage = `/manage/properties/${footfall.property.id}`
  const link = await addLink(footfall, { group_id: await addGroup(footfall) })
  await visit(footfall.url, new URL(link.short_url).pathname, { address: '203.0.113.1' })
  footfall.clock.set(at('2026-11-22T23:30:00Z'))
  await visit(footfall.url, new URL(link.short_url).pathname, { address: '203.0.113.2' })
  footfall.clock.set(NOW)
  const clicks = async (query: Record<string, string>) => {
    const { json } = await footfall.call('GET', `${manage}/links/${link.id}/statistics`, { query })
    return json.data.statistics.clicks
  }
  assert.equal(await clicks({ period: 'yesterday' }), 2)
  await footfall.call('POST', manage, { body: { timezone: 'Europe/Berlin' } })
  assert.deepEqual([await clicks({ period: 'yesterday' }), await clicks({ period: 'today' })], [1, 1])
  assert.equal(await clicks({ period: 'yesterday', timezone: 'UTC' }), 2)
})

test('a share link is shown the days of the property, and cannot choose others', async () => {
  const footfall = await startAgain(shared, NOW)
  const manage = `/manage/properties/${footfall.property.id}`
  await footfall.call('POST', manage, { body: { timezone: 'Pacific/Auckland' } })
  const share = await openShare(footfall, footfall.property.id)
  const own = await footfall.call('POST', `${manage}/overview`, { body: { period: 'today' }, ...share })
  assert.equal(own.json.data.meta.timezone, 'Pacific/Auckland')
  const { json } = await footfall.call('GET', '/manage/session', share)
  assert.equal(json.data.share.property.timezone, 'Pacific/Auckland')
  for (const path of [`${manage}/overview`, '/v2/property/signals/analytics/metrics']) {
    const refused = await footfall.call('POST', path, { body: { timezone: 'Asia/Kathmandu' }, ...share })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, ['timezone']])
  }
})
