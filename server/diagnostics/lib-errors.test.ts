// Failures of the browser libraries: what is taken, what is refused in its own shape, what of a text is kept,
// and what the owner is shown.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { rounds } from '../../test/support/long.ts'
import { CHROME, type Footfall, startFootfall, type TestProperty } from '../../test/support/server.ts'
import { MAX_LIB_ERROR, readLibError } from './lib-error-text.ts'

const NOW = Date.parse('2026-11-18T10:00:00Z')
const DAY_MS = 86_400_000
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: NOW })
})
after(async () => {
  for (const close of closers) await close()
})

const invalidPayload = { code: 422, status: 'Error', data: { error: 'Invalid payload' } }
const invalidProperty = { code: 422, status: 'Error', data: { error: 'Invalid property' } }

function report(body: unknown, headers: Record<string, string> = {}, agent = CHROME) {
  return footfall.call('POST', '/v2/lib/error', { body, headers: { 'user-agent': agent, ...headers } })
}

async function told(property: TestProperty, error: string, { lib = 'signals', agent = CHROME } = {}): Promise<void> {
  const { status, json, text } = await report({ property_id: property.key, error, lib }, {}, agent)
  assert.deepEqual([status, json], [200, { code: 200, status: 'OK', data: { ok: true } }], text)
}

async function shown(property: TestProperty, query: Record<string, string> = {}) {
  const { status, json, text } = await footfall.call('GET', `/manage/properties/${property.id}/lib-errors`, { query })
  assert.equal(status, 200, text)
  return json.data
}

test('what is reported is told to its owner: by day, message and library, with browsers, and bots apart', async () => {
  const property = await footfall.addProperty()
  const other = await footfall.addProperty()
  await told(property, 'Failed to fetch')
  footfall.clock.advance(DAY_MS)
  for (let n = 0; n < 3; n++) await told(property, 'Failed to fetch')
  await told(property, 'Failed to fetch', { agent: FIREFOX })
  await told(property, 'Failed to fetch', { lib: 'form' })
  await told(property, ' x is\n undefined ', { agent: '' })
  await told(property, 'Failed to fetch', { agent: BOT })
  await told(other, 'Failed to fetch')
  // By its id too.
  assert.equal((await report({ property_id: property.id, error: 'Failed to fetch', lib: 'form' })).status, 200)

  const { data, total, current_page } = await shown(property)
  assert.deepEqual([total, current_page], [2, 1])
  assert.deepEqual(data, [
    {
      day: '2026-11-19',
      count: 6,
      bots: 2,
      errors: [
        {
          message: 'Failed to fetch',
          lib: 'signals',
          count: 4,
          browsers: [
            { browser: 'Chrome', count: 3 },
            { browser: 'Firefox', count: 1 },
          ],
        },
        { message: 'Failed to fetch', lib: 'form', count: 2, browsers: [{ browser: 'Chrome', count: 2 }] },
      ],
    },
    {
      day: '2026-11-18',
      count: 1,
      bots: 0,
      errors: [{ message: 'Failed to fetch', lib: 'signals', count: 1, browsers: [{ browser: 'Chrome', count: 1 }] }],
    },
  ])
  assert.deepEqual(
    (await shown(property, { per_page: '1', page: '2' })).data.map(({ day }: { day: string }) => day),
    ['2026-11-18'],
  )
  assert.deepEqual((await shown(property, { period: 'today' })).total, 1)
  const custom = { period: 'custom', date_from: '2026-11-18', date_to: '2026-11-18' }
  assert.equal((await shown(property, custom)).data[0].count, 1)
  assert.deepEqual((await shown(other)).data[0].count, 1)
  assert.deepEqual((await shown(await footfall.addProperty())).data, [])
})

