// The session actions through the front door: who may record what on which session, and what is answered and
// stored.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startFootfall, type CallOptions } from '../../test/support/server.ts'
import { numberIn } from './sessions.ts'

const noon = Date.parse('2026-03-10T12:00:00Z')
const footfall = await startFootfall({ after }, { now: noon })
const { clock, context, property, track } = footfall
const call = (method: string, path: string, options?: CallOptions) => footfall.call(method, path, options)

let visitors = 0
/** A session of a visitor of its own. */
async function openSession(): Promise<string> {
  visitors += 1
  return (await track.load({ address: `203.0.113.${visitors}` })).json.session_id
}

const event = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/v2/property/session/event', { body, headers })
const acquisition = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/v2/property/session/acquisition', { body, headers })
const value = (amount: number, amount_usd: number, currency: string) => ({ amount, amount_usd, currency })

test('an event is answered as the record that is stored', async () => {
  const session_id = await openSession()
  const reply = await event({
    session_id,
    name: 'purchase',
    value: 12.5,
    meta: { plan: 'pro', seats: 3, trial: false, none: null, more: { a: [1] } },
  })
  assert.equal(reply.status, 200)
  const { id, ...rest } = reply.json.data.event
  assert.match(id, /^\d+$/)
  assert.deepEqual(
    { ...reply.json, data: rest },
    {
      code: 200,
      status: 'OK',
      data: {
        session_id,
        type: 'event',
        name: 'purchase',
        value: '12.5',
        created_ts: noon / 1000,
        meta: [
          { key: 'plan', value: 'pro' },
          { key: 'seats', value: '3' },
          { key: 'trial', value: 'false' },
          { key: 'none', value: '' },
          { key: 'more', value: '{"a":[1]}' },
        ],
      },
    },
  )
  const [stored] = await context.facts.query(
    'test.event',
    'SELECT toString(id) AS id, name, value, number, by_visitor FROM events WHERE name = {name:String}',
    { name: 'purchase' },
  )
  assert.deepEqual(stored, { id, name: 'purchase', value: '12.5', number: 12.5, by_visitor: 0 })
})

test('values are texts, and null when there is none', async () => {
  const session_id = await openSession()
  for (const [given, text] of [
    ['a', 'a'],
    [5, '5'],
    [0, '0'],
    [true, 'true'],
    [false, 'false'],
    ['', ''],
    [null, null],
    [undefined, null],
  ] as const) {
    const { event: record } = (await event({ session_id, name: 'v', value: given })).json.data
    assert.equal(record.value, text)
    assert.deepEqual(record.meta, [])
  }
})

test('the session is named by the body, else by the header, else by the form field', async () => {
  const [a, b, c] = [await openSession(), await openSession(), await openSession()]
  const asked = async (body: object, headers: Record<string, string> = {}) =>
    (await event({ name: 'n', ...body }, headers)).json.data.event.session_id
  const header = { 'x-service-session-id': b }
  assert.equal(await asked({ session_id: a, svc_session_id: c }, header), a)
  assert.equal(await asked({ svc_session_id: c }, header), b)
  assert.equal(await asked({ svc_session_id: c }), c)
  assert.equal(await asked({ session_id: null, svc_session_id: c }), c)
  assert.equal((await acquisition({ svc_session_id: c, value: 5 })).json.data.session.id, c)
  assert.equal((await acquisition({ value: 5 }, header)).json.data.session.id, b)
})

test('without a session id both actions say so', async () => {
  for (const reply of [
    await event({ name: 'n' }),
    await acquisition({ value: 1 }),
    await acquisition({}),
    await event({ name: 'n', session_id: '' }),
  ]) {
    assert.equal(reply.status, 422)
    assert.equal(reply.json.error_code, 'validation_failed')
    assert.match(reply.json.message, /^session_id missing/)
  }
})

