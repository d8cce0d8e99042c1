// The tracker calls through the front door: real HTTP, real stores. What is answered as recorded is stored,
// anything else leaves no row.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CHROME, startFootfall, type CallOptions, type Reply, type Visitor } from '../../test/support/server.ts'
import { readSessionId, sessionId } from '../kernel/ids.ts'
import { openKeys } from '../kernel/keys.ts'
import { NEVER_MS } from '../stores/tables.ts'

const footfall = await startFootfall({ after })
const { context, property, track } = footfall
const call = (method: string, path: string, options?: CallOptions) => footfall.call(method, path, options)

interface StoredView {
  session: string
  view: string
  url: string
  path: string
  title: string
  source: string
  seconds: number
  scroll: number
  status: number
  width: number
  height: number
  is_bot: number
  bot_reason: string
  hostname: string
  library: string
  props: string
}

const viewsOf = (propertyId: string) =>
  context.facts.query<StoredView>(
    'test.views',
    'SELECT * FROM views FINAL WHERE property = {property:String} ORDER BY at, view',
    { property: propertyId },
  )

const eventsOf = (propertyId: string) =>
  context.facts.query<{ name: string; value: string | null; number: number | null; meta: object; by_visitor: number }>(
    'test.events',
    'SELECT * FROM events FINAL WHERE property = {property:String} ORDER BY at',
    { property: propertyId },
  )

/** Each promise is shown on a property of its own. */
async function freshProperty() {
  const { id, key } = await footfall.addProperty()
  return { id, key }
}

/** The three calls that name a session in their address. */
async function inEachWay(id: string, who: Visitor & { readonly key?: string } = {}): Promise<Reply[]> {
  const { address = '203.0.113.7', key = property.key } = who
  const headers = {
    'x-svc-id': key,
    'x-forwarded-for': address,
    'user-agent': CHROME,
    'accept-language': 'en-GB,en;q=0.9',
  }
  return [
    await track.event(id, 'x', who),
    await track.acquisition(id, { value: 1 }, who),
    await call('POST', `/v2/signal/${id}/identify`, { headers, body: { external_id: 'ada' } }),
  ]
}

const refusal = (reply: Reply) => ({ status: reply.status, success: reply.json.success, message: reply.json.message })

test('a load opens a session and its page view is stored as it was sent', async () => {
  const { id, key } = await freshProperty()
  const reply = await track.load({
    key,
    page: 'https://shop.example.com/päge?utm_source=news&gclid=abc&x=1#access_token=secret',
    title: 'Grüße — 大 🎈',
    referrer: 'https://www.google.com/',
    status: 404,
    viewport: '390x844',
  })
  assert.equal(reply.status, 200)
  assert.deepEqual({ success: reply.json.success, message: reply.json.message }, { success: true, message: 'ok' })
  assert.match(reply.json.session_id, /^[0-9a-z]{32}$/)
  assert.match(reply.json.view_id, /^[0-9a-z]{40}$/)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const [view, ...others] = await viewsOf(id)
  assert.ok(view)
  assert.deepEqual(others, [])
  assert.equal(view.url, 'https://shop.example.com/p%C3%A4ge?utm_source=news&x=1')
  assert.deepEqual([view.hostname, view.path, view.title], ['shop.example.com', '/p%C3%A4ge', 'Grüße — 大 🎈'])
  assert.deepEqual([view.status, view.width, view.height, view.is_bot], [404, 390, 844, 0])
})

/** As the browser library sends it: text without headers of its own. */
const loadBody = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/v2/signal/load', {
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'x-forwarded-for': '203.0.113.7',
      'user-agent': CHROME,
      'accept-language': 'en-GB,en;q=0.9',
      ...headers,
    },
    body,
  })

