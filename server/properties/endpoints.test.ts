// The management interface of properties and tokens, through the front door.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addPerson } from '../../test/support/accounts.ts'
import { ALL_SCOPES, type Reply, startFootfall } from '../../test/support/server.ts'

const footfall = await startFootfall({ after })
const call: typeof footfall.call = (method, path, options) => footfall.call(method, path, options)

const manage = (method: string, path: string, body?: unknown): Promise<Reply> =>
  call(method, `/manage/properties${path}`, body === undefined ? {} : { body })

function assertError(reply: Reply, status: number, errorCode: string): void {
  assert.equal(reply.status, status, reply.text)
  assert.equal(reply.json.status, 'Error')
  assert.equal(reply.json.code, status)
  assert.equal(reply.json.error_code, errorCode)
  assert.equal(typeof reply.json.message, 'string')
}

async function createSite(): Promise<{ id: string; key: string }> {
  const { json } = await manage('POST', '', { name: 'Site', domains: ['site.example'] })
  return json.data.property
}

test('a property is created, read, changed and removed', async () => {
  const created = await manage('POST', '', {
    name: ' Shop ',
    domains: ['Shop.example', 'bücher.de'],
    default_period: 'last_28',
  })
  assert.equal(created.status, 200, created.text)
  assert.deepEqual(Object.keys(created.json), ['code', 'status', 'data'])
  const { property } = created.json.data
  assert.match(property.id, /^pr_[0-9A-Za-z]{20}$/)
  assert.match(property.key, /^ff_[0-9A-Za-z]{20}$/)
  assert.ok(Number.isInteger(property.created_ts))
  assert.deepEqual(property, {
    id: property.id,
    key: property.key,
    name: 'Shop',
    domains: ['shop.example', 'xn--bcher-kva.de'],
    default_period: 'last_28',
    timezone: 'UTC',
    week_start: 'monday',
    client: '',
    currency: null,
    plan: 'paid',
    content_policy: 'standard',
    excluded_addresses: [],
    excluded_paths: [],
    is_token_only: false,
    is_listed_only: false,
    browser_max_usd: 1_000_000,
    kept_days: null,
    dead_link_url: null,
    is_sample: false,
    has_proxy_key: false,
    created_ts: property.created_ts,
  })
  const read = await manage('GET', `/${property.id}`)
  assert.deepEqual(read.json.data, { property, role: 'owner', kept_days: { facts: null, deliveries: 30 } })

  const change = {
    name: 'Store',
    default_period: null,
    timezone: 'Asia/Kathmandu',
    plan: 'free',
    content_policy: 'wide',
    excluded_addresses: ['203.0.113.0/24'],
    excluded_paths: ['/admin/**'],
  }
  const changed = await manage('POST', `/${property.id}`, change)
  assert.deepEqual(changed.json.data.property, { ...property, ...change })
  assert.deepEqual((await manage('POST', `/${property.id}`, {})).json.data.property, changed.json.data.property)

  assert.deepEqual((await manage('DELETE', `/${property.id}`)).json, {
    code: 200,
    status: 'OK',
    data: { deleted: true },
  })
  assertError(await manage('GET', `/${property.id}`), 404, 'not_found')
  assertError(await manage('POST', `/${property.id}`, { name: 'x' }), 404, 'not_found')
  assertError(await manage('DELETE', `/${property.id}`), 404, 'not_found')
})

test('a time zone is one of the IANA database, by its name', async () => {
  const { id } = await createSite()
  for (const timezone of ['Mars/Olympus', '+01:00', '', 'x'.repeat(65), '__proto__', 'Europe/Berlin\0', null, 1])
    assertError(await manage('POST', `/${id}`, { timezone }), 422, 'validation_failed')
  assert.equal((await manage('GET', `/${id}`)).json.data.property.timezone, 'UTC')
  const created = await manage('POST', '', { name: 'Here', domains: [], timezone: 'America/St_Johns' })
  assert.equal(created.json.data.property.timezone, 'America/St_Johns')
  await manage('DELETE', `/${id}`)
  await manage('DELETE', `/${created.json.data.property.id}`)
})

test('the list is paged, newest first, and its pages name each other', async () => {
  const ids = [await createSite(), await createSite(), await createSite()].map((property) => property.id)
  const first = (await call('GET', '/manage/properties', { query: { per_page: 2 } })).json.data
  assert.equal(first.total, 4, 'those and the one of the tests')
  assert.equal(first.last_page, 2)
  assert.equal(first.data.length, 2)
  assert.match(first.next_page_url, /^http:\/\/footfall\.test\/manage\/properties\?per_page=2&page=2$/)
  const second = (await call('GET', '/manage/properties', { query: { per_page: 2, page: 2 } })).json.data
  const listed = [...first.data, ...second.data].map((property) => property.id)
  assert.equal(listed.length, 4)
  assert.deepEqual(new Set(listed), new Set([...ids, footfall.property.id]))
  for (const query of [{ per_page: 0 }, { per_page: 101 }, { page: 'x' }, { page: 0 }] as Record<
    string,
    string | number
  >[])
    assertError(await call('GET', '/manage/properties', { query }), 422, 'validation_failed')
})