test('without a session id both actions say so, whatever else is wrong with the body', async () => {
  const bodies = [
    {},
    { name: 5 },
    { name: 'x'.repeat(300), meta: [], value: {} },
    { value: -1, currency_code: 'X', tags: 'a', cost: 1.5 },
    { session_id: null, svc_session_id: '', name: '' },
    [],
    [{ session_id: 'x' }],
    'null',
    '"session_id"',
    '5',
    '',
    '{"name":',
    '{"__proto__":1}',
    '['.repeat(100),
  ]
  for (const body of bodies)
    for (const reply of [
      await event(body),
      await acquisition(body),
      await event(body, { 'x-service-session-id': '' }),
    ]) {
      assert.deepEqual([reply.status, reply.json.error_code], [422, 'validation_failed'], reply.text)
      assert.match(reply.json.message, /^session_id missing/, JSON.stringify(body))
      assert.deepEqual(Object.keys(reply.json.errors), ['session_id'])
    }
  assert.match((await event('{"name":')).json.message, /The body is not valid JSON/)
  const other = { 'content-type': 'application/xml' }
  assert.equal((await event('<a/>', other)).status, 415)
})

test('with a session id it is the body that is told about', async () => {
  const session = await openSession()
  const header = { 'x-service-session-id': session }
  const refusals: readonly (readonly [unknown, Record<string, string>, RegExp])[] = [
    [{ session_id: session }, {}, /^name is required/],
    [{}, header, /^name is required/],
    [{ session_id: 5, name: 'n' }, {}, /^session_id must be/],
    [[], header, /^body must be|^The body must be/],
    ['{"name":', header, /^The body is not valid JSON/],
  ]
  for (const [body, headers, words] of refusals) {
    const reply = await event(body, headers)
    assert.deepEqual([reply.status, reply.json.error_code], [422, 'validation_failed'])
    assert.match(reply.json.message, words)
  }
})

test('a session of another property, a forged id or a view id is not found', async () => {
  const other = await footfall.addProperty()
  const own = (await track.load()).json
  const foreign = (await track.load({ key: other.key })).json.session_id
  for (const session_id of [
    foreign,
    own.view_id,
    own.session_id.toUpperCase(),
    `${own.session_id}0`,
    'x',
    '0'.repeat(32),
  ]) {
    for (const reply of [await event({ session_id, name: 'n' }), await acquisition({ session_id, value: 1 })]) {
      assert.deepEqual([reply.status, reply.json.error_code], [404, 'not_found'], session_id)
    }
  }
  const rows = await context.facts.query('test.none', 'SELECT 1 FROM events WHERE property = {id:String}', {
    id: other.id,
  })
  assert.deepEqual(rows, [])
})

test('an id is good weeks later', async () => {
  const session_id = await openSession()
  clock.advance(40 * 86_400_000)
  assert.equal(
    (await acquisition({ session_id, value: 100, currency_code: 'USD' })).json.data.session.value.amount,
    100,
  )
  clock.set(noon)
})

test('wrong fields are refused by name, and nothing is stored', async () => {
  const session_id = await openSession()
  const wrongEvents: readonly [object, string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: null }, 'name'],
    [{ name: 'n', meta: [] }, 'meta'],
    [{ name: 'n', meta: 'x' }, 'meta'],
    [{ name: 'n', value: {} }, 'value'],
    [{ name: 'n', value: [1] }, 'value'],
    [{ name: 'n', meta: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 1])) }, 'meta'],
  ]
  const wrongMoney: readonly [object, string][] = [
    [{ value: -1 }, 'value'],
    [{ value: 1.5 }, 'value'],
    [{ value: '100' }, 'value'],
    [{ value: null }, 'value'],
    [{ value: 2 ** 53 }, 'value'],
    [{ cost: -1 }, 'cost'],
    [{ cost: 0.5 }, 'cost'],
    [{ currency_code: 'US' }, 'currency_code'],
    [{ currency_code: 'USDT' }, 'currency_code'],
    [{ currency_code: 'XQX' }, 'currency_code'],
    [{ currency_code: '' }, 'currency_code'],
    [{ tags: 'a' }, 'tags'],
    [{ tags: ['x'.repeat(256)] }, 'tags.0'],
    [{ tags: [5] }, 'tags.0'],
  ]
  for (const [send, cases] of [
    [event, wrongEvents],
    [acquisition, wrongMoney],
  ] as const) {
    for (const [body, field] of cases) {
      const reply = await send({ session_id, ...body })
      assert.deepEqual(
        [reply.status, reply.json.error_code, Object.keys(reply.json.errors ?? {})],
        [422, 'validation_failed', [field]],
        JSON.stringify(body).slice(0, 60),
      )
    }
  }
  assert.equal((await acquisition({ session_id })).json.data.session.value, null)
})

