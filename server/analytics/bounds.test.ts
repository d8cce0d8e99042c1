// How large a question may be, whoever asks it; and that it ends when nobody waits for the answer any more.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { type Footfall, startFootfall } from '../../test/support/server.ts'
import { eventually } from '../../test/support/site.ts'
import { currentAsker } from '../queues/asker.ts'
import type { Facts } from '../stores/facts.ts'

const GRAPH = '/v2/property/signals/analytics/graph'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
after(async () => {
  for (const close of closers) await close()
})
before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) })
})

const clausesOf = (id: string, count: number, op = 'not_contains') =>
  Array.from({ length: count }, (_, n) => ({ id, op, value: `/page/${n}` }))

test('all values together have a bound in bytes', async () => {
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const valuesOf = (bytes: number, letter = 'x') =>
    Array.from({ length: 10 }, (_, n) => ({
      id: 'city',
      op: 'equals',
      value: [letter.repeat(bytes / 10 / Buffer.byteLength(letter)), n],
    }))
  const fits = await call('POST', GRAPH, { body: { clauses: valuesOf(16_000) } })
  assert.equal(fits.status, 200, fits.text)
  for (const clauses of [valuesOf(16_400), valuesOf(16_400, '中')]) {
    const { status, json } = await call('POST', GRAPH, { body: { clauses } })
    assert.deepEqual([status, json.error_code, Object.keys(json.errors)], [422, 'validation_failed', ['clauses']])
    assert.match(json.message, /16384 bytes/)
  }
})

test('clauses about pages, events and forms are at most ten, and others are not counted with them', async () => {
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const mixed = [...clausesOf('page_path', 4), ...clausesOf('event_name', 3, 'equals'), ...clausesOf('form', 3)]
  const fits = await call('POST', GRAPH, { body: { clauses: [...mixed, ...clausesOf('city', 30)] } })
  assert.equal(fits.status, 200, fits.text)
  for (const id of ['page_path', 'event_value', 'form']) {
    const { status, json } = await call('POST', GRAPH, { body: { clauses: [...mixed, ...clausesOf(id, 1)] } })
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['clauses']], id)
  }
})

test('clauses about one table are asked together, and mean what each of them means', async () => {
  const { track, property, context } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  for (const [address, pages] of Object.entries({
    '198.51.100.1': ['/a', '/b'],
    '198.51.100.2': ['/a', '/c'],
    '198.51.100.3': ['/b', '/d'],
    '198.51.100.4': ['/a', '/b', '/e'],
  }))
    for (const page of pages) await track.load({ address, page: `https://example.com${page}`, key: property.key })
  const statements: string[] = []
  const query = context.facts.query.bind(context.facts)
  const watch: Facts['query'] = (name, sql, params) => {
    statements.push(sql)
    return query(name, sql, params)
  }
  Object.assign(context.facts, { query: watch })
  const count = async (...clauses: (readonly [op: string, value: unknown])[]): Promise<number> => {
    const body = { period: 'today', clauses: clauses.map(([op, value]) => ({ id: 'page_path', op, value })) }
    const { json } = await call('POST', GRAPH, { body })
    return json.graph.series.reduce((sum: number, point: { value: number }) => sum + point.value, 0)
  }
  try {
    assert.equal(await count(['equals', '/a'], ['equals', '/b']), 2)
    assert.equal(await count(['equals', '/a'], ['contains', 'B'], ['not_equals', '/e']), 1)
    assert.equal(await count(['not_equals', '/c'], ['not_contains', 'd']), 2)
    assert.equal(await count(['equals', ['/c', '/d']], ['contains', ''], ['is_set', undefined]), 2)
    assert.equal(await count(['is_not_set', undefined], ['equals', '/a']), 0)
    const tables = statements.map((sql) => sql.match(/FROM views/g)?.length ?? 0)
    assert.ok(Math.max(...tables) <= 2, `${tables.join(', ')} readings of views`)
  } finally {
    Object.assign(context.facts, { query })
  }
})

test('long texts are looked for as short ones are', async () => {
  const { track, property } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const long = 'x'.repeat(300)
  const page = `https://example.com/Long/${long}`
  await track.load({ address: '198.51.100.77', page, key: property.key })
  for (const [op, value, found] of [
    ['contains', [`LONG/${long}`, 'nothing'], 1],
    ['contains', ['nothing', `${long}x`], 0],
    ['starts_with', ['nothing', '/LONG/'], 1],
    ['ends_with', [`G/${long}`, long], 1],
    ['ends_with', [`${long}y`], 0],
  ] as const) {
    const body = { period: 'today', clauses: [{ id: 'entry_path_full', op, value }] }
    const { json } = await call('POST', GRAPH, { body })
    const sessions = json.graph.series.reduce((sum: number, point: { value: number }) => sum + point.value, 0)
    assert.equal(sessions, found, `${op} ${value.join(' ')}`)
  }
})

