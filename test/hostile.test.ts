// Wrong input of every kind against every endpoint of the route table: never a 500, never another shape,
// nothing stored, still alive after.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { rounds } from './support/long.ts'
import { anyCharacter } from './support/texts.ts'
import { addPerson, type Person } from './support/accounts.ts'
import { addBlock, type TestBlock } from './support/content-calls.ts'
import { flowOf, type Form, type Opened, signature } from './support/form-flow.ts'
import { startFootfall, type CallOptions, type Footfall, type Reply } from './support/server.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let sessionId: string
let viewId: string
let contactId: string
let groupId: string
let linkId: string
let form: Form
let opened: Opened
let submissionId: string
let block: TestBlock
let person: Person

before(async () => {
  footfall = await startFootfall({ after: (close) => closers.push(close) }, { now: Date.UTC(2026, 10, 18, 6) })
  const { json } = await footfall.track.load()
  sessionId = json.session_id
  viewId = json.view_id
  const body = { email: 'somebody@example.com', session_id: sessionId }
  contactId = (await footfall.call('POST', '/v2/property/contacts/identify', { body })).json.data.contact.id
  groupId = (await footfall.call('POST', '/v2/property/link-groups', { body: { name: 'x' } })).json.data.group.id
  const link = { group_id: groupId, destination_url: 'https://example.com/', domain: 'link-a' }
  linkId = (await footfall.call('POST', '/v2/property/links', { body: link })).json.data.link.id
  const flow = flowOf(footfall)
  form = await flow.create(footfall.property.id)
  await flow.send(await flow.open(form), { name: 'Ada', email: 'ada@example.com' })
  submissionId = (await footfall.context.records.selectFrom('submissions').select('id').executeTakeFirstOrThrow()).id
  opened = await flow.open(form)
  block = await addBlock(footfall.context.records, footfall.property.id)
  person = await addPerson(footfall, { roles: { [footfall.property.id]: 'viewer' } })
})

after(async () => {
  for (const close of closers) await close()
})

interface Endpoint {
  readonly method: string
  /** As the route table has it: with `:name` where an id stands. */
  readonly pattern: string
  /** Nobody has to be signed in, and no token is needed: what is sent says who may. */
  readonly isOpen: boolean
}

/**
 * Every endpoint that takes input, from the description of the interface: a new one is attacked without being
 * listed here.
 */
async function endpoints(): Promise<Endpoint[]> {
  const { json } = await footfall.call('GET', '/openapi.json')
  return (
    Object.entries<Record<string, { security?: object[] }>>(json.paths)
      .filter(([path]) => /^\/(v2|manage|icons)\//.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { security = [] }]) => ({
          method: method.toUpperCase(),
          pattern: path,
          isOpen: security.some((way) => Object.keys(way).length === 0),
        })),
      )
      // Takes nothing from its caller, and would fill a property with a year of visits.
      .filter(({ method, pattern }) => !(method === 'POST' && pattern === '/manage/sample'))
  )
}

/** Ids that exist, so that it is the input and not the address that is refused. */
function pathOf(pattern: string, id?: string): string {
  const known: Readonly<Record<string, string>> = {
    viewId,
    sessionId,
    contact: contactId,
    group: groupId,
    link: linkId,
    formKey: form.key,
    token: opened.token,
    form: form.id,
    submission: submissionId,
    contentKey: block.key,
    block: block.id,
    version: block.versions[0]!,
    property: footfall.property.id,
    user: person.id,
  }
  const real = (name: string): string =>
    name === 'property' && !/link|form|content|member|share/.test(pattern) ? 'nothing' : (known[name] ?? 'nothing')
  return pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(id ?? real(name)))
}

/** No limit may stand in for an answer. */
const nextMinute = (): void => footfall.clock.advance(60_000)

/** Right ones, so that it is not the signature that is refused. */
function signedFor(pattern: string, id?: string): Record<string, string> {
  const sign = (key: string) => signature(id ?? key, footfall.clock.now())
  return pattern.startsWith('/v2/form') ? { 'x-svc-form': sign(form.key), 'x-svc-session': sign(opened.token) } : {}
}