test('a load in a body without headers stores what one in headers does, in the same session', async () => {
  const { id, key } = await freshProperty()
  const page = 'https://shop.example.com/p%C3%A4ge?utm_source=news&gclid=abc&x=100%25#access_token=secret'
  const said = { title: 'Grüße — 大 🎈 100%25', status: 404, viewport: '390x844' }
  const referrer = 'https://www.google.com/?q=a%20b'
  const one = await track.load({ key, page, referrer, ...said, library: 'signals/1.1.0' })
  const { title, status, viewport: dim } = said
  const sent = { site_id: key, page, src: referrer, title, status, dim, lib: 'signals/1.1.0' }
  const other = await loadBody(sent)
  assert.deepEqual([other.json.success, other.headers.get('cache-control')], [true, 'no-store'])
  assert.equal(other.json.session_id, one.json.session_id)
  assert.equal((await track.ping(other.json.view_id, { key, tos: 3 })).json.success, true)
  const stored = await viewsOf(id)
  const [first, second] = stored.map((row) => ({ ...row, view: '', at: 0, seen: 0, seconds: 0 }))
  assert.equal(stored.length, 2)
  assert.deepEqual(second, first)
  assert.equal((await loadBody({ ...sent, site_id: undefined }, { 'x-svc-id': key })).json.success, true)
})

test('the properties of a page are stored as texts, within their limits, and what is none is left out', async () => {
  const { id, key } = await freshProperty()
  const load = { site_id: key, page: 'https://example.com/', lib: 'signals/1.2.0' }
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`k${at}`, at]))
  const cases: readonly (readonly [unknown, object])[] = [
    [
      {
        author: 'Ann',
        words: 1200,
        paid: false,
        none: null,
        empty: '',
        deep: { a: 1 },
        list: [1],
        ['x'.repeat(99)]: 'y',
      },
      { author: 'Ann', words: '1200', paid: 'false', ['x'.repeat(60)]: 'y' },
    ],
    [
      many,
      Object.fromEntries(
        Object.entries(many)
          .slice(0, 20)
          .map(([name, value]) => [name, `${value}`]),
      ),
    ],
    [
      { long: '🎈'.repeat(300), half: 'a\ud83d' },
      { long: '🎈'.repeat(200), half: 'a\ufffd' },
    ],
  ]
  for (const [props] of cases) assert.equal((await loadBody({ ...load, props })).json.success, true)
  const stored = (await viewsOf(id)).map(({ props }) => JSON.parse(props) as object)
  for (const [, expected] of cases)
    assert.ok(
      stored.some((props) => JSON.stringify(props) === JSON.stringify(expected)),
      JSON.stringify(stored),
    )
  for (const props of [undefined, null, [], ['a'], 'author', 7, {}])
    assert.equal((await loadBody({ ...load, props })).json.success, true)
  assert.deepEqual((await viewsOf(id)).filter(({ props }) => props === '').length, 7)
})

test('a load in a body names what it lacks, and stores nothing of what it refuses', async () => {
  const { id, key } = await freshProperty()
  const load = { site_id: key, page: 'https://example.com/', lib: 'signals/1.2.0' }
  const missing = { status: 200, success: false, message: 'Missing headers' }
  for (const body of [{}, null, [], undefined, { site_id: [key], page: {}, lib: null }]) {
    const reply = await loadBody(body)
    assert.deepEqual([refusal(reply), reply.json.errors], [missing, ['site_id', 'page', 'lib']])
  }
  assert.deepEqual((await loadBody({ ...load, page: undefined })).json.errors, ['page'])
  assert.equal((await loadBody({ ...load, site_id: 'ff_none' })).json.message, 'Signal ID not found')
  for (const page of ['javascript:alert(1)', '/path', `https://example.com/${'x'.repeat(9000)}`])
    assert.equal((await loadBody({ ...load, page })).json.message, 'Invalid page URL')
  assert.equal((await loadBody(load, { 'sec-purpose': 'prefetch;prerender' })).json.message, 'Prefetch ignored')
  const broken = await fetch(`${footfall.url}/v2/signal/load`, { method: 'POST', body: '{"site_id":' })
  assert.deepEqual([broken.status, ((await broken.json()) as Reply['json']).success], [200, false])
  assert.deepEqual(await viewsOf(id), [])
})

test('a click id is stored nowhere, whether it stands in the query, in a route or in the referrer', async () => {
  const { id, key } = await freshProperty()
  const pages = [
    'https://example.com/#/a?gclid=SECRET&utm_source=news',
    'https://example.com/?fbclid=SECRET#!/b?gclid=SECRET',
  ]
  for (const [at, page] of pages.entries())
    await track.load({ key, page, address: `203.0.113.${at + 40}`, referrer: 'https://a.org/?dclid=SECRET&b=1' })
  const views = await viewsOf(id)
  assert.deepEqual(
    new Map(views.map(({ url, path, source }) => [url, [path, source]])),
    new Map([
      ['https://example.com/#!/b', ['/#!/b', 'Facebook']],
      ['https://example.com/#/a?utm_source=news', ['/#/a', 'news']],
    ]),
  )
  assert.doesNotMatch(JSON.stringify(views), /SECRET/)
})