test('a search finds properties by a part of their name, whatever it holds', async () => {
  const names = ['Änne’s Läden', '100% wool', 'under_score', 'Back\\slash', 'Οδός İstanbul']
  for (const name of names) await manage('POST', '', { name, domains: [] })
  const found = async (search: string) => {
    const { data, total } = (await call('GET', '/manage/properties', { query: { search } })).json.data
    assert.equal(total, data.length)
    return data.map(({ name }: { name: string }) => name)
  }
  assert.deepEqual(await found('NNE'), [names[0]])
  assert.deepEqual(await found('Läd'), [names[0]])
  assert.deepEqual(await found('ÄNNE LÄDEN'), [names[0]])
  assert.deepEqual(await found('ΟΔΌΣ istanbul'), [names[4]])
  assert.deepEqual(await found('läden lager'), [])
  assert.deepEqual(await found(' % '), [names[1]])
  assert.deepEqual(await found('_'), [names[2]])
  assert.deepEqual(await found('\\'), [names[3]])
  assert.deepEqual(await found("' or 1=1 --"), [])
  assertError(await call('GET', '/manage/properties', { query: { search: 'a\0b' } }), 422, 'validation_failed')
  assertError(await call('GET', '/manage/properties', { query: { search: 'x'.repeat(121) } }), 422, 'validation_failed')
  const { next_page_url } = (await call('GET', '/manage/properties', { query: { search: 'e', per_page: 1 } })).json.data
  assert.match(next_page_url, /search=e/)
})

test('a person is told which role is theirs', async () => {
  const { id } = await createSite()
  for (const role of ['viewer', 'admin', 'owner'] as const) {
    const person = await addPerson(footfall, { roles: { [id]: role } })
    assert.equal((await person.call('GET', `/manage/properties/${id}`)).json.data.role, role)
    const found = await person.call('GET', '/manage/properties', { query: { search: 's' } })
    assert.deepEqual(
      found.json.data.data.map((one: { id: string }) => one.id),
      [id],
      'and finds no others',
    )
  }
})

const wrongProperties: readonly (readonly [body: unknown, field: string])[] = [
  [{ domains: [] }, 'name'],
  [{ name: '', domains: [] }, 'name'],
  [{ name: '   ', domains: [] }, 'name'],
  [{ name: 'x'.repeat(121), domains: [] }, 'name'],
  [{ name: 'a\0b', domains: [] }, 'name'],
  [{ name: 7, domains: [] }, 'name'],
  [{ name: 'x' }, 'domains'],
  [{ name: 'x', domains: 'example.com' }, 'domains'],
  [{ name: 'x', domains: ['https://example.com'] }, 'domains.0'],
  [{ name: 'x', domains: ['ok.com', 'no/path'] }, 'domains.1'],
  [{ name: 'x', domains: [null] }, 'domains.0'],
  [{ name: 'x', domains: Array.from({ length: 51 }, (_, i) => `h${i}.com`) }, 'domains'],
  [{ name: 'x', domains: [], default_period: 'custom' }, 'default_period'],
  [{ name: 'x', domains: [], default_period: 'last_9' }, 'default_period'],
  [{ name: 'x', domains: [], plan: 'gold' }, 'plan'],
  [{ name: 'x', domains: [], content_policy: 'open' }, 'content_policy'],
  [{ name: 'x', domains: [], excluded_addresses: '203.0.113.7' }, 'excluded_addresses'],
  [{ name: 'x', domains: [], excluded_addresses: ['203.0.113.7', 'office'] }, 'excluded_addresses.1'],
  [
    { name: 'x', domains: [], excluded_addresses: Array.from({ length: 101 }, (_, i) => `10.0.0.${i}`) },
    'excluded_addresses',
  ],
  [{ name: 'x', domains: [], excluded_paths: ['admin'] }, 'excluded_paths.0'],
  [{ name: 'x', domains: [], excluded_paths: [`/${'a'.repeat(200)}`] }, 'excluded_paths.0'],
  [
    { name: 'x', domains: [], excluded_paths: Array.from({ length: 30 }, (_, i) => `/${i}${'a'.repeat(190)}`) },
    'excluded_paths',
  ],
]

for (const [body, field] of wrongProperties)
  test(`a property like ${JSON.stringify(body).slice(0, 60)} is refused because of its ${field}`, async () => {
    const reply = await manage('POST', '', body)
    assertError(reply, 422, 'validation_failed')
    assert.deepEqual(Object.keys(reply.json.errors), [field])
    if (field !== 'name' && field !== 'domains')
      assertError(await manage('POST', `/${footfall.property.id}`, body), 422, 'validation_failed')
  })