async function hit({ method, pattern }: Endpoint, options: CallOptions & { id?: string } = {}): Promise<Reply> {
  const { id, ...rest } = options
  const headers = {
    ...(pattern.startsWith('/v2/signal') ? { 'x-svc-id': footfall.property.key } : {}),
    ...signedFor(pattern, id),
    ...rest.headers,
  }
  const sendsBody = method !== 'GET' && method !== 'DELETE'
  return footfall.call(method, pathOf(pattern, id), { ...rest, headers, ...(sendsBody ? {} : { body: undefined }) })
}

/**
 * Refused in the documented shape, or harmless: an answer of 200 is the tracker's, or a request that was
 * right after all.
 */
function assertShape(reply: Reply, what: string): void {
  const told = `${what}: ${reply.status} ${reply.text.slice(0, 300)}`
  assert.ok(reply.status < 500 && reply.status !== 429, told)
  if (reply.status < 300) return
  assert.equal(reply.json?.code, reply.status, told)
  assert.equal(reply.json.status, 'Error', told)
  // The library's own failures are answered in a shape of their own where the contract has one.
  const isOwnShape = what.includes('/v2/lib/error') && reply.status === 422
  if (isOwnShape) assert.equal(typeof reply.json.data.error, 'string', told)
  else assert.ok(typeof reply.json.error_code === 'string' && typeof reply.json.message === 'string', told)
  assert.doesNotMatch(reply.text, /\bat .+\.ts:\d+|SELECT |node_modules|DB::Exception/, told)
}

/** By its status; or, where that is always 200, in the words of the tracker or of init. */
const isRefusal = ({ status, json }: Reply): boolean => status >= 400 || json.success === false || json.error_type > 0

/** What is stored for the property now: rows of both stores. */
async function stored(): Promise<unknown> {
  const { facts, records } = footfall.context
  const rows = await Promise.all([
    facts.query('hostile', 'SELECT count() AS n FROM views FINAL'),
    facts.query('hostile', 'SELECT count() AS n FROM events FINAL'),
    records.selectFrom('properties').select('id').execute(),
    records.selectFrom('tokens').select('id').execute(),
    records.selectFrom('contacts').selectAll().execute(),
    records.selectFrom('contact_sessions').selectAll().execute(),
    facts.query('hostile', 'SELECT count() AS n FROM clicks FINAL'),
    records.selectFrom('link_groups').selectAll().execute(),
    records.selectFrom('links').selectAll().execute(),
    facts.query('hostile', 'SELECT count() AS n FROM form_events FINAL'),
    records.selectFrom('forms').select(['id', 'name', 'fields', 'validation', 'domains', 'is_published']).execute(),
    records.selectFrom('form_sessions').selectAll().execute(),
    records.selectFrom('submissions').selectAll().execute(),
    facts.query('hostile', 'SELECT count() AS n FROM impressions FINAL'),
    facts.query('hostile', 'SELECT count() AS n FROM lib_errors FINAL'),
    records.selectFrom('content_blocks').selectAll().execute(),
    records.selectFrom('content_versions').selectAll().execute(),
    records.selectFrom('content_phases').selectAll().execute(),
    records.selectFrom('content_edits').selectAll().execute(),
    records.selectFrom('users').selectAll().execute(),
    records.selectFrom('user_sessions').selectAll().execute(),
    records.selectFrom('members').selectAll().execute(),
    records.selectFrom('invitations').selectAll().execute(),
    records.selectFrom('shares').selectAll().execute(),
  ])
  return rows
}

const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
const deepArray = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

/** Bodies that are right for no endpoint at all. */
const wrongBodies: readonly (readonly [string, unknown])[] = [
  ['a list', []],
  ['a text', '"text"'],
  ['a number', '1'],
  ['null', 'null'],
  ['true', 'true'],
  ['broken JSON', '{"a":'],
  ['bytes', '\u0000\u0001\uFFFD'],
  ['ten thousand levels', deep(10_000)],
  ['thirty thousand lists', deepArray(30_000)],
  ['a huge number', '{"page":1e999,"value":1e999,"name":1e999,"period":1e999,"event":1e999}'],
  ['a key of its own prototype', '{"__proto__":{"name":"x"},"name":1,"event":1}'],
]