test('missing headers are named, each of them, and nothing is stored', async () => {
  const { id, key } = await freshProperty()
  const load = (headers: Record<string, string>) => call('GET', '/v2/signal/load', { headers })
  const all = { 'x-svc-id': key, 'x-svc-page': 'https%3A%2F%2Fexample.com%2F', 'x-svc-lib': '1.1.0' }
  assert.deepEqual((await load({})).json, {
    success: false,
    message: 'Missing headers',
    errors: ['X-SVC-ID', 'X-SVC-PAGE', 'X-SVC-LIB'],
  })
  for (const name of Object.keys(all)) {
    const reply = await load({ ...all, [name]: '' })
    assert.deepEqual(
      [reply.status, reply.json],
      [200, { success: false, message: 'Missing headers', errors: [name.toUpperCase()] }],
    )
  }
  assert.deepEqual(await viewsOf(id), [])
  assert.equal((await load(all)).json.success, true)
})

test('an unknown property key is answered in the same words by every call', async () => {
  const { session_id, view_id } = (await track.load()).json
  for (const key of ['ff_00000000000000000000', 'nothing', "'; DROP TABLE views; --", property.id]) {
    const replies = [
      await track.load({ key }),
      await track.ping(view_id, { key }),
      await track.event(session_id, 'x', { key }),
      await track.acquisition(session_id, { value: 1 }, { key }),
      await track.resolve({ key }),
      await call('POST', `/v2/signal/${session_id}/identify`, {
        headers: { 'x-svc-id': key },
        body: { email: 'a@example.com' },
      }),
    ]
    for (const reply of replies)
      assert.deepEqual(refusal(reply), { status: 200, success: false, message: 'Signal ID not found' })
  }
})

test('two first views at the same moment are one session with two views', async () => {
  const { id, key } = await freshProperty()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => track.load({ key, page: `https://example.com/${i}` })),
  )
  assert.equal(new Set(replies.map((reply) => reply.json.session_id)).size, 1)
  assert.equal(new Set(replies.map((reply) => reply.json.view_id)).size, 20)
  const views = await viewsOf(id)
  assert.equal(views.length, 20)
  assert.equal(new Set(views.map((view) => view.session)).size, 1)
})

test('visitors behind one address are told apart by agent and language, and properties never share a session', async () => {
  const other = await freshProperty()
  const visitors = [
    {},
    { agent: `${CHROME} Edg/142.0` },
    { language: 'fr' },
    { address: '203.0.113.8' },
    { key: other.key },
  ]
  const ids = await Promise.all(visitors.map(async (visitor) => (await track.load(visitor)).json.session_id as string))
  assert.equal(new Set(ids).size, visitors.length)
  assert.equal((await track.load({ agent: `${CHROME} Edg/142.0` })).json.session_id, ids[1])
})

test('a library below 1.1.0 sends page and title as they are', async () => {
  const { id, key } = await freshProperty()
  const raw = {
    'x-svc-page': 'https://example.com/100%25',
    'x-svc-title': Buffer.from('Größe 100%25').toString('latin1'),
  }
  assert.equal((await track.load({ key, library: '1.0.9', headers: raw })).json.success, true)
  const [view] = await viewsOf(id)
  assert.deepEqual([view?.path, view?.title], ['/100%25', 'Größe 100%25'])
})

test('a broken encoding loses no page view; a page that is none is refused', async () => {
  const { id, key } = await freshProperty()
  assert.equal(
    (
      await track.load({
        key,
        headers: { 'x-svc-title': '%E0%A4%A', 'x-svc-src': '%', 'x-svc-dim': 'axb', 'x-svc-status': 'x' },
      })
    ).json.success,
    true,
  )
  for (const page of ['%E0%A4%A', 'javascript:alert(1)', 'not a page', 'file:///x']) {
    const reply = await track.load({ key, headers: { 'x-svc-page': page } })
    assert.deepEqual(refusal(reply), { status: 200, success: false, message: 'Invalid page URL' })
  }
  assert.equal((await viewsOf(id)).length, 1)
})

