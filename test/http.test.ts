// What all endpoints share, through the front door: who may call, how often, how large, and how every refusal
// looks.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { before, after, describe, test } from 'node:test'
import { startFootfall, type Footfall, type Reply } from './support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
const NOON = Date.UTC(2026, 10, 18, 12)

before(async () => {
  footfall = await startFootfall(
    { after: (close) => closers.push(close) },
    { now: NOON, env: { PUBLIC_RATE_LIMIT: '120' } },
  )
})
after(async () => {
  for (const close of closers) await close()
})

function assertError(reply: Reply, status: number, errorCode: string): void {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.json.code, status)
  assert.equal(reply.json.status, 'Error')
  assert.equal(reply.json.error_code, errorCode)
  assert.ok(typeof reply.json.message === 'string' && reply.json.message.length > 0)
}

/** Each test counts for itself: the clock goes to a minute of its own. */
const nextMinute = (): void => footfall.clock.advance(60_000)

const EVENT = '/v2/property/session/event'
const sessionPath = (id: string): string => `/v2/signal/${id}/event`

describe('addresses', () => {
  test('an id is looked up whatever its length, and answered as any that is not there', async () => {
    nextMinute()
    for (const length of [1025, 2000, 12_000]) {
      const id = 'x'.repeat(length)
      for (const path of [
        `/v2/property/contacts/${id}`,
        `/v2/property/contacts/${id}/sessions`,
        `/manage/properties/${id}`,
      ])
        assertError(await footfall.call('GET', path), 404, 'not_found')
      const headers = { 'x-svc-id': footfall.property.key }
      const reply = await footfall.call('POST', sessionPath(id), { headers, body: { event: 'e' } })
      assert.deepEqual([reply.status, reply.json], [200, { success: false, message: 'Session not found' }])
      assert.equal(reply.headers.get('access-control-allow-origin'), '*')
    }
  })

  test('an unknown address answers 404 in the shape of all errors', async () => {
    for (const path of [
      '/nope',
      '/v2/property/nope',
      '/v2/signal',
      '/manage/nope',
      '/v2/signal/a/b/c/d',
      '/%zz',
      '/__proto__',
    ]) {
      assertError(await footfall.call('GET', path), 404, 'not_found')
    }
  })

  test('a known address asked with another method answers 405 and names those it has', async () => {
    const reply = await footfall.call('DELETE', EVENT)
    assertError(reply, 405, 'method_not_allowed')
    assert.equal(reply.headers.get('allow'), 'POST')
  })

  test('a HEAD of the tracker is no page view', async () => {
    nextMinute()
    const reply = await footfall.call('HEAD', '/v2/signal/load', {
      headers: { 'x-svc-id': footfall.property.key, 'x-svc-page': 'https://example.com/', 'x-svc-lib': '1.1.0' },
    })
    assert.equal(reply.status, 405)
  })
})