/** Each field that any endpoint knows, with something that it is not. */
const FIELDS = [
  'period',
  'date_from',
  'date_to',
  'clauses',
  'metric',
  'interval',
  'compare',
  'limit',
  'session_id',
  'svc_session_id',
  'name',
  'value',
  'meta',
  'currency_code',
  'tags',
  'cost',
  'event',
  'tos',
  'max',
  'site_id',
  'external_id',
  'email',
  'traits',
  'first_name',
  'website',
  'lifecycle_stage',
  'state',
  'domains',
  'default_period',
  'plan',
  'scopes',
  'group_id',
  'destination_url',
  'domain',
  'utm',
  'is_active',
  'description',
  'purpose',
  'track_clicks',
  'referrer',
  'kind',
  'fields',
  'validation',
  'success_html',
  'button',
  'theme',
  'form_type',
  'retention_days',
  'is_ip_kept',
  'ip_retention_days',
  'is_published',
  'is_archived',
  'mark',
  'source',
  'successContent',
  'map',
  'data',
  'ty',
  '_sig',
  'request_id',
  'content_id',
  'version_id',
  'action',
  'cta_key',
  'dwell_ms',
  'html',
  'label',
  'ctas',
  'weight',
  'weights',
  'goal',
  'key',
  'password',
  'current_password',
  'code',
  'token',
  'role',
  'is_owner',
  'totp',
] as const
const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  'x'.repeat(20_000),
  '\u0000',
  '\uD800',
  'a\uDC00b',
  "'; DROP TABLE views; --",
  '{views:String}',
  '../../etc/passwd',
  '<script>',
  [],
  [null],
  [[]],
  [{}],
  {},
  { constructor: 1 },
  { toString: 'x' },
  ['x'.repeat(5000)],
  Array.from({ length: 3000 }, () => 'x'),
  [{ id: 'constructor', op: '__proto__', value: 1 }],
  [{ id: 'country', op: 'equals', value: '\uD800' }],
  [{ id: 'country', op: 'equals', value: { a: 1 } }],
  [{ key: '\u0000', value: '\uD800' }],
  [{ key: '__proto__', value: null }, { key: 'constructor' }],
  { first_name: '\uD800', meta: [{ key: '\u0000 ', value: '\u0000' }] },
  {
    meta: [
      { key: 'a', value: 1e308 },
      { key: 'a', value: 'x'.repeat(3000) },
    ],
  },
]
/**
 * Of all values in all fields, each endpoint is sent one part: fewer parts than endpoints, so that together
 * they are sent all of them.
 */
const PARTS = 67
const ids: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'constructor',
  '__proto__',
  '../..',
  'x'.repeat(1000),
  'x'.repeat(3000),
  "' OR 1=1 --",
  '%00',
  'é',
  '\u{1F600}',
  '%',
  '..%2f',
  '-1',
  '{}',
]

