// A property's own clock, through the front door: what is counted on which of its days.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addGroup, addLink, visit } from '../../test/support/visits.ts'
import { askOverview, randomVisits, seededPick } from '../../test/support/overview-world.ts'
import { openShare } from '../../test/support/shares.ts'
import { startAgain, startFootfall } from '../../test/support/server.ts'

/** 02:30 on Monday in Berlin, 19:30 on Sunday in Chicago. */
const NOW = Date.parse('2026-11-23T01:30:00Z')
const shared = await startFootfall({ after }, { now: NOW })

const seed = Number(process.env['OVERVIEW_SEED'] ?? Math.floor(Math.random() * 1e9))

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

const currentOf = ({ cards }: { cards: { id: string; current: number }[] }) =>
  cards.map(({ id, current }) => [id, current])

test(`a period is the window of its days, in the property’s weeks (OVERVIEW_SEED=${seed})`, async () => {
  const footfall = await startAgain(shared, at('2026-06-20T07:00:00Z'))
  const manage = `/manage/properties/${footfall.property.id}`
  await footfall.call('POST', manage, { body: { timezone: 'America/St_Johns', week_start: 'saturday' } })
  await randomVisits(footfall, seededPick(seed), 60, 140)
  footfall.clock.set(at('2026-11-10T02:00:00Z')) // still Monday the 9th there
  const days = {
    last_30: ['2026-10-11', '2026-11-09'],
    last_90: ['2026-08-12', '2026-11-09'],
    this_week: ['2026-11-07', '2026-11-09'],
    last_week: ['2026-10-31', '2026-11-06'],
    last_month: ['2026-10-01', '2026-10-31'],
    this_quarter: ['2026-10-01', '2026-11-09'],
    last_quarter: ['2026-07-01', '2026-09-30'],
    last_year: ['2025-01-01', '2025-12-31'],
    all_time: ['2026-06-20', '2026-11-09'],
  } as const
  for (const [period, [date_from, date_to]] of Object.entries(days)) {
    const named = await askOverview(footfall, { period })
    const dated = await askOverview(footfall, { period: 'custom', date_from, date_to })
    assert.deepEqual([currentOf(named), named.lists], [currentOf(dated), dated.lists], period)
    assert.equal(named.window.from_ts, dated.window.from_ts, period)
    const list = await footfall.call('POST', `${manage}/lists/source`, { body: { period } })
    assert.deepEqual(list.json.data.rows.slice(0, 10), dated.lists.source.rows, period)
    const pages = await footfall.call('POST', `${manage}/pages`, { body: { period } })
    const sameDays = { period: 'custom', date_from, date_to }
    const pagesOfDays = await footfall.call('POST', `${manage}/pages`, { body: sameDays })
    assert.deepEqual(pages.json.data.rows, pagesOfDays.json.data.rows, period)
    const sessions = await footfall.call('POST', `${manage}/sessions`, { body: { period } })
    assert.equal(sessions.json.data.total, named.cards[0].current, period)
    const below = await footfall.call('POST', '/v2/property/signals/sessions', { body: { period } })
    assert.deepEqual([below.status, Object.keys(below.json.errors)], [422, ['period']], period)
  }
})

test('a window is compared with the days that were chosen, bucket beside bucket, and what is longer in the cards alone', async () => {
  const footfall = await startAgain(shared, at('2026-10-01T07:00:00Z'))
  await randomVisits(footfall, seededPick(seed), 60, 40)
  const asked = { period: 'custom', date_from: '2026-11-02', date_to: '2026-11-08' }
  for (const [compare_from, compare_to] of [
    ['2026-10-12', '2026-10-18'],
    ['2026-10-05', '2026-10-25'],
    ['2026-10-07', '2026-10-09'],
  ] as const) {
    const { cards, series, previous_window, inputs } = await askOverview(footfall, {
      ...asked,
      compare: 'custom',
      compare_from,
      compare_to,
    })
    const other = await askOverview(footfall, {
      period: 'custom',
      date_from: compare_from,
      date_to: compare_to,
      interval: 'day',
    })
    assert.deepEqual([inputs.compare, inputs.compare_from, inputs.compare_to], ['custom', compare_from, compare_to])
    assert.deepEqual(previous_window, other.window)
    const found = cards.map(({ id, previous }: { id: string; previous: number | null }) => [id, previous])
    const beside = [...other.series.current.sessions, ...Array.from({ length: 7 }, () => 0)].slice(0, 7)
    const isNone = other.cards[0].current === 0
    assert.deepEqual(found, isNone ? currentOf(other).map(([id]) => [id, null]) : currentOf(other))
    assert.deepEqual(series.previous?.sessions ?? null, isNone ? null : beside)
  }
  for (const [field, body] of [
    ['compare_from', { compare: 'custom' }],
    ['compare_to', { compare: 'custom', compare_from: '2026-10-12', compare_to: '2026-10-11' }],
    ['compare_from', { compare: 'custom', compare_from: '12.10.2026', compare_to: '2026-10-11' }],
    ['period', { period: 'last_31' }],
  ] as const) {
    const refused = await footfall.call('POST', `/manage/properties/${footfall.property.id}/overview`, { body })
    assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, [field]])
  }
})