describe('bearer tokens', () => {
  const ask = async (token: string | null): Promise<Reply> =>
    footfall.call('POST', EVENT, { token, body: { session_id: 'x', name: 'n' } })

  test('no token, a malformed and an unknown one answer 401 and ask for a bearer', async () => {
    for (const token of [null, '', 'x', `fft_${'0'.repeat(40)}`, 'a'.repeat(5000), 'two words']) {
      const reply = await ask(token)
      assertError(reply, 401, 'unauthenticated')
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
    }
    const basic = await footfall.call('POST', EVENT, {
      token: null,
      headers: { authorization: `Basic ${footfall.token}` },
      body: {},
    })
    assertError(basic, 401, 'unauthenticated')
  })

  test('a token without the scope answers 403, and names the scope', async () => {
    const reader = await footfall.addToken(footfall.property.id, ['signals:read'])
    const reply = await ask(reader)
    assertError(reply, 403, 'insufficient_scope')
    assert.match(reply.json.message, /signals:write/)
  })

  test('who may not call is told so before the body is looked at', async () => {
    const reply = await footfall.call('POST', EVENT, { token: null, body: '{broken' })
    assertError(reply, 401, 'unauthenticated')
  })

  test('the administrator token opens /manage and nothing of a property, and the other way round', async () => {
    assert.equal((await footfall.call('GET', '/manage/properties')).status, 200)
    assertError(await footfall.call('GET', '/manage/properties', { token: footfall.token }), 401, 'unauthenticated')
    assertError(await footfall.call('GET', '/manage/properties', { token: null }), 401, 'unauthenticated')
    assertError(
      await footfall.call('GET', '/manage/properties', { token: `${footfall.admin}x` }),
      401,
      'unauthenticated',
    )
    assertError(await ask(footfall.admin), 401, 'unauthenticated')
  })

  test('a session of one property is not there for the token of another', async () => {
    nextMinute()
    const { session_id } = (await footfall.track.load()).json
    const other = await footfall.addProperty()
    const body = { session_id, name: 'signup' }
    assertError(await footfall.call('POST', EVENT, { token: other.token, body }), 404, 'not_found')
    assert.equal((await footfall.call('POST', EVENT, { body })).status, 200)
  })
})