test('days are those of the clock of the property, also where it is set forward', async () => {
  const property = await footfall.addProperty({ timezone: 'America/New_York' })
  const came = async (at: string, error: string) => {
    footfall.clock.set(Date.parse(at))
    await told(property, error)
  }
  await came('2027-03-14T04:30:00Z', 'late on Saturday')
  await came('2027-03-14T05:30:00Z', 'Sunday, of 23 hours')
  await came('2027-03-15T03:59:59Z', 'Sunday, of 23 hours')
  await came('2027-03-15T04:00:00Z', 'Monday')
  await came('2027-03-17T12:00:00Z', 'Wednesday')
  const days = async (query: Record<string, string>) =>
    (await shown(property, query)).data.map((one: { day: string; errors: { message: string; count: number }[] }) => [
      one.day,
      ...one.errors.map(({ message, count }) => `${message} ${count}`),
    ])
  const all = [
    ['2027-03-17', 'Wednesday 1'],
    ['2027-03-15', 'Monday 1'],
    ['2027-03-14', 'Sunday, of 23 hours 2'],
    ['2027-03-13', 'late on Saturday 1'],
  ]
  assert.deepEqual(await days({ period: 'last_7' }), all)
  assert.deepEqual(await days({ period: 'last_7', page: '2', per_page: '2' }), all.slice(2))
  assert.deepEqual(await days({ period: 'custom', date_from: '2027-03-14', date_to: '2027-03-14' }), [all[2]])
  footfall.clock.set(NOW + 2 * DAY_MS)
})

test('the twenty most frequent messages of a day are listed, with the five most frequent browsers of each', async () => {
  const property = await footfall.addProperty()
  const day = new Date(footfall.clock.now()).toISOString().slice(0, 10)
  const rows = Array.from({ length: 25 }, (_, n) =>
    Array.from({ length: 30 - n }, (__, i) => ({
      property: property.id,
      day,
      lib: 'signals',
      message: `Failure ${String.fromCharCode(65 + n)}`,
      id: String(n * 100 + i),
      at: footfall.clock.now(),
      browser: `Browser ${i % 7}`,
    })),
  ).flat()
  // A row that is there twice is one report.
  await footfall.context.facts.appendAll('lib_errors', rows)
  await footfall.context.facts.appendAll('lib_errors', rows)
  const { errors, count } = (await shown(property)).data[0]
  assert.deepEqual([errors.length, count], [20, rows.length])
  assert.deepEqual([errors[0].message, errors[0].count, errors[19].message], ['Failure A', 30, 'Failure T'])
  assert.deepEqual(
    errors[0].browsers.map(({ count: of }: { count: number }) => of),
    [5, 5, 4, 4, 4],
  )
})

test('the list is for the administrator, of one property, and of a window that can be', async () => {
  const { property } = footfall
  const path = `/manage/properties/${property.id}/lib-errors`
  for (const token of [null, footfall.token]) assert.equal((await footfall.call('GET', path, { token })).status, 401)
  assert.equal((await footfall.call('GET', '/manage/properties/pr_none/lib-errors')).status, 404)
  for (const query of [{ period: 'never' }, { period: 'custom' }, { page: '0' }, { per_page: '101' }])
    assert.equal((await footfall.call('GET', path, { query })).status, 422, JSON.stringify(query))
})

