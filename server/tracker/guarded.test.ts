// What a property does not take from browsers: other hosts, money and names without a token, amounts that
// nobody pays. Nothing of it is stored, and its owner sees how much there was.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall({ after })
const { context, track } = footfall

async function siteWith(change: object) {
  const site = await footfall.addProperty()
  const changed = await footfall.call('POST', `/manage/properties/${site.id}`, { body: change })
  assert.equal(changed.status, 200, changed.text)
  return site
}

async function countRows(propertyId: string): Promise<[views: number, events: number]> {
  const count = async (table: string): Promise<number> => {
    const [row] = await context.facts.query<{ rows: string }>(
      'test.count',
      `SELECT count() AS rows FROM ${table} FINAL WHERE property = {property:String}`,
      { property: propertyId },
    )
    return Number(row!.rows)
  }
  return [await count('views'), await count('events')]
}

async function trackingOf(id: string) {
  const { json } = await footfall.call('GET', `/manage/properties/${id}/tracking`)
  const { refused, advice } = json.data
  return { refused, codes: advice.map(({ code }: { code: string }) => code) }
}

const identify = (session: string, key: string) =>
  footfall.call('POST', `/v2/signal/${session}/identify`, {
    headers: { 'x-svc-id': key },
    body: { email: 'ada@example.com' },
  })

test('both switches are off at first, and the ceiling is a million dollars', async () => {
  const { id } = await footfall.addProperty()
  const { property } = (await footfall.call('GET', `/manage/properties/${id}`)).json.data
  const { is_token_only, is_listed_only, browser_max_usd } = property
  assert.deepEqual([is_token_only, is_listed_only, browser_max_usd], [false, false, 1_000_000])
})

test('with listed hosts only, page views of any other host are refused, and counted where the owner looks', async () => {
  const { id, key } = await siteWith({ domains: ['example.com'], is_listed_only: true })
  for (const page of [
    'https://evil.test/',
    'https://evil.test/x',
    'https://example.com.evil.test/',
    'http://192.0.2.1/',
  ])
    assert.deepEqual((await track.load({ key, page })).json, { success: false, message: 'Host not listed' }, page)
  assert.deepEqual(await countRows(id), [0, 0])
  for (const page of ['https://example.com/', 'https://WWW.example.com:8443/', 'https://shop.example.com/'])
    assert.equal((await track.load({ key, page })).json.success, true, page)
  const { refused, codes } = await trackingOf(id)
  assert.deepEqual(refused, [
    { reason: 'host', host: 'evil.test', calls: 2 },
    { reason: 'host', host: '192.0.2.1', calls: 1 },
    { reason: 'host', host: 'example.com.evil.test', calls: 1 },
  ])
  assert.ok(codes.includes('refused_hosts'))
})

test('a property without domains has no host that is not listed', async () => {
  const { key } = await siteWith({ domains: [], is_listed_only: true })
  assert.equal((await track.load({ key, page: 'https://anything.test/' })).json.success, true)
})

test('made-up hosts fill neither the memory nor the list: the twenty first are named, the rest counted together', async () => {
  const { id, key } = await siteWith({ domains: ['example.com'], is_listed_only: true })
  for (let host = 0; host < 30; host++) await track.load({ key, page: `https://h${host}.test/` })
  const { refused } = await trackingOf(id)
  assert.equal(refused.length, 20)
  const rows = await context.records.selectFrom('refused_calls').selectAll().where('property_id', '=', id).execute()
  assert.equal(rows.length, 21)
  assert.equal(rows.find(({ host }) => host === '')?.calls, 10)
})

test('with tokens only, browsers bring neither money nor names; events, tags and the owner’s server go on', async () => {
  const { id, key, token } = await siteWith({ is_token_only: true })
  const { session_id: session } = (await track.load({ key })).json
  const refused = { success: false, message: 'Revenue is accepted with an access token only' }
  assert.deepEqual((await track.acquisition(session, { value: 100 }, { key })).json, refused)
  assert.deepEqual((await track.acquisition(session, { currency_code: 'EUR', tags: ['a'] }, { key })).json, refused)
  assert.deepEqual((await identify(session, key)).json, {
    success: false,
    message: 'Identification is accepted with an access token only',
  })
  assert.deepEqual(await countRows(id), [1, 0])
  const contacts = await context.records.selectFrom('contacts').select('id').where('property_id', '=', id).execute()
  assert.deepEqual(contacts, [])
  assert.equal((await track.acquisition(session, { tags: ['plan:gold'] }, { key })).json.success, true)
  assert.equal((await track.event(session, 'signup', { key })).json.success, true)
  const paid = await footfall.call('POST', '/v2/property/session/acquisition', {
    token,
    body: { session_id: session, value: 100 },
  })
  assert.equal(paid.status, 200, paid.text)
  const tracking = await trackingOf(id)
  assert.deepEqual(tracking.refused, [
    { reason: 'revenue', host: null, calls: 2 },
    { reason: 'identify', host: null, calls: 1 },
  ])
  assert.ok(tracking.codes.includes('refused_calls'))
})

test('a browser may not report more than the ceiling in dollars, whatever the currency; a token may', async () => {
  const { id, key, token } = await footfall.addProperty()
  const { session_id: session } = (await track.load({ key })).json
  const message = 'Without an access token, the value may be at most 1,000,000 US dollars.'
  const refused = { success: false, message, errors: [message] }
  const send = async (value: number, currency_code: string) =>
    (await track.acquisition(session, { value, currency_code }, { key })).json
  assert.deepEqual(await send(100_000_001, 'USD'), refused)
  assert.deepEqual(await send(1e11, 'EUR'), refused)
  assert.deepEqual(await countRows(id), [1, 0])
  assert.equal((await send(100_000_000, 'USD')).success, true)
  // Some 65 dollars.
  assert.equal((await send(100_000_100, 'IDR')).success, true)
  const body = { session_id: session, value: 200_000_000, currency_code: 'USD' }
  assert.equal((await footfall.call('POST', '/v2/property/session/acquisition', { token, body })).status, 200)
  assert.deepEqual((await trackingOf(id)).refused, [{ reason: 'amount', host: null, calls: 2 }])
})

test('each property has a ceiling of its own', async () => {
  const { id, key } = await siteWith({ browser_max_usd: 500 })
  const { session_id: session } = (await track.load({ key })).json
  const send = async (value: number) => (await track.acquisition(session, { value }, { key })).json
  const message = 'Without an access token, the value may be at most 500 US dollars.'
  assert.deepEqual(await send(50_001), { success: false, message, errors: [message] })
  assert.equal((await send(50_000)).success, true)
  for (const wrong of [0, -1, 1.5, 10_000_000_001, '7', null]) {
    const { status, json } = await footfall.call('POST', `/manage/properties/${id}`, {
      body: { browser_max_usd: wrong },
    })
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['browser_max_usd']], String(wrong))
  }
})

test('what was refused is known after a start, and is forgotten with its property', async () => {
  const { id, key } = await siteWith({ domains: ['example.com'], is_listed_only: true })
  await track.load({ key, page: 'https://evil.test/' })
  await context.refusals.flush()
  const rows = () => context.records.selectFrom('refused_calls').select('calls').where('property_id', '=', id).execute()
  assert.deepEqual(await rows(), [{ calls: 1 }])
  await footfall.call('DELETE', `/manage/properties/${id}`)
  assert.deepEqual(await rows(), [])
})
