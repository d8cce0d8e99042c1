// The contact endpoints through the front door: who may call, and how a contact is changed and deleted.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { assertRefused, contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { ALL_SCOPES, startFootfall, type Footfall } from '../../test/support/server.ts'
import { MAX_LIFECYCLE_STAGE, MAX_META_ENTRIES, textLimits, traitFields } from './contact-model.ts'

const closers: (() => Promise<void>)[] = []
let footfall: Footfall
let calls: ContactCalls

before(async () => {
  footfall = await startFootfall(
    { after: (close) => closers.push(close) },
    { now: Date.UTC(2026, 10, 18, 9, 30, 15, 250) },
  )
  calls = contactCalls(footfall)
})

after(async () => {
  for (const close of closers) await close()
})

const endpoints: readonly (readonly [method: string, path: string, scope: string])[] = [
  ['POST', '/v2/property/contacts/identify', 'contacts:write'],
  ['GET', '/v2/property/contacts', 'contacts:read'],
  ['GET', '/v2/property/contacts/{id}', 'contacts:read'],
  ['GET', '/v2/property/contacts/{id}/sessions', 'contacts:read'],
  ['POST', '/v2/property/contacts/{id}', 'contacts:write'],
  ['DELETE', '/v2/property/contacts/{id}', 'contacts:write'],
]

describe('update', () => {
  test('changes what is sent alone; null and blanks clear', async () => {
    calls.nextMinute()
    const { id, email } = await calls.newContact({
      external_id: `update-${calls.address()}`,
      traits: { first_name: 'Ada', last_name: 'L', city: 'London', meta: [{ key: 'a', value: 1 }] },
    })
    const changed = (await calls.update(id, { first_name: ' Grace ', last_name: null, city: '', company: 'Navy' })).json
      .data.contact
    assert.deepEqual(
      [changed.first_name, changed.last_name, changed.full_name, changed.city, changed.company, changed.email],
      ['Grace', null, 'Grace', null, 'Navy', email],
    )
    assert.deepEqual(changed.meta, [{ key: 'a', value: 1 }])
    const replaced = (await calls.update(id, { meta: [{ key: 'b', value: false }], lifecycle_stage: 'lead' })).json.data
      .contact
    assert.deepEqual([replaced.meta, replaced.lifecycle_stage], [[{ key: 'b', value: false }], 'lead'])
    const cleared = (await calls.update(id, { meta: null, external_id: null, email: null })).json.data.contact
    assert.deepEqual([cleared.meta, cleared.external_id, cleared.email], [[], null, null])
    assert.deepEqual((await calls.update(id, {})).json.data.contact, cleared)
    assert.deepEqual((await calls.update(id, { full_name: 'x', id: 'x', session_count: 9 })).json.data.contact, cleared)
    assert.deepEqual((await calls.get(id)).json.data.contact, cleared)
  })

  test('moves between active and unsubscribed; deleted cannot be assigned', async () => {
    calls.nextMinute()
    const { id } = await calls.newContact()
    for (const [state, label] of [
      ['unsubscribed', 'Unsubscribed'],
      ['active', 'Active'],
    ]) {
      const { contact } = (await calls.update(id, { state })).json.data
      assert.deepEqual([contact.state, contact.state_label], [state, label])
    }
    for (const state of ['deleted', 'Active', '', null, 1])
      assertRefused(await calls.update(id, { state, city: 'Rome' }), 'state')
    const { contact } = (await calls.get(id)).json.data
    assert.deepEqual([contact.state, contact.city], ['active', null], 'nothing of a refused update is kept')
  })

  test('refuses what breaks a rule and names the field', async () => {
    calls.nextMinute()
    const { id } = await calls.newContact()
    for (const [name, most] of Object.entries(textLimits)) {
      assertRefused(await calls.update(id, { [name]: 'x'.repeat(most + 1) }), name)
      assertRefused(await calls.update(id, { [name]: ['x'] }), name)
    }
    assertRefused(await calls.update(id, { email: 'nobody' }), 'email')
    assertRefused(await calls.update(id, { lifecycle_stage: 'x'.repeat(65) }), 'lifecycle_stage')
    assertRefused(await calls.update(id, { lifecycle_stage: null }), 'lifecycle_stage')
    assertRefused(await calls.update(id, { meta: [{ key: 'x'.repeat(121) }] }), 'meta.0.key')
    assertRefused(await calls.update(id, { meta: [{}] }), 'meta.0.key')
    const taken = await calls.newContact({ external_id: `taken-${calls.address()}` })
    const { external_id } = (await calls.get(taken.id)).json.data.contact
    assertRefused(await calls.update(id, { external_id }), 'external_id')
  })
})