test('a page fetched or rendered ahead is no page view', async () => {
  const { id, key } = await freshProperty()
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ] as Record<string, string>[]) {
    assert.deepEqual(refusal(await track.load({ key, headers })), {
      status: 200,
      success: false,
      message: 'Prefetch ignored',
    })
  }
  assert.deepEqual(await viewsOf(id), [])
})

test('pings may come late, twice and in any order: the largest figures stay', async () => {
  const { id, key } = await freshProperty()
  const { view_id } = (await track.load({ key })).json
  for (const [tos, max] of [
    [30, 80],
    [10, 20],
    [30, 80],
    [12, -1],
    [0, 0],
  ] as const) {
    assert.deepEqual((await track.ping(view_id, { key, tos, max, event: 'hidden' })).json, {
      success: true,
      message: 'ok',
    })
  }
  const [view, ...others] = await viewsOf(id)
  assert.deepEqual([view?.seconds, view?.scroll, others.length], [30, 80, 0])
})

test('figures of a ping are kept whole and within bounds; a wrong type is refused', async () => {
  const { id, key } = await freshProperty()
  const { view_id } = (await track.load({ key })).json
  await track.ping(view_id, { key, tos: 1e12, max: 1e12 })
  await track.ping(view_id, { key, tos: -5, max: -7 })
  await track.ping(view_id, { key, tos: 3.9, max: 40.9 })
  const [view] = await viewsOf(id)
  assert.deepEqual([view?.seconds, view?.scroll], [86_400, 100])
  for (const body of [
    { tos: '5' },
    { max: null },
    { tos: [1] },
    { event: 5 },
    { event: 'x'.repeat(256) },
    [],
    'text',
    5,
  ]) {
    const reply = await call('POST', `/v2/signal/${view_id}/ping`, {
      headers: { 'x-svc-id': key },
      body: JSON.stringify(body),
    })
    assert.deepEqual(
      [reply.status, reply.json.success, typeof reply.json.message],
      [200, false, 'string'],
      JSON.stringify(body),
    )
  }
})

test('a ping with an id that this property never gave out is refused, and so is a session of another property', async () => {
  const other = await freshProperty()
  const own = (await track.load()).json
  const foreign = (await track.load({ key: other.key })).json
  for (const id of [
    foreign.view_id,
    own.session_id,
    own.view_id.toUpperCase(),
    own.view_id.slice(0, -1),
    'x',
    '%00',
    encodeURIComponent('ü'.repeat(60)),
  ]) {
    assert.deepEqual(refusal(await track.ping(id)), { status: 200, success: false, message: 'Invalid page id' }, id)
  }
  for (const reply of await inEachWay(foreign.session_id))
    assert.deepEqual(refusal(reply), { status: 200, success: false, message: 'Session not found' })
  assert.deepEqual(await eventsOf(other.id), [])
})

test('with an id that nobody gave out, a visitor adds to the session of today, rebuilt from the request', async () => {
  const { id, key } = await freshProperty()
  const who = { key, address: '203.0.113.31' }
  const own = (await track.load(who)).json
  const session = readSessionId(context.keys, id, own.session_id)!
  const otherSecret = openKeys('another secret of more than thirty-two characters')
  const unknown = [
    sessionId(otherSecret, id, session),
    sessionId(context.keys, 'pr_thereisnosuchproperty', session),
    own.view_id,
    own.session_id.toUpperCase(),
    '0'.repeat(32),
    'undefined',
    'x',
    '%00',
    encodeURIComponent('ü'.repeat(60)),
  ]
  for (const text of unknown)
    for (const reply of await inEachWay(text, who)) assert.equal(reply.json.success, true, `${text} ${reply.text}`)
  const rows = await context.facts.query<{ session: string; kind: string; rows: string }>(
    'test.events',
    'SELECT toString(session) AS session, kind, toString(count()) AS rows FROM events FINAL WHERE property = {id:String} GROUP BY session, kind ORDER BY kind',
    { id },
  )
  assert.deepEqual(
    rows.map((row) => [row.session, row.kind, Number(row.rows)]),
    [
      [String(session.hash), 'acquisition', unknown.length],
      [String(session.hash), 'event', unknown.length],
      [String(session.hash), 'identify', 1],
    ],
  )
  const stranger = { key, address: '203.0.113.32' }
  for (const text of unknown)
    for (const reply of await inEachWay(text, stranger))
      assert.deepEqual(refusal(reply), { status: 200, success: false, message: 'Session not found' }, text)
})