test('what is no report is refused in the words of the contract', async () => {
  const { key } = footfall.property
  const good = { property_id: key, error: 'x', lib: 'form' }
  assert.equal((await report(good)).status, 200)
  for (const body of [
    {},
    [],
    'null',
    '',
    'x',
    '{"a":',
    '{"__proto__":1}',
    '['.repeat(500),
    { ...good, error: undefined },
    { ...good, property_id: undefined },
    { ...good, lib: undefined },
    { ...good, lib: 'content' },
    { ...good, lib: ['form'] },
    { ...good, error: '' },
    { ...good, error: ' \n\u0000\u202E ' },
    { ...good, error: { message: 'x' } },
    { ...good, property_id: 7 },
    { ...good, property_id: '' },
  ]) {
    const { status, json } = await report(body)
    assert.deepEqual([status, json], [422, invalidPayload], JSON.stringify(body))
  }
  for (const property_id of ['ff_0000000000000000000000', 'pr_none', '%00', "'", 'x'.repeat(255), `${key} `]) {
    const { status, json, headers } = await report({ ...good, property_id })
    assert.deepEqual([status, json], [422, invalidProperty], property_id)
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
})

test('a beacon may send it as text, and a form as a form', async () => {
  const property = await footfall.addProperty()
  const body = { property_id: property.key, error: 'x', lib: 'form' }
  assert.equal((await report(JSON.stringify(body), { 'content-type': 'text/plain;charset=UTF-8' })).status, 200)
  const form = new URLSearchParams(body).toString()
  assert.equal((await report(form, { 'content-type': 'application/x-www-form-urlencoded' })).status, 200)
  assert.equal((await shown(property)).data[0].count, 2)
  const large = await report({ ...body, error: 'x'.repeat(70_000) })
  assert.deepEqual([large.status, large.json.error_code], [413, 'payload_too_large'])
  for (const type of ['application/octet-stream', 'image/png', 'x']) {
    const unread = await report(JSON.stringify(body), { 'content-type': type })
    assert.deepEqual([unread.status, unread.json], [422, invalidPayload], type)
  }
})

test('whatever is sent, the answer is 200 or 422', async () => {
  const members = fc.record(
    {
      property_id: fc.oneof(fc.constant(footfall.property.key), fc.anything()),
      error: fc.anything(),
      lib: fc.constantFrom('form', 'signals', 1, null),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(members, fc.anything(), fc.string()), async (body) => {
      let text: string | undefined
      try {
        text = typeof body === 'string' ? body : JSON.stringify(body)
      } catch {
        return // a bigint cannot be sent
      }
      const { status, json } = await report(text ?? '')
      assert.ok(status === 200 || (status === 422 && json.data.error.startsWith('Invalid p')), `${status}: ${text}`)
    }),
    { numRuns: 200 },
  )
})

// ---------------------------------------------------------------- the text

test('what could name somebody or let somebody in is not kept', () => {
  const cases: readonly (readonly [given: string, kept: string])[] = [
    ['TypeError: x is undefined', 'TypeError: x is undefined'],
    [
      "Cannot read properties of undefined (reading 'foo')? Did you mean bar?",
      "Cannot read properties of undefined (reading 'foo')? Did you mean bar?",
    ],
    [
      'at f (https://example.com/static/js/main.12ab34.js:10:5)',
      'at f (https://example.com/static/js/main.12ab34.js:10:5)',
    ],
    ['fn@https://example.com/app.js:10:5', 'fn@https://example.com/app.js:10:5'],
    ['at https://example.com/app.js?email=jane@x.de&t=1', 'at https://example.com/app.js?…'],
    ['at https://example.com/reset#secret', 'at https://example.com/reset?…'],
    ['https://jane:hunter2@example.com/x', 'https://example.com/x'],
    ['fn@https://jane:hunter2@example.com/x', 'fn@https://example.com/x'],
    ['https://example.com/u/jane@x.de/edit', 'https://example.com/u/…/edit'],
    ['/reset?token=abc and /help?', '/reset?… and /help?'],
    ['Jane <jane.doe+a@example.co.uk>: no', 'Jane <…>: no'],
    ['jane%40example.com', '…'],
    ['"jane@bücher.example"', '"…"'],
    ['from 203.0.113.7, 2001:db8::1 and [::1]:80', 'from …, … and […]:80'],
    ['call +44 20 7946 0958', 'call …'],
    ['4111 1111 1111 1111 and 4111-1111-1111-1111', '… and …'],
    ['id 550e8400-e29b-41d4-a716-446655440000', 'id …'],
    ['deadbeefcafe12', '…'],
    ['Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9', 'Bearer …'],
    ['password=hunter2 api_key=x', 'password=… api_key=…'],
    ['data:text/plain,Jane%20Doe', 'data:…'],
    ['line 12345 of app.js:10:5 at 12:34:56', 'line 12345 of app.js:10:5 at 12:34:56'],
    ['@angular/core', '@angular/core'],
    ['a\r\nb\tc\u0007\u202Ed\u0000\u200Be\u2028f', 'a b c d e f'],
    ['=1+1', '=1+1'],
    ['\uD800x', '\uFFFDx'],
    [' \n ', ''],
  ]
  for (const [given, kept] of cases) assert.equal(readLibError(given), kept, given)
})

test('what is written down as a secret is not kept, whatever stands between name and value', () => {
  const names =
    `password passwd pwd pass token secret api_key apikey api-key sid session session_id jsessionid JSESSIONID PHPSESSID cookie
    authorization user_password accessToken X-Api-Key csrf-token connect.sid ｐａｓｓｗｏｒｄ`.split(/\s+/)
  const between = [
    '=',
    ':',
    ': ',
    ' = ',
    ' => ',
    '="',
    "='",
    ': "',
    '":"',
    '": "',
    "': '",
    '\\":\\"',
    '=[',
    ': {',
    '%3D',
    '＝',
    '：',
  ]
  for (const name of [...names, 'api key', 'session id', 'password is', 'Authorization: Bearer'])
    for (const sign of between)
      for (const start of ['', 'a ', '"', '{"x":1,"', '?a=b&', 'a;', '/x?', 'https://example.com/?'])
        for (const end of ['', ' at f', '"', '"}', '&b=c', '; d=e', ',"f":1}']) {
          const text = `${start}${name}${sign}hunter2${end}`
          assert.doesNotMatch(readLibError(text), /hunter2/, text)
        }
  for (const text of [
    'password hunter2',
    'password "hunter2"',
    "token 'hunter2'",
    'session(hunter2)',
    'session [hunter2]',
    'the password is hunter2',
    'Bearer hunter2',
    'Authorization: Basic hunter2',
    'Authorization: Digest username="x", response="hunter2"',
    'Cookie: a=b; c=hunter2; d=hunter2',
    'document.cookie = "a=b; c=hunter2"',
    '{"password":"a \\" hunter2"}',
    '{"password": ["x", "hunter2"], "a": 1}',
    '"{\\"password\\":\\"a hunter2\\"}"',
    'password: "a hunter2',
    'pass\u200Bword=hunter2',
  ])
    assert.doesNotMatch(readLibError(text), /hunter2/, text)
})

test('what only looks like a secret is kept', () => {
  for (const text of [
    "Unexpected token '<' in JSON at position 0",
    'Unexpected token < in JSON at position 0',
    'Unexpected token o in JSON at position 1',
    "Cannot read properties of undefined (reading 'token') at f (https://example.com/a.js:1:2)",
    'user.token is not a function',
    "Failed to set the 'cookie' property on 'Document'",
    'at getToken (https://example.com/token.js:10:5)',
    'at session (auth.js:10:5)',
    'TokenError: it has expired',
    'password: undefined',
    'the session has ended. Why?',
    'invalid token, try again',
  ])
    assert.equal(readLibError(text), text)
})

test('other spellings of digits, dashes and signs hide nothing', () => {
  const cases: readonly (readonly [given: string, kept: string])[] = [
    ['jane＠example.com', '…'],
    ['４１１１１１１１１１１１１１１１', '…'],
    ['call ٠٢٠٧٩٤٦٠٩٥٨ or ०२०७९४६०९५८', 'call … or …'],
    ['4111‑1111‑1111‑1111, 4111–1111–1111–1111', '…, …'],
    ['from ٢٠٣.٠.١١٣.٧', 'from …'],
    ['at line ١٢', 'at line 12'],
  ]
  for (const [given, kept] of cases) assert.equal(readLibError(given), kept, given)
})

test('a text is cut to what is kept, and what was private before the cut is not half of it after', () => {
  assert.equal(readLibError('ab '.repeat(2000)).length, MAX_LIB_ERROR)
  assert.equal(readLibError('😀 '.repeat(3000)).isWellFormed(), true)
  assert.equal(readLibError('x'.repeat(60_000)), '…')
  for (let length = 3960; length < 4020; length++) {
    const digits = `${'7777777 '.repeat(length / 8)}${'a'.repeat(length % 8)} jane.doe@example.com`
    assert.doesNotMatch(readLibError(digits), /jane|doe/, String(length))
  }
})

test('no text makes it take long', () => {
  const pieces = [
    '?',
    '@',
    'a@',
    'http://',
    'a',
    '1 ',
    '1:',
    ':',
    'x@http://',
    '=#',
    '%40',
    '\u202E',
    'é',
    '{',
    '-',
    '1.',
    'pass',
    'token ',
    'key((',
    'token is ',
    'password="',
    'session: {',
    'cookie=a; ',
    'api ',
    '\\"',
    '\uFDFA',
    '\u0315\u0300\u05AE',
    '٣',
    '–',
  ]
  const hostile = fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...pieces), fc.integer({ min: 1, max: 20_000 }))
  fc.assert(
    fc.property(hostile, ([one, other, times]) => {
      // 64 KiB each: were any part of it quadratic, these alone would take minutes.
      const kept = readLibError((one + other).repeat(times).slice(0, 65_536))
      assert.ok(kept.length <= MAX_LIB_ERROR)
      assert.equal(kept.isWellFormed(), true)
    }),
    { numRuns: rounds(100, 5_000) },
  )
})

test('nothing private of a report is in the facts', async () => {
  const property = await footfall.addProperty()
  await told(property, 'jane@example.com 203.0.113.7 https://example.com/?q=jane')
  const rows = await footfall.context.facts.query(
    'test',
    'SELECT * FROM lib_errors WHERE property = {property:String}',
    {
      property: property.id,
    },
  )
  assert.equal(rows.length, 1)
  assert.doesNotMatch(JSON.stringify(rows), /jane|203\.0|127\.0/)
})