describe('delete', () => {
  test('empties every personal field at once, keeps the record and its sessions, and can be repeated', async () => {
    calls.nextMinute()
    const session_id = await calls.newSession()
    const [email, external_id] = [calls.address(), `gone-${calls.address()}`]
    const { id } = await calls.newContact({
      email,
      external_id,
      session_id,
      traits: {
        ...Object.fromEntries(traitFields.map((name) => [name, name])),
        lifecycle_stage: 'lead',
        meta: [{ key: 'a', value: 'b' }],
      },
    })
    const before = (await calls.get(id)).json.data.contact
    for (let time = 0; time < 2; time++) {
      const reply = await calls.remove(id)
      assert.deepEqual([reply.status, reply.json], [200, { code: 200, status: 'OK', data: { deleted: true } }])
    }
    const { contact } = (await calls.get(id)).json.data
    assert.match(contact.email, /^deleted_[0-9A-Za-z]{10,}@redacted\.invalid$/)
    const nulls = ['external_id', 'full_name', ...traitFields]
    assert.deepEqual(contact, {
      ...before,
      ...Object.fromEntries(nulls.map((name) => [name, null])),
      email: contact.email,
      meta: [],
      state: 'deleted',
      state_label: 'Deleted',
      state_color: 'danger',
    })
    const { sessions } = (await footfall.call('GET', `/v2/property/contacts/${id}/sessions`)).json.data
    assert.deepEqual(
      sessions.map((session: { id: string }) => session.id),
      [session_id],
    )
    for (const search of [email, external_id, 'Ada'])
      assert.ok(!(await footfall.call('GET', '/v2/property/contacts', { query: { search } })).text.includes(id))
  })

  test('a deleted contact cannot be edited: 410 with the code error', async () => {
    calls.nextMinute()
    const { id } = await calls.newContact()
    await calls.remove(id)
    const before = (await calls.get(id)).json.data.contact
    for (const body of [{ first_name: 'Ada' }, { state: 'active' }, {}]) {
      const reply = await calls.update(id, body)
      assert.deepEqual([reply.status, reply.json.code, reply.json.error_code], [410, 410, 'error'], reply.text)
    }
    assertRefused(await calls.update(id, { state: 'deleted' }), 'state')
    assert.deepEqual((await calls.get(id)).json.data.contact, before)
  })

  test('a later identification with the same address or id makes a new contact; the session stays with the old one', async () => {
    calls.nextMinute()
    const session_id = await calls.newSession()
    const [email, external_id] = [calls.address(), `again-${calls.address()}`]
    const { id } = await calls.newContact({ email, external_id, session_id })
    await calls.remove(id)
    const { contact, linked_to_session } = (await calls.identify({ email, session_id })).json.data
    assert.notEqual(contact.id, id)
    assert.deepEqual([contact.state, contact.email, linked_to_session], ['active', email, false])
    const other = (await calls.identify({ external_id })).json.data.contact
    assert.ok(other.id !== id && other.id !== contact.id)
  })
})