describe('every endpoint', () => {
  test('there is a fair number of them', async () => {
    assert.ok((await endpoints()).length >= 15)
  })

  test('refuses bodies that are right for none, and stores nothing', async () => {
    const before = await stored()
    for (const endpoint of await endpoints()) {
      nextMinute()
      // None of them needs anything to be sent, and each changes something.
      if (
        /\/(resolve|reset|submissions\/read)$/.test(endpoint.pattern) ||
        endpoint.method === 'GET' ||
        endpoint.method === 'DELETE'
      )
        continue
      await inTurn(wrongBodies, async ([what, body]) => {
        const reply = await hit(endpoint, { body })
        assertShape(reply, `${endpoint.method} ${endpoint.pattern} with ${what}`)
        // A question needs no field, and neither does a ping or a change; what they do not know they leave
        // alone.
        const isReading =
          endpoint.pattern.includes('/signals') ||
          /\/(ping|preview|mail|reports|\{(contact|group|link|form|block|version|user)\})$|\/reset$/.test(
            endpoint.pattern,
          )
        if (!isReading) assert.ok(isRefusal(reply), `${endpoint.pattern} took ${what}: ${reply.text}`)
      })
    }
    assert.deepEqual(await stored(), before)
  })

  test('refuses a field of the wrong kind, or takes it for what it is, but never fails', async () => {
    const taking = (await endpoints()).filter(({ method }) => method !== 'GET' && method !== 'DELETE')
    assert.ok(taking.length >= PARTS, `${taking.length} endpoints take a body`)
    for (const [index, endpoint] of taking.entries()) {
      nextMinute()
      const bodies = FIELDS.flatMap((field) => VALUES.map((value) => ({ field, value })))
      await inTurn(
        bodies.filter((_, at) => at % PARTS === index % PARTS),
        async ({ field, value }) => {
          const body = {
            session_id: sessionId,
            name: 'n',
            event: 'e',
            domains: ['example.com'],
            scopes: ['signals:read'],
            group_id: groupId,
            destination_url: 'https://example.com/',
            domain: 'link-a',
            kind: 'open',
            fields: { name: 'text' },
            map: { name: 'text' },
            data: { name: 'n' },
            html: '<p>n</p>',
            label: 'n',
            content_id: block.id,
            version_id: block.versions[0],
            request_id: 'x',
            action: 'view',
            [field]: value,
          }
          assertShape(
            await hit(endpoint, { body }),
            `${endpoint.pattern} with ${field} = ${JSON.stringify(value)?.slice(0, 60)}`,
          )
        },
      )
    }
  })

  test('answers any text where an id belongs', async () => {
    for (const endpoint of await endpoints()) {
      nextMinute()
      if (!endpoint.pattern.includes('{')) continue
      await inTurn(ids, async (id) => {
        const reply = await hit(endpoint, { id, body: { event: 'e', name: 'n' } })
        assertShape(reply, `${endpoint.method} ${endpoint.pattern} with the id ${JSON.stringify(id).slice(0, 60)}`)
        if (/^\/v2\/(signal|form)/.test(endpoint.pattern)) assert.ok(isRefusal(reply), reply.text)
      })
    }
  })

  test('answers any query string', async () => {
    const queries = [
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'page=99999999999999999999',
      'per_page=101',
      'page=1&page=2',
      'page[]=1',
      'per_page=0',
      'cursor=-1',
      'cursor=99999999999999999999',
      'search=%00',
      'search=%ED%A0%80',
      `search=${'%25_*%22%27%5C+'.repeat(40)}`,
      'search=%22%22%22+NEAR(+OR+%27;--',
      'state=deleted&lifecycle_stage=%00',
      'group_id=%00&link_id=%ED%A0%80',
      'from_ts=-1&to_ts=99999999999999999999',
      'type=bot&from_ts=9999999999',
      '%00=%00',
      'a=%zz',
      '__proto__=1',
      `q=${'x'.repeat(5000)}`,
      '&&&===',
    ]
    for (const [index, { method, pattern }] of (await endpoints()).entries()) {
      nextMinute()
      // What writes reads none of it: a quarter, of each endpoint another one.
      const asked = method === 'GET' ? queries : queries.filter((_, at) => at % 4 === index % 4)
      await inTurn(asked, async (query) => {
        const hasBody = method === 'POST' ? { body: {} } : {}
        const reply = await footfall.call(method, `${pathOf(pattern)}?${query}`, {
          headers: { 'x-svc-id': footfall.property.key },
          ...hasBody,
        })
        assertShape(reply, `${method} ${pattern}?${query.slice(0, 40)}`)
      })
    }
  })

  test('asks for a token where the documentation says so, whatever else comes', async () => {
    for (const endpoint of await endpoints()) {
      nextMinute()
      if (!/^\/(v2\/property|manage)\//.test(endpoint.pattern) || endpoint.isOpen) continue
      await inTurn([null, 'x', `fft_${'a'.repeat(40)}`, `${footfall.token}\u00e9`], async (token) => {
        const reply = await hit(endpoint, {
          token: token === null ? null : encodeURIComponent(token),
          body: '{"broken',
        })
        assert.equal(reply.status, 401, `${endpoint.method} ${endpoint.pattern}`)
        assert.equal(reply.json.error_code, 'unauthenticated')
      })
    }
  })
})

describe('the tracker', () => {
  const headerNames = [
    'x-svc-id',
    'x-svc-page',
    'x-svc-lib',
    'x-svc-title',
    'x-svc-src',
    'x-svc-status',
    'x-svc-dim',
    'user-agent',
    'accept-language',
    'x-forwarded-for',
    'x-proxy-ip',
    'x-proxy-user-agent',
    'x-proxy-lang',
    'sec-gpc',
  ] as const
  const headerValues = [
    '',
    '%',
    '%E0%A4%A',
    '%00',
    '%ED%A0%80',
    'javascript:alert(1)',
    'http://',
    'https://exa mple.com',
    `https://example.com/${'x'.repeat(6000)}`,
    '-1',
    '1e99',
    '99999999999999999999',
    '0x0',
    '1x1x1',
    '\u00ff\u00fe',
    '1.1.0-beta',
    '999.999.999.999',
    '::::',
    '2001:db8::/32',
    '__proto__',
    ','.repeat(500),
    ' ; q=9',
  ]

  test('takes any header for what it is worth: an answer, or a refusal in its own words', async () => {
    for (const name of headerNames) {
      await inTurn(headerValues, async (value) => {
        const reply = await footfall.track.load({ headers: { [name]: value } })
        assert.ok(
          reply.status === 200 || (reply.status >= 400 && reply.status < 500),
          `${name}: ${value.slice(0, 40)} → ${reply.status} ${reply.text}`,
        )
        if (reply.status === 200) assert.equal(typeof reply.json.success, 'boolean')
      })
    }
  })

  test('keeps every page address and title it accepts readable in the answers', async () => {
    const { json } = await footfall.call('POST', '/v2/property/signals/sessions', {
      body: { period: 'today', limit: 100 },
    })
    assert.ok(Array.isArray(json.data))
    assert.ok(
      json.data.every((session: { entry_url: string }) => session.entry_url === '' || URL.canParse(session.entry_url)),
    )
  })
})

test('any JSON at all gets an answer of the right shape', async () => {
  nextMinute()
  const body = { email: 'somebody-else@example.com' }
  const identified = await footfall.call('POST', '/v2/property/contacts/identify', { body })
  const writing = [
    '/v2/property/session/event',
    '/v2/property/session/acquisition',
    '/v2/property/contacts/identify',
    `/v2/property/contacts/${identified.json.data.contact.id}`,
    '/v2/property/signals/analytics/metrics',
    '/v2/property/signals/analytics/graph',
    '/v2/property/signals/analytics/live',
    '/v2/property/signals/sessions',
    '/manage/properties',
    `/manage/properties/${footfall.property.id}/forms`,
  ]
  nextMinute()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...writing), fc.jsonValue({ maxDepth: 4 }), async (path, value) => {
      assertShape(
        await footfall.call('POST', path, { body: JSON.stringify(value) }),
        `${path} ${JSON.stringify(value)}`,
      )
    }),
    { numRuns: rounds(60, 3_000) },
  )
})