test('a name of 255 characters and a value of nothing but digits are fine', async () => {
  const session_id = await openSession()
  assert.equal((await event({ session_id, name: '大'.repeat(255) })).json.data.event.name.length, 255)
})

test('only what is sent is touched: tags alone leave the value null, a currency alone does too', async () => {
  const session_id = await openSession()
  assert.deepEqual((await acquisition({ session_id, tags: ['b', 'a', 'b', ''] })).json, {
    code: 200,
    status: 'OK',
    data: { session: { id: session_id, acquisition_meta: { tags: ['b', 'a'] }, value: null } },
  })
  assert.equal((await acquisition({ session_id, currency_code: 'EUR' })).json.data.session.value, null)
  assert.equal((await acquisition({ session_id, cost: 500 })).json.data.session.value, null)
  clock.advance(1000)
  const { session } = (await acquisition({ session_id, value: 0, tags: ['c', 'a'] })).json.data
  assert.deepEqual(session, { id: session_id, acquisition_meta: { tags: ['b', 'a', 'c'] }, value: value(0, 0, 'EUR') })
  clock.set(noon)
})

test("the currency is the one named, else the session's, else dollars", async () => {
  const session_id = await openSession()
  assert.deepEqual((await acquisition({ session_id, value: 100 })).json.data.session.value, value(100, 100, 'USD'))
  clock.advance(1000)
  await acquisition({ session_id, currency_code: 'eur' })
  clock.advance(1000)
  const { value: both } = (await acquisition({ session_id, value: 1000 })).json.data.session
  // 0.853 euros a dollar: 100 cents are 85 euro cents, 1000 euro cents are 1172 cents.
  assert.deepEqual(both, value(1085, 1272, 'EUR'))
  clock.set(noon)
})

test('a currency counts in its own minor units', async () => {
  const yen = await openSession()
  assert.deepEqual(
    (await acquisition({ session_id: yen, value: 1000, currency_code: 'JPY' })).json.data.session.value,
    value(1000, 638, 'JPY'),
  )
  const dinar = await openSession()
  assert.deepEqual(
    (await acquisition({ session_id: dinar, value: 1000, currency_code: 'kwd' })).json.data.session.value,
    value(1000, 326, 'KWD'),
  )
})

test('each event is converted at the rate of its own day and rounded by itself', async () => {
  const session_id = await openSession()
  for (let i = 0; i < 3; i++) await acquisition({ session_id, value: 1, currency_code: 'JPY' })
  await context.records
    .insertInto('currency_rates')
    .values({ day: '2026-03-20', currency: 'JPY', per_usd: 100 })
    .execute()
  clock.set(Date.parse('2026-03-20T12:00:00Z'))
  // Three times 0.64 cents are three whole cents; a thousand yen of the later day are ten dollars.
  assert.deepEqual(
    (await acquisition({ session_id, value: 1000, currency_code: 'JPY' })).json.data.session.value,
    value(1003, 1003, 'JPY'),
  )
  clock.set(noon)
})