describe('rights', () => {
  test('each endpoint asks for its own scope and for no other', async () => {
    calls.nextMinute()
    const { id } = await calls.newContact()
    for (const [method, path, scope] of endpoints) {
      const body = method === 'POST' ? { email: calls.address() } : undefined
      const options = body === undefined ? {} : { body }
      const at = path.replace('{id}', id)
      const others = ALL_SCOPES.filter((one) => one !== scope)
      const without = await footfall.addToken(footfall.property.id, others)
      const refused = await footfall.call(method, at, { ...options, token: without })
      assert.deepEqual([refused.status, refused.json.error_code], [403, 'insufficient_scope'], `${method} ${path}`)
      assert.equal((await footfall.call(method, at, { ...options, token: null })).status, 401)
      const alone = await footfall.addToken(footfall.property.id, [scope])
      assert.equal((await footfall.call(method, at, { ...options, token: alone })).status, 200, `${method} ${path}`)
    }
  })

  test('a contact of another property is not there, whatever is asked of it', async () => {
    calls.nextMinute()
    const { id, email } = await calls.newContact({ traits: { city: 'London' } })
    const before = (await calls.get(id)).json.data
    const { token } = await footfall.addProperty()
    for (const [method, path] of endpoints.filter(([, at]) => at.includes('{id}'))) {
      const options = method === 'POST' ? { body: { city: 'Rome' }, token } : { token }
      for (const one of [id, 'nothing', 'ct_', '%00', '%F0%9F%98%80']) {
        const reply = await footfall.call(method, path.replace('{id}', one), options)
        assert.deepEqual(
          [reply.status, reply.json.error_code, reply.json.message],
          [404, 'not_found', 'The contact is not in this property.'],
          `${method} ${path} ${one}`,
        )
      }
    }
    const list = await footfall.call('GET', '/v2/property/contacts', { token, query: { search: email } })
    assert.deepEqual([list.json.data.total, list.json.data.data], [0, []])
    const own = await footfall.call('POST', '/v2/property/contacts/identify', { token, body: { email } })
    assert.notEqual(own.json.data.contact.id, id, 'the same address there is another contact')
    assert.deepEqual((await calls.get(id)).json.data, before)
  })
})

describe('docs/api/contacts.md', () => {
  const page = readFileSync(new URL('../../docs/api/contacts.md', import.meta.url), 'utf8')

  test('has every endpoint of contacts with its scope, and none that does not exist', async () => {
    const written = [...page.matchAll(/^\| (GET|POST|DELETE) `(\S+)` \| (?:`([\w:]+)`)?/gm)].map(
      ([, method = '', path = '', scope = 'none']) => `${method} ${path} ${scope}`,
    )
    const { json } = await footfall.call('GET', '/openapi.json')
    const served = Object.entries<Record<string, unknown>>(json.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
    )
    const scopeOf = (method: string, path: string) =>
      endpoints.find(([one, at]) => one === method && at.replace('{id}', '{contact}') === path)?.[2] ?? 'none'
    const known = served
      .filter(
        ({ path }) => /\/contacts\b|\/contact-(?:lists|searches)\b|\/identify$/.test(path) && !path.includes('/forms/'),
      )
      .map(({ method, path }) => `${method} ${path} ${scopeOf(method, path)}`)
    assert.equal(known.filter((line) => line.includes(' /v2/')).length, endpoints.length + 1)
    assert.deepEqual(written.toSorted(), known.toSorted())
  })

  test('has the limit of every field', () => {
    const table = [...page.matchAll(/^\| (`(?:external_id|email|traits\.)[^|]*) \| (\d+)/gm)].flatMap(
      ([, names = '', most]) => [...names.matchAll(/\w+(?=`)/g)].map(([name]) => [name, Number(most)]),
    )
    const limits = { ...textLimits, lifecycle_stage: MAX_LIFECYCLE_STAGE, meta: MAX_META_ENTRIES }
    assert.deepEqual(Object.fromEntries(table), limits)
  })
})
