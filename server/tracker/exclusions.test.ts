// What an owner does not want counted leaves no trace, through the front door; and everybody else is counted
// as ever.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addBlock, impressionsOf, renderIds, track as trackContent } from '../../test/support/content-calls.ts'
import { startFootfall } from '../../test/support/server.ts'
import { addGroup, addLink, clicksOf, visit } from '../../test/support/visits.ts'

const footfall = await startFootfall({ after })
const { context, track } = footfall

async function siteWith(exclusions: object) {
  const site = await footfall.addProperty()
  const changed = await footfall.call('POST', `/manage/properties/${site.id}`, { body: exclusions })
  assert.equal(changed.status, 200, changed.text)
  return site
}

async function countRows(propertyId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of ['views', 'events', 'sessions']) {
    const rows = await context.facts.query<{ rows: string }>(
      'test.count',
      `SELECT count() AS rows FROM ${table} FINAL WHERE property = {property:String}`,
      { property: propertyId },
    )
    counts[table] = Number(rows[0]?.rows)
  }
  return counts
}

const EXCLUDED = { success: false, message: 'Excluded' }
const nothing = { views: 0, events: 0, sessions: 0 }

test('page views from an excluded address are answered as excluded, and nothing of them is stored', async () => {
  const { id, key } = await siteWith({ excluded_addresses: ['198.51.100.0/24', '2001:db8:7::/48'] })
  for (const address of ['198.51.100.7', '::ffff:198.51.100.7', '2001:db8:7::9']) {
    const reply = await track.load({ key, address })
    assert.deepEqual([reply.status, reply.json], [200, EXCLUDED])
  }
  assert.deepEqual(await countRows(id), nothing)
  const other = await track.load({ key, address: '198.51.101.7' })
  assert.equal(other.json.success, true)
  assert.deepEqual(await countRows(id), { views: 1, events: 0, sessions: 1 })
})

test('page views of an excluded path are answered as excluded, whatever host and query they have', async () => {
  const { id, key } = await siteWith({ excluded_paths: ['/admin/**', '/café'] })
  for (const page of ['https://example.com/admin/users?x=1', 'http://other.example/admin/', 'https://example.com/café'])
    assert.deepEqual((await track.load({ key, page })).json, EXCLUDED)
  assert.deepEqual(await countRows(id), nothing)
  assert.equal((await track.load({ key, page: 'https://example.com/administration' })).json.success, true)
})

test('a path is excluded however it is typed and however the site encodes it', async () => {
  const cases: readonly (readonly [glob: string, page: string])[] = [
    ['/{x}/**', '/{x}/y'],
    ['/a"b', '/a"b'],
    ['/a^b', '/a^b'],
    ['/a\\b', '/a\\b'],
    ['/low%c3%a9', '/lowé'],
    ['/lowé', '/low%c3%a9'],
    ['/shop/é%2f*', '/shop/%c3%A9%2Fx'],
    ['/#/{x} <y>', '/#/{x} <y>'],
  ]
  for (const [glob, page] of cases) {
    const { id, key } = await siteWith({ excluded_paths: [glob] })
    assert.deepEqual((await track.load({ key, page: `https://example.com${page}` })).json, EXCLUDED, glob)
    assert.deepEqual(await countRows(id), nothing)
  }
})

test('a path that was stored as it was typed is compared as one that is typed today', async () => {
  const { key } = await footfall.addProperty({ excluded_paths: JSON.stringify(['/{x}/**', '/low%c3%a9']) })
  for (const page of ['https://example.com/{x}/y', 'https://example.com/lowé'])
    assert.deepEqual((await track.load({ key, page })).json, EXCLUDED, page)
})

test('a path with a query is refused with a reason: queries are not looked at', async () => {
  const { id } = await footfall.addProperty()
  const body = { excluded_paths: ['/admin', '/q?z=*'] }
  const { status, json } = await footfall.call('POST', `/manage/properties/${id}`, { body })
  assert.deepEqual([status, Object.keys(json.errors)], [422, ['excluded_paths.1']])
  assert.match(json.message, /^excluded_paths\.1 must be a path like \/admin\/\*\*, without \? and what follows/)
})