test('a session of another property is known for one however many properties there are, and while the records are away', async (t) => {
  const others = await Promise.all(Array.from({ length: 600 }, () => footfall.addProperty()))
  const last = others.at(-1)!
  const foreign = (await track.load({ key: last.key })).json.session_id
  await track.load()
  const refused = { status: 200, success: false, message: 'Session not found' }
  assert.deepEqual(refusal(await track.event(foreign, 'x')), refused)
  t.mock.method(context.records, 'selectFrom', () => assert.fail('the records are away'))
  assert.deepEqual(refusal(await track.event(foreign, 'x')), refused)
  assert.equal((await track.event('x', 'x')).json.success, true)
})

test('a beacon may send JSON as text or as a form, with the property key in its body', async () => {
  const { id, key } = await freshProperty()
  const { view_id } = (await track.load({ key })).json
  for (const [i, type] of [
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'application/json',
  ].entries()) {
    const body = JSON.stringify({ site_id: key, event: 'pagehide', tos: 10 + i, max: 50 })
    const reply = await call('POST', `/v2/signal/${view_id}/ping`, { headers: { 'content-type': type }, body })
    assert.deepEqual([reply.status, reply.json], [200, { success: true, message: 'ok' }], type)
    assert.equal((await viewsOf(id))[0]?.seconds, 10 + i)
  }
  const keyless = await call('POST', `/v2/signal/${view_id}/ping`, { body: { tos: 1 } })
  assert.deepEqual(keyless.json, { success: false, message: 'Missing headers', errors: ['X-SVC-ID'] })
})

test('an event is stored with its value as text and number, and its details as text', async () => {
  const { id, key } = await freshProperty()
  const { session_id } = (await track.load({ key })).json
  const cases: readonly [value: unknown, text: string | null, number: number | null][] = [
    ['12.50', '12.50', 12.5],
    [7, '7', 7],
    [true, 'true', null],
    [null, null, null],
    ['abc', 'abc', null],
    ['0x10', '0x10', null],
    ['1e3', '1e3', 1000],
    ['', '', null],
    ['Infinity', 'Infinity', null],
  ]
  for (const [value] of cases)
    assert.deepEqual((await track.event(session_id, 'buy', { key, value })).json, { success: true, message: 'ok' })
  const rows = await eventsOf(id)
  assert.deepEqual(
    new Set(rows.map((row) => JSON.stringify([row.value, row.number]))),
    new Set(cases.map(([, text, number]) => JSON.stringify([text, number]))),
  )
  assert.ok(rows.every((row) => row.by_visitor === 1))
  const meta = { size: 5, ok: false, none: null, list: [1, { a: 2 }], text: 'ü\0' }
  await track.event(session_id, 'detail', { key, meta })
  const detail = (await eventsOf(id)).find((row) => row.name === 'detail')
  assert.deepEqual(detail?.meta, { size: '5', ok: 'false', none: '', list: '[1,{"a":2}]', text: 'ü' })
})

test('an event without a name, with a nested value or with details that are no object is refused and not stored', async () => {
  const { id, key } = await freshProperty()
  const { session_id } = (await track.load({ key })).json
  for (const body of [
    {},
    { event: '' },
    { event: 5 },
    { event: 'x'.repeat(256) },
    { event: 'x', value: {} },
    { event: 'x', value: [1] },
    { event: 'x', meta: [] },
    { event: 'x', meta: 'a' },
    { event: 'x', value: 'v'.repeat(2049) },
    { event: 'x', meta: { a: 'v'.repeat(2049) } },
    null,
  ]) {
    const reply = await call('POST', `/v2/signal/${session_id}/event`, {
      headers: { 'x-svc-id': key },
      body: JSON.stringify(body),
    })
    assert.deepEqual([reply.status, reply.json.success], [200, false], JSON.stringify(body)?.slice(0, 50))
  }
  assert.deepEqual(await eventsOf(id), [])
})