test('a token is shown once, works at once, and is refused at once when it is revoked', async () => {
  const { id } = await createSite()
  const made = await manage('POST', `/${id}/tokens`, {
    name: 'reader',
    scopes: ['signals:write', 'signals:read', 'signals:read'],
  })
  assert.equal(made.status, 200, made.text)
  const { token, access_token: accessToken } = made.json.data
  assert.match(accessToken, /^fft_[0-9A-Za-z]{40}$/)
  assert.deepEqual(token.scopes, ['signals:read', 'signals:write'])

  const listed = await manage('GET', `/${id}/tokens`)
  assert.deepEqual(listed.json.data.data, [token])
  assert.ok(!listed.text.includes(accessToken))
  assert.ok(
    !JSON.stringify(await footfall.context.records.selectFrom('tokens').selectAll().execute()).includes(accessToken),
  )

  const ask = () => call('POST', '/v2/property/signals/analytics/metrics', { body: {}, token: accessToken })
  assert.equal((await ask()).status, 200)
  assert.deepEqual((await manage('DELETE', `/${id}/tokens/${token.id}`)).json.data, { deleted: true })
  assertError(await ask(), 401, 'unauthenticated')
  assertError(await manage('DELETE', `/${id}/tokens/${token.id}`), 404, 'not_found')
})

test('a token is revoked through its own property alone', async () => {
  const [one, other] = [await createSite(), await createSite()]
  const { token } = (await manage('POST', `/${one.id}/tokens`, { name: 'n', scopes: ['signals:read'] })).json.data
  assertError(await manage('DELETE', `/${other.id}/tokens/${token.id}`), 404, 'not_found')
  assert.equal((await manage('GET', `/${one.id}/tokens`)).json.data.total, 1)
})

for (const body of [
  { name: 'n' },
  { name: 'n', scopes: [] },
  { name: 'n', scopes: ['admin'] },
  { name: 'n', scopes: 'signals:read' },
  { scopes: [...ALL_SCOPES] },
])
  test(`a token like ${JSON.stringify(body).slice(0, 50)} is refused`, async () => {
    assertError(await manage('POST', `/${footfall.property.id}/tokens`, body), 422, 'validation_failed')
  })

test('removing a property ends its tokens and its tracker at once', async () => {
  const { id, key } = await createSite()
  const { access_token: token } = (await manage('POST', `/${id}/tokens`, { name: 'n', scopes: ['signals:read'] })).json
    .data
  const ask = () => call('POST', '/v2/property/signals/analytics/metrics', { body: {}, token })
  assert.equal((await ask()).status, 200)
  assert.equal((await footfall.track.load({ key })).json.success, true)
  await manage('DELETE', `/${id}`)
  assertError(await ask(), 401, 'unauthenticated')
  assert.equal((await footfall.track.load({ key })).json.success, false)
  assertError(await manage('POST', `/${id}/tokens`, { name: 'n', scopes: ['signals:read'] }), 404, 'not_found')
})

test('a proxy key is shown once and no answer tells its hash', async () => {
  const { id } = await createSite()
  const made = await manage('POST', `/${id}/proxy-key`)
  assert.match(made.json.data.proxy_key, /^ffp_[0-9A-Za-z]{40}$/)
  assert.equal(made.json.data.property.has_proxy_key, true)
  const read = await manage('GET', `/${id}`)
  assert.equal(read.json.data.property.has_proxy_key, true)
  for (const reply of [made, read]) assert.ok(!/hash/.test(reply.text), reply.text)
})

test('the contacts of a removed property are in no file any more', async () => {
  const site = await footfall.addProperty()
  const marker = `removed${Date.now()}`
  const identified = await call('POST', '/v2/property/contacts/identify', {
    token: site.token,
    body: { email: `${marker}@example.com` },
  })
  assert.equal(identified.status, 200, identified.text)
  const { dataDir } = footfall.context.config
  const files = () =>
    readdirSync(dataDir).filter(
      (name) => name.startsWith('records') && readFileSync(join(dataDir, name)).includes(marker),
    )
  assert.notDeepEqual(files(), [], 'it can be found while it is there')
  assert.equal((await manage('DELETE', `/${site.id}`)).status, 200)
  assert.deepEqual(files(), [])
})

test('nobody but the administrator manages', async () => {
  const { id } = await createSite()
  const paths = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `/${id}`],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/tokens`],
    ['POST', `/${id}/proxy-key`],
  ] as const
  for (const token of [null, footfall.token, 'x', `${footfall.admin}x`, footfall.admin.slice(0, -1)])
    for (const [method, path] of paths) {
      const reply = await call(method, `/manage/properties${path}`, {
        token,
        ...(method === 'POST' ? { body: {} } : {}),
      })
      assertError(reply, 401, 'unauthenticated')
    }
  assert.equal((await manage('GET', `/${id}`)).status, 200, 'and nothing was removed')
})

test('strange ids are not found, and never an error of ours', async () => {
  for (const id of ['pr_', '%00', "'%20or%201=1", 'x'.repeat(900), '%F0%9F%8E%88', '__proto__', `pr_${'0'.repeat(20)}`])
    for (const path of [`/${id}`, `/${id}/tokens`]) {
      const reply = await manage('GET', path)
      assertError(reply, 404, 'not_found')
    }
})