test('clauses of any shape get an answer of the right shape', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom('equals', 'is_set', 'gt', 'country', 'event_name', 'event_value_num', 'tag', 'page_path'),
  )
  const clause = fc.record(
    { id: text, op: text, value: fc.oneof(text, fc.double(), fc.array(text, { maxLength: 3 }), fc.constant(null)) },
    { requiredKeys: [] },
  )
  nextMinute()
  await fc.assert(
    fc.asyncProperty(
      fc.array(clause, { maxLength: 3 }),
      fc.constantFrom('metrics', 'graph'),
      async (clauses, endpoint) => {
        const body = { period: 'today', clauses }
        assertShape(
          await footfall.call('POST', `/v2/property/signals/analytics/${endpoint}`, { body }),
          JSON.stringify(clauses),
        )
      },
    ),
    { numRuns: rounds(40, 2_000) },
  )
})

test('after all of this the server is alive, ready and right', async () => {
  assert.equal((await footfall.call('GET', '/readyz')).status, 200)
  const { json } = await footfall.track.load({ address: '203.0.113.99' })
  assert.equal(json.success, true)
  const { text } = await footfall.call('GET', '/metrics')
  assert.doesNotMatch(text, /status="5\d\d"/, 'nothing was ever answered with a fault of ours')
  assert.equal(({} as { name?: unknown }).name, undefined)
})

/** Twenty at a time: many clients, but no flood. */
async function inTurn<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += 20) await Promise.all(items.slice(at, at + 20).map(work))
}