test('money and tags of a page are answered as the session now has them', async () => {
  const { key } = await freshProperty()
  const { session_id } = (await track.load({ key })).json
  const first = await track.acquisition(session_id, { value: 1050, currency_code: 'usd', tags: ['a', 'b'] }, { key })
  assert.deepEqual(first.json, {
    success: true,
    message: 'ok',
    acquisition_meta: { tags: ['a', 'b'] },
    value: { amount: 1050, amount_usd: 1050, currency: 'USD' },
  })
  for (const body of [
    { value: -1 },
    { value: 1.5 },
    { value: '5' },
    { currency_code: 'XX' },
    { currency_code: 'XQX', value: 1 },
    { tags: 'a' },
    { tags: [1] },
    { tags: ['x'.repeat(256)] },
  ]) {
    assert.equal((await track.acquisition(session_id, body, { key })).json.success, false, JSON.stringify(body))
  }
  assert.deepEqual((await track.acquisition(session_id, {}, { key })).json.value, {
    amount: 1050,
    amount_usd: 1050,
    currency: 'USD',
  })
})

test('resolve finds the session of a visitor, and none where no page was viewed', async () => {
  const { id, key } = await freshProperty()
  const visitor = { key, address: '203.0.113.20' }
  assert.deepEqual((await track.resolve(visitor)).json, {
    success: false,
    message: 'Session not found',
    session_id: null,
  })
  const { session_id } = (await track.load(visitor)).json
  assert.deepEqual((await track.resolve(visitor)).json, { success: true, message: 'ok', session_id })
  const proxied = await call('POST', '/v2/signal/resolve', {
    headers: {
      'x-svc-id': key,
      'user-agent': 'a proxy',
      'x-proxy-ip': '203.0.113.20',
      'x-proxy-user-agent': CHROME,
      'x-proxy-lang': 'en-GB,en;q=0.9',
    },
  })
  assert.equal(proxied.json.session_id, session_id)
  assert.equal((await track.resolve({ key, address: '203.0.113.21' })).json.success, false)
  assert.equal((await viewsOf(id)).length, 1)
})

test('resolve refuses a body that is none, and reads the property from one that is', async () => {
  const { key } = await freshProperty()
  const resolve = (body: unknown) => call('POST', '/v2/signal/resolve', { body })
  for (const body of [
    { site_id: { toString: 1 } },
    { site_id: [key] },
    { site_id: 5 },
    [key],
    'null',
    '"x"',
    '{"site_id":',
  ]) {
    const reply = await resolve(body)
    assert.deepEqual([reply.status, reply.json?.success], [200, false], `${JSON.stringify(body)} ${reply.text}`)
  }
  assert.match((await resolve({ site_id: [key] })).json.errors[0], /^site_id must be a text/)
  assert.equal((await resolve({ site_id: key })).json.message, 'Session not found')
  assert.equal((await resolve('')).json.message, 'Missing headers')
})

test('what a schema let through is stored whole, whatever characters it is of', async () => {
  const { id, key } = await freshProperty()
  const { session_id } = (await track.load({ key })).json
  const name = '🎈'.repeat(200)
  assert.equal((await track.event(session_id, name, { key })).json.success, true)
  assert.equal((await eventsOf(id))[0]?.name, name)
  const tags = [`${name}a`, `${name}b`]
  assert.deepEqual((await track.acquisition(session_id, { tags }, { key })).json.acquisition_meta, { tags })
})

test('a visitor whose proxy writes a port is one visitor', async () => {
  const { key } = await freshProperty()
  const ids = []
  for (const address of ['203.0.113.90', '203.0.113.90:41000', '[::ffff:203.0.113.90]:41001'])
    ids.push((await track.load({ key, address })).json.session_id)
  assert.equal(new Set(ids).size, 1)
})

test('a browser behind an ordinary reverse proxy cannot speak for another visitor', async () => {
  const { key } = await freshProperty()
  const victim = { key, address: '203.0.113.91' }
  const { session_id } = (await track.load(victim)).json
  const headers = { 'x-proxy-ip': '203.0.113.91', 'x-proxy-user-agent': CHROME, 'x-proxy-lang': 'en-GB,en;q=0.9' }
  const forged = await track.load({ key, address: '203.0.113.92', agent: 'Thief', headers })
  assert.notEqual(forged.json.session_id, session_id)
})