test('a visitor whose address is excluded later is counted no further, though the ids are genuine', async () => {
  const { id, key } = await footfall.addProperty()
  const address = '198.51.100.9'
  const { session_id: session, view_id: view } = (await track.load({ key, address })).json
  const before = await countRows(id)
  await footfall.call('POST', `/manage/properties/${id}`, { body: { excluded_addresses: [address] } })
  assert.deepEqual((await track.ping(view, { key, address, tos: 30 })).json, EXCLUDED)
  assert.deepEqual((await track.event(session, 'signup', { key, address })).json, EXCLUDED)
  assert.deepEqual((await track.acquisition(session, { amount: 1, currency: 'USD' }, { key, address })).json, EXCLUDED)
  assert.deepEqual((await track.resolve({ key, address })).json, { ...EXCLUDED, session_id: null })
  const identified = await footfall.call('POST', `/v2/signal/${session}/identify`, {
    headers: { 'x-svc-id': key, 'x-forwarded-for': address },
    body: { email: 'ada@example.com' },
  })
  assert.deepEqual(identified.json, EXCLUDED)
  assert.deepEqual(await countRows(id), before)
  assert.equal(
    (await context.records.selectFrom('contacts').selectAll().where('property_id', '=', id).execute()).length,
    0,
  )
  // Whoever is not there sends the same events as before.
  assert.equal((await track.event(session, 'signup', { key, address: '203.0.113.7' })).json.success, true)
})

test('exclusions are a property of their own, and end when they are taken away', async () => {
  const one = await siteWith({ excluded_addresses: ['0.0.0.0/0', '::/0'] })
  const other = await footfall.addProperty()
  assert.deepEqual((await track.load({ key: one.key })).json, EXCLUDED)
  assert.equal((await track.load({ key: other.key })).json.success, true)
  await footfall.call('POST', `/manage/properties/${one.id}`, { body: { excluded_addresses: [] } })
  assert.equal((await track.load({ key: one.key })).json.success, true)
})

test('a short link leads on whoever is excluded, and is not counted for them', async () => {
  const group = await addGroup(footfall)
  const link = await addLink(footfall, { group_id: group })
  const address = '198.51.100.20'
  const clicks = async () => (await clicksOf(footfall, link.id)).length
  assert.equal((await visit(footfall.url, `/a/${link.code}`, { address })).status, 302)
  assert.equal(await clicks(), 1)
  const { id } = footfall.property
  await footfall.call('POST', `/manage/properties/${id}`, { body: { excluded_addresses: [address] } })
  assert.equal((await visit(footfall.url, `/a/${link.code}`, { address })).status, 302)
  assert.equal(await clicks(), 1)
  assert.equal((await visit(footfall.url, `/a/${link.code}`, { address: '203.0.113.20' })).status, 302)
  assert.equal(await clicks(), 2)
})

test('what excluded visitors see of content is kept apart, as that of programs is', async () => {
  const { id } = footfall.property
  const block = await addBlock(context.records, id, {})
  const address = '198.51.100.30'
  const tell = async () => {
    const ids = await renderIds(footfall, block.key, { address })
    assert.equal((await trackContent(footfall, { ...ids, action: 'view' }, { address })).json.success, true)
  }
  await footfall.call('POST', `/manage/properties/${id}`, { body: { excluded_addresses: [] } })
  await tell()
  await footfall.call('POST', `/manage/properties/${id}`, { body: { excluded_addresses: ['198.51.100.30'] } })
  await tell()
  const rows = await impressionsOf(footfall, block.id)
  assert.deepEqual(rows.map((row) => `${String(row['is_bot'])} ${String(row['bot_reason'])}`).toSorted(), [
    '0 ',
    '1 excluded',
  ])
})