/** The questions of a property take for ever from now on. */
function slowDown({ context }: Footfall, t: { after(end: () => void): void }, propertyId: string): void {
  const query = context.facts.query.bind(context.facts)
  const forEver: Facts['query'] = (name, sql, params) =>
    currentAsker()?.propertyId === propertyId
      ? query(name, 'SELECT count() AS edge FROM numbers(1000000000000) WHERE number % 7 = 8')
      : query(name, sql, params)
  Object.assign(context.facts, { query: forEver })
  t.after(() => Object.assign(context.facts, { query }))
}

const running = async ({ context }: Footfall): Promise<number> => {
  const sql =
    "SELECT count() AS running FROM system.processes WHERE query LIKE '%numbers(10000%' AND query NOT LIKE '%processes%'"
  return Number((await context.facts.lookup<{ running: string }>('test', sql))[0]?.running)
}

test('a question ends when its caller hangs up, and one that has not begun never begins', async (t) => {
  slowDown(footfall, t, footfall.property.id)
  const { port } = new URL(footfall.url)
  const body = '{}'
  const head = `POST ${GRAPH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${footfall.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
  const sockets = Array.from({ length: 6 }, () => connect(Number(port), '127.0.0.1'))
  for (const socket of sockets) socket.write(head + body)
  await eventually(
    () => running(footfall),
    (count) => count > 0,
  )
  for (const socket of sockets) socket.destroy()
  await eventually(
    () => running(footfall),
    (count) => count === 0,
  )
  await new Promise(setImmediate)
  assert.equal(await running(footfall), 0)
})

/** The answer, once there is one; until then the question waits. */
interface Asked {
  status?: number
  body?: unknown
  retryAfter?: string | null
}

/**
 * Questions that nobody waits for any more when the test has ended; each is another one, or they would share
 * one answer.
 */
function openAsking(t: { after(end: () => void): void }) {
  const over = new AbortController()
  let count = 0
  t.after(() => over.abort())
  return (token: string): Asked => {
    const asked: Asked = {}
    const body = JSON.stringify({ clauses: [{ id: 'city', op: 'equals', value: `City ${++count}` }] })
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    fetch(footfall.url + GRAPH, { method: 'POST', headers, body, signal: over.signal }).then(
      async (answer) => {
        asked.body = await answer.json()
        asked.retryAfter = answer.headers.get('retry-after')
        asked.status = answer.status
      },
      () => undefined, // hung up
    )
    return asked
  }
}

async function createToken(propertyId: string, name: string): Promise<string> {
  const body = { name, scopes: ['signals:read'] }
  const { json } = await footfall.call('POST', `/manage/properties/${propertyId}/tokens`, { body })
  return json.data.access_token
}

/** All of them wait but those: as many questions as may be under way and wait, and these are told so. */
async function refusedOf(asked: readonly Asked[], count: number): Promise<Asked[]> {
  const answered = () => asked.filter(({ status }) => status !== undefined)
  await eventually(
    async () => answered().length,
    (number) => number >= count,
    60_000,
  )
  assert.equal(answered().length, count)
  return answered()
}

test('who has too many questions waiting is told so, their property when it has, and everybody else is answered', async (t) => {
  const { property } = footfall
  const call: Footfall['call'] = (...asked) => footfall.call(...asked)
  const other = await call('POST', '/manage/properties', { body: { name: 'Other', domains: ['other.example'] } })
  const elsewhere = await createToken(other.json.data.property.id, 'Elsewhere')
  const tokens: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) tokens.push(await createToken(property.id, name))
  slowDown(footfall, t, property.id)
  const ask = openAsking(t)
  const times = (count: number, token: string | undefined) => Array.from({ length: count }, () => ask(token!))
  const tooMany = { status: 'Error', error_code: 'rate_limited', message: 'Too many of your queries are waiting.' }

  const first = times(205, tokens[0])
  for (const { status, body, retryAfter } of await refusedOf(first, 3)) {
    assert.deepEqual([status, retryAfter], [429, '2'])
    assert.deepEqual(body, { code: 429, ...tooMany })
  }
  const others = tokens.slice(1, 4).flatMap((token) => times(201, token))
  assert.deepEqual(new Set((await refusedOf(others, 3)).map(({ status }) => status)), new Set([429]))
  const last = ask(tokens[4]!)
  await refusedOf([last], 1)
  assert.deepEqual([last.status, last.retryAfter], [503, '2'])
  assert.deepEqual(last.body, {
    code: 503,
    status: 'Error',
    error_code: 'unavailable',
    message: 'Too many queries are waiting.',
  })
  assert.equal((await call('POST', GRAPH, { token: elsewhere, body: {} })).status, 200)
  assert.equal(first.filter(({ status }) => status === undefined).length, 202, 'the others wait on')
})