test('in another currency, too, each event is converted at the rate of its own day', async () => {
  const session_id = await openSession()
  await acquisition({ session_id, value: 1000, currency_code: 'JPY' })
  await acquisition({ session_id, value: 1000, currency_code: 'CHF' })
  await context.records
    .insertInto('currency_rates')
    .values({ day: '2026-03-25', currency: 'JPY', per_usd: 50 })
    .execute()
  clock.set(Date.parse('2026-03-25T12:00:00Z'))
  await acquisition({ session_id, value: 1000, currency_code: 'JPY' })
  clock.advance(1000)
  const { session } = (await acquisition({ session_id, currency_code: 'USD' })).json.data
  // 1000 yen at 156.8 a dollar, 10 francs at 0.793, 1000 yen at 50.
  assert.deepEqual(session.value, value(638 + 1261 + 2000, 638 + 1261 + 2000, 'USD'))
  clock.set(noon)
})

test('the value of a session is the sum of what was recorded, calls at the same moment included', async () => {
  const session_id = await openSession()
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      acquisition({ session_id, value: 100 + i, currency_code: 'USD', tags: [`t${i}`] }),
    ),
  )
  const { session } = (await acquisition({ session_id })).json.data
  assert.deepEqual(session.value, value(2190, 2190, 'USD'))
  assert.deepEqual(new Set(session.acquisition_meta.tags), new Set(Array.from({ length: 20 }, (_, i) => `t${i}`)))
})

test('an order that is reported again counts once and loses no tag; another amount or order counts', async () => {
  const session_id = await openSession()
  const order = { session_id, value: 4900, currency_code: 'USD' }
  await acquisition({ ...order, tags: ['first', 'shop:order:77'] })
  clock.advance(5000)
  const again = (await acquisition({ ...order, tags: ['shop:order:77', 'second'] })).json.data.session
  assert.deepEqual(again.value, value(4900, 4900, 'USD'))
  assert.deepEqual(new Set(again.acquisition_meta.tags), new Set(['first', 'second', 'shop:order:77']))
  assert.equal(
    (await acquisition({ ...order, value: 100, tags: ['shop:order:77'] })).json.data.session.value.amount,
    5000,
  )
  assert.equal((await acquisition({ ...order, tags: ['shop:order:78'] })).json.data.session.value.amount, 9900)
  assert.equal((await acquisition({ ...order, tags: ['none'] })).json.data.session.value.amount, 14_800)
  assert.equal((await acquisition({ ...order, tags: ['none'] })).json.data.session.value.amount, 19_700)
  const orders = await context.facts.query<{ order_id: string; name: string }>(
    'test.orders',
    "SELECT DISTINCT order_id, name FROM events FINAL WHERE property = {id:String} AND order_id != '' ORDER BY order_id",
    { id: property.id },
  )
  assert.deepEqual(orders, [
    { order_id: '77', name: 'order_revenue' },
    { order_id: '78', name: 'order_revenue' },
  ])
  clock.set(noon)
})

test('a token without the right to write records nothing', async () => {
  const session_id = await openSession()
  const token = await footfall.addToken(property.id, ['signals:read'])
  for (const path of ['event', 'acquisition']) {
    const answer = (given: string | null) =>
      call('POST', `/v2/property/session/${path}`, { body: { session_id, name: 'n', value: 1 }, token: given })
    assert.deepEqual(
      [(await answer(token)).status, (await answer(null)).status, (await answer('nobody')).status],
      [403, 401, 401],
    )
  }
  assert.equal((await acquisition({ session_id })).json.data.session.value, null)
})

test('a text is a number when all of it spells one', () => {
  const numbers = { '1': 1, ' 2.5 ': 2.5, '-3': -3, '+4': 4, '.5': 0.5, '1e3': 1000, '1.': 1 }
  for (const [text, number] of Object.entries(numbers)) assert.equal(numberIn(text), number, text)
  for (const text of ['', ' ', '1,5', '0x10', 'Infinity', 'NaN', '1e999', '12px', '1 2', 'true', '--1', '.', null])
    assert.equal(numberIn(text), null, String(text))
})