describe('bodies', () => {
  test('broken JSON answers 422', async () => {
    for (const body of ['{', '{"a":', 'nonsense', '\u0000', '{"name":"x",}', '[1,2']) {
      assertError(await footfall.call('POST', EVENT, { body }), 422, 'validation_failed')
    }
  })

  test('a key that reaches into prototypes answers 422, however it is spelled', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', '__pr\\u006fto__']) {
      const reply = await footfall.call('POST', EVENT, {
        body: `{"name":"x","session_id":"y","meta":{"${key}":{"polluted":1}}}`,
      })
      assertError(reply, 422, 'validation_failed')
    }
    assert.equal(({} as { polluted?: number }).polluted, undefined)
  })

  test('a body over the limit answers 413: 64 KiB where no token is asked for, 1 MiB elsewhere', async () => {
    nextMinute()
    const big = (bytes: number): string => JSON.stringify({ name: 'x', session_id: 'y', value: 'a'.repeat(bytes) })
    assertError(await footfall.call('POST', EVENT, { body: big(1024 * 1024) }), 413, 'payload_too_large')
    const reply = await footfall.call('POST', sessionPath('x'), {
      headers: { 'x-svc-id': footfall.property.key },
      body: big(64 * 1024),
    })
    assertError(reply, 413, 'payload_too_large')
    assert.equal(reply.json.success, false)
    assert.equal(reply.headers.get('access-control-allow-origin'), '*')
  })

  test('a body that is no JSON answers 415', async () => {
    const headers = { 'content-type': 'application/xml' }
    assertError(await footfall.call('POST', EVENT, { headers, body: '<a/>' }), 415, 'unsupported_media_type')
    // A form on a foreign page could send these two with the owner's cookie.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const reply = await footfall.call('POST', '/manage/properties', {
        headers: { 'content-type': type },
        body: '{"name":"x"}',
      })
      assertError(reply, 415, 'unsupported_media_type')
    }
  })

  test('each field that is wrong is named with a sentence', async () => {
    const reply = await footfall.call('POST', EVENT, {
      body: { session_id: 'x', name: 'a'.repeat(256), meta: 'no object' },
    })
    assertError(reply, 422, 'validation_failed')
    assert.deepEqual(reply.json.errors.name, ['name may have at most 255 characters.'])
    assert.ok(reply.json.errors.meta[0].startsWith('meta '))
  })

  test('a megabyte of faults is answered with few of them', async () => {
    const body = { session_id: 'x', name: 'n', tags: Array.from({ length: 200_000 }, () => 1) }
    const reply = await footfall.call('POST', '/v2/property/session/acquisition', { body })
    assertError(reply, 422, 'validation_failed')
    assert.ok(reply.text.length < 20_000)
  })

  test('a beacon’s text/plain body is read as the JSON it is', async () => {
    nextMinute()
    const { view_id } = (await footfall.track.load()).json
    const reply = await footfall.call('POST', `/v2/signal/${view_id}/ping`, {
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
      body: JSON.stringify({ site_id: footfall.property.key, event: 'hidden', tos: 3, max: 50 }),
    })
    assert.deepEqual([reply.status, reply.json.success], [200, true], reply.text)
  })

  test('what is no HTTP, and headers that are too large, get an answer of the same shape', async () => {
    const answers = await Promise.all(
      ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`].map(raw),
    )
    assert.match(answers[0]!, /^HTTP\/1\.1 400 /)
    assert.match(answers[1]!, /^HTTP\/1\.1 431 /)
    for (const text of answers) assert.equal(JSON.parse(text.split('\r\n\r\n')[1]!).error_code, 'bad_request')
  })
})

/** Bytes on the wire, for what no client would send. */
async function raw(text: string): Promise<string> {
  const { port } = new URL(footfall.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (bytes) => (answer += bytes.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('what a client expects', () => {
  const ask = (expect: string, path: string, version = '1.1') =>
    raw(
      `POST ${path} HTTP/${version}\r\nHost: x\r\nExpect: ${expect}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    )

  test('an expectation that cannot be met is refused in the shape of all errors, and in that of the public endpoints there', async () => {
    nextMinute()
    for (const [path, extra] of [
      ['/nope', {}],
      ['/v2/signal/resolve', { success: false }],
      ['/manage/session', {}],
    ] as const) {
      const answer = await ask('tea', path)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      assert.match(head, /^HTTP\/1\.1 417 Expectation Failed\r\n/)
      assert.match(head, /content-type: application\/json/i)
      const { message, ...rest } = JSON.parse(body)
      assert.deepEqual(rest, { code: 417, status: 'Error', error_code: 'expectation_failed', ...extra }, path)
      assert.equal(typeof message, 'string')
    }
    assert.match(await ask('tea', '/v2/signal/resolve'), /access-control-allow-origin: \*\r\n/i)
    const shortLink = await raw('GET /a/nothing HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n')
    assert.match(shortLink, /^HTTP\/1\.1 417 /)
  })

  test('a client that waits to be told to go on is told so, and one of HTTP/1.0 expects nothing', async () => {
    nextMinute()
    assert.match(await ask('100-Continue', '/v2/signal/resolve'), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
    assert.match(await ask('tea', '/v2/signal/resolve', '1.0'), /^HTTP\/1\.1 200 /)
  })

  test('what is refused for its expectation is counted like any other', async () => {
    nextMinute()
    assert.match(await ask('tea', '/v2/signal/resolve'), /ratelimit-remaining: 119\r\n/i)
  })
})

describe('pages of any origin', () => {
  const origin = { origin: 'https://shop.example' }

  test('a preflight is answered with exactly the headers of the browser libraries, and without a look at the property', async () => {
    for (const [path, method, methods = method] of [
      ['/v2/signal/load', 'GET', 'GET, POST'],
      ['/v2/signal/abc/ping', 'POST'],
      ['/v2/signal/resolve', 'POST'],
    ] as const) {
      const reply = await footfall.call('OPTIONS', path, {
        headers: {
          ...origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'x-svc-id,x-svc-page',
        },
      })
      assert.equal(reply.status, 204)
      assert.equal(reply.headers.get('access-control-allow-origin'), '*')
      assert.equal(reply.headers.get('access-control-allow-methods'), `${methods}, OPTIONS`)
      assert.deepEqual(reply.headers.get('access-control-allow-headers')?.split(', '), [
        'Content-Type',
        'X-SVC-ID',
        'X-SVC-PAGE',
        'X-SVC-LIB',
        'X-SVC-TITLE',
        'X-SVC-SRC',
        'X-SVC-STATUS',
        'X-SVC-DIM',
        'X-SVC-FORM',
        'X-SVC-SID',
        'X-SVC-SESSION',
      ])
      assert.equal(reply.headers.get('access-control-allow-credentials'), null)
      assert.equal(reply.headers.get('access-control-max-age'), '86400')
    }
  })

  test('every answer of a public endpoint may be read by the page, refusals too', async () => {
    nextMinute()
    const replies = [
      await footfall.track.load(),
      await footfall.track.load({ key: 'unknown' }),
      await footfall.call('POST', sessionPath('x'), { headers: origin, body: '{broken' }),
    ]
    for (const reply of replies) {
      assert.equal(reply.headers.get('access-control-allow-origin'), '*', reply.text)
      assert.match(reply.headers.get('access-control-expose-headers') ?? '', /Retry-After/)
    }
  })

  test('no page may read what takes a token', async () => {
    for (const path of [EVENT, '/manage/properties', '/healthz', '/metrics']) {
      const reply = await footfall.call('OPTIONS', path, {
        headers: { ...origin, 'access-control-request-method': 'POST' },
      })
      assert.equal(reply.headers.get('access-control-allow-origin'), null)
      assert.notEqual(reply.status, 204)
    }
  })
})

describe('limits', () => {
  test('the 121st public request of an address in a minute answers 429, with the time to wait, whichever endpoint it asks', async () => {
    nextMinute()
    footfall.clock.advance(15_000)
    const address = '198.51.100.20'
    const first = await footfall.track.load({ address })
    assert.deepEqual(
      ['limit', 'remaining', 'reset'].map((name) => first.headers.get(`ratelimit-${name}`)),
      ['120', '119', '45'],
    )
    for (let made = 1; made < 120; made += 17)
      await Promise.all(Array.from({ length: 17 }, () => footfall.track.resolve({ address })))
    const refused = await footfall.track.load({ address })
    assertError(refused, 429, 'rate_limited')
    assert.equal(refused.json.success, false)
    assert.equal(refused.headers.get('retry-after'), '45')
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
    assert.equal((await footfall.track.load({ address: '198.51.100.21' })).status, 200, 'another address')
    nextMinute()
    assert.equal((await footfall.track.load({ address })).status, 200, 'the next minute')
  })

  test('of 130 requests at once exactly ten are too many', async () => {
    nextMinute()
    const replies = await Promise.all(
      Array.from({ length: 130 }, () => footfall.track.resolve({ address: '198.51.100.30' })),
    )
    assert.equal(replies.filter((reply) => reply.status === 429).length, 10)
  })

  test('an IPv6 visitor does not get a fresh limit with each address of its network', async () => {
    nextMinute()
    const replies = await Promise.all(
      Array.from({ length: 125 }, (_, at) => footfall.track.resolve({ address: `2001:db8:1:2::${at.toString(16)}` })),
    )
    assert.equal(replies.filter((reply) => reply.status === 429).length, 5)
    assert.equal((await footfall.track.resolve({ address: '2001:db8:1:3::1' })).status, 200)
  })

  test('a preflight is not counted', async () => {
    nextMinute()
    const headers = { 'x-forwarded-for': '198.51.100.40' }
    for (let made = 0; made < 3; made++) await footfall.call('OPTIONS', '/v2/signal/load', { headers })
    assert.equal((await footfall.track.load({ address: '198.51.100.40' })).headers.get('ratelimit-remaining'), '119')
  })

  test('the 601st request of a token in a minute answers 429, and another token is not held back', async () => {
    nextMinute()
    const busy = await footfall.addToken(footfall.property.id, ['signals:read'])
    const ask = async (token: string): Promise<Reply> => footfall.call('POST', EVENT, { token, body: {} })
    for (let made = 0; made < 600; made += 50) await Promise.all(Array.from({ length: 50 }, () => ask(busy)))
    assertError(await ask(busy), 429, 'rate_limited')
    assert.notEqual((await ask(footfall.token)).status, 429)
  })
})

describe('for the machine that runs it', () => {
  test('healthz and readyz answer, and readyz names both stores and the disk', async () => {
    assert.deepEqual((await footfall.call('GET', '/healthz')).json, { status: 'OK' })
    assert.deepEqual((await footfall.call('GET', '/readyz')).json, {
      status: 'OK',
      records: true,
      facts: true,
      disk: true,
      away: [],
    })
  })

  test('metrics count requests by route, never by the address asked for', async () => {
    nextMinute()
    await footfall.track.ping('a-made-up-id')
    const { status, text } = await footfall.call('GET', '/metrics')
    assert.equal(status, 200)
    assert.match(
      text,
      /footfall_http_request_duration_seconds_count\{method="POST",route="\/v2\/signal\/:viewId\/ping",status="200"\} \d+/,
    )
    assert.match(text, /footfall_facts_inserts_total \d+/)
    assert.match(text, /process_resident_memory_bytes \d+/)
    assert.doesNotMatch(text, /a-made-up-id/)
  })

  test('metrics that a proxy passes on need the administrator token', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip']) {
      assertError(await footfall.call('GET', '/metrics', { headers: { [name]: '127.0.0.1' } }), 401, 'unauthenticated')
    }
    const reply = await footfall.call('GET', '/metrics', {
      headers: { 'x-forwarded-for': '203.0.113.1' },
      token: footfall.admin,
    })
    assert.equal(reply.status, 200)
  })

  test('metrics asked for by the name of a site need the administrator token, even where its proxy adds no headers', async () => {
    const statusOf = async (host: string) =>
      (await footfall.app.inject({ url: '/metrics', headers: { host } })).statusCode
    for (const host of ['stats.example.com', 'localhost.example.com:8080', '127.0.0.1.example.com', '%'])
      assert.equal(await statusOf(host), 401, host)
    for (const host of ['localhost:8080', '127.0.0.1', '127.0.0.2:80', '[::1]:8080', 'LocalHost'])
      assert.equal(await statusOf(host), 200, host)
  })

  test('the interface is described whole: every endpoint with a summary and with who may call', async () => {
    const { json } = await footfall.call('GET', '/openapi.json')
    assert.equal(json.openapi, '3.1.0')
    const operations = Object.entries<Record<string, { summary?: string; security?: object[] }>>(json.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
    )
    for (const known of ['get /v2/signal/load', 'post /v2/property/session/event', 'post /manage/properties']) {
      assert.ok(
        operations.some(({ name }) => name === known),
        known,
      )
    }
    assert.deepEqual(
      operations.filter(({ summary }) => !summary).map(({ name }) => name),
      [],
    )
    const open = operations.filter(
      ({ name, security }) => !security && !/\/(healthz|readyz|icons\/.*|\w+\.js)$/.test(name),
    )
    assert.deepEqual(
      open.map(({ name }) => name),
      [],
    )
  })

  test('the documentation loads nothing from elsewhere, and runs under a policy that would forbid it', async () => {
    const reply = await footfall.call('GET', '/docs/')
    const page = reply.status === 200 ? reply : await footfall.call('GET', '/docs')
    assert.equal(page.status, 200)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.doesNotMatch(page.text, /(?:src|href)="(?:https?:)?\/\//)
  })

  test('answers are not kept, framed or guessed at', async () => {
    const { headers } = await footfall.call('GET', '/nope')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })
})

test('an address given by a proxy that is not trusted does not count', async () => {
  nextMinute()
  // The test server trusts 127.0.0.1; a connection over 127.0.0.2 is a stranger whose header is a lie.
  const ask = async (address: string): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const options = {
        localAddress: '127.0.0.2',
        method: 'POST',
        headers: { 'x-svc-id': footfall.property.key, 'x-forwarded-for': address },
      }
      const call = httpRequest(`${footfall.url}/v2/signal/resolve`, options, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.headers['ratelimit-remaining'] as string | undefined))
      })
      call.on('error', reject)
      call.end()
    })
  assert.equal(await ask('198.51.100.50'), '119')
  assert.equal(await ask('198.51.100.51'), '118', 'both are counted as 127.0.0.2')
})