test('a visitor who asked not to be followed is never identified', async () => {
  const { key } = await freshProperty()
  const { session_id } = (await track.load({ key })).json
  const identify = (body: unknown, headers: Record<string, string> = {}) =>
    call('POST', `/v2/signal/${session_id}/identify`, { headers: { 'x-svc-id': key, ...headers }, body })
  assert.deepEqual((await identify({ email: 'a@example.com' }, { 'sec-gpc': '1' })).json, {
    success: true,
    contact_id: null,
    linked_to_session: false,
    gpc: true,
  })
  assert.match((await identify({})).json.message, /^identify requires external_id or email/)
  assert.equal((await identify({ email: 5 })).json.success, false)
})

test('a payment page in the middle of a session does not become its source', async () => {
  const { id, key } = await freshProperty()
  await track.load({ key, page: 'https://example.com/', referrer: 'https://www.google.com/' })
  await track.load({ key, page: 'https://example.com/thanks', referrer: 'https://checkout.stripe.com/pay' })
  const [session, ...others] = await context.facts.query<{ source: string; entry_path: string }>(
    'test.session',
    'SELECT tupleElement(entry_fold, 5) AS source, tupleElement(entry_fold, 3) AS entry_path FROM sessions FINAL WHERE property = {property:String}',
    { property: id },
  )
  assert.deepEqual([session, others], [{ source: 'Google', entry_path: '/' }, []])
})

test('a bot is answered like anybody and stored with its reason', async () => {
  const { id, key } = await freshProperty()
  assert.equal(
    (await track.load({ key, agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' })).json
      .success,
    true,
  )
  const [view] = await viewsOf(id)
  assert.deepEqual([view?.is_bot, view?.bot_reason], [1, 'agent'])
})

test('pages of any origin may call, and see why they were refused', async () => {
  const preflight = await call('OPTIONS', '/v2/signal/load', {
    headers: {
      origin: 'https://a.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-svc-id,x-svc-page',
    },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /X-SVC-PAGE/i)
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null)
  const refused = await call('GET', '/v2/signal/load', { headers: { origin: 'https://a.example' } })
  assert.equal(refused.headers.get('access-control-allow-origin'), '*')
})

test('broken, huge and hostile bodies are refused in words and leave nothing behind', async () => {
  const { id, key } = await freshProperty()
  const { session_id, view_id } = (await track.load({ key })).json
  const bodies = [
    '{',
    '',
    'null',
    '"x"',
    '[[[[',
    '{"event":"x","__proto__":{"a":1}}',
    `{"event":"${'x'.repeat(70_000)}"}`,
    '{"event":"\\ud800","value":"\\u0000"',
    '['.repeat(20_000),
    '\0',
  ]
  for (const path of [
    `/v2/signal/${session_id}/event`,
    `/v2/signal/${session_id}/identify`,
    `/v2/signal/${view_id}/ping`,
  ]) {
    for (const body of bodies) {
      const reply = await call('POST', path, { headers: { 'x-svc-id': key }, body })
      assert.ok(
        reply.status < 500 && reply.json?.success === false && typeof reply.json.message === 'string',
        `${path} ${body.slice(0, 20)} ${reply.text}`,
      )
    }
  }
  assert.deepEqual(await eventsOf(id), [])
  assert.equal((await viewsOf(id))[0]?.seconds, 0)
})

test('lone surrogates and prototype names in an event are stored as harmless text', async () => {
  const { id, key } = await freshProperty()
  const { session_id } = (await track.load({ key })).json
  const body = '{"event":"a\\ud800b","value":"\\udfff","meta":{"constructor":"c","toString":"t"}}'
  const reply = await call('POST', `/v2/signal/${session_id}/event`, { headers: { 'x-svc-id': key }, body })
  assert.equal(reply.json.success, true)
  const [row] = await eventsOf(id)
  assert.deepEqual([row?.name, row?.value, row?.meta], ['a\ufffdb', '\ufffd', { constructor: 'c', toString: 't' }])
})

test('a ping alone never becomes the first touch of a session', async () => {
  const { id, key } = await freshProperty()
  const { view_id } = (await track.load({ key })).json
  await track.ping(view_id, { key, tos: 5 })
  const [session] = await context.facts.query<{ entry: string }>(
    'test.entry',
    'SELECT toString(toUnixTimestamp64Milli(entry_at)) AS entry FROM sessions FINAL WHERE property = {property:String}',
    { property: id },
  )
  assert.ok(Number(session?.entry) < NEVER_MS)
})
