// Saying who somebody is, through the front door: with a token, and from a browser.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefused, contactCalls, type ContactCalls } from '../../test/support/contact-calls.ts'
import { startFootfall, type Footfall } from '../../test/support/server.ts'
import { textLimits, traitFields } from './contact-model.ts'

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

describe('identify', () => {
  test('makes an active contact with every documented field and no other', async () => {
    calls.nextMinute()
    const email = calls.address()
    const traits = {
      ...Object.fromEntries(traitFields.map((name) => [name, `The ${name}`])),
      first_name: ' Ada ',
      last_name: 'Lovelace',
      meta: [{ key: 'plan', value: 'pro' }, { key: 'seats', value: 5 }, { key: 'none' }],
    }
    const { status, json } = await calls.identify({ external_id: 'ada-1', email, traits })
    assert.equal(status, 200)
    const now = Math.floor(footfall.clock.now() / 1000)
    const { id, ...rest } = json.data.contact
    assert.ok(typeof id === 'string' && id.length > 8)
    assert.deepEqual(
      { ...json, data: { ...json.data, contact: rest } },
      {
        code: 200,
        status: 'OK',
        data: {
          contact: {
            external_id: 'ada-1',
            email,
            ...traits,
            first_name: 'Ada',
            full_name: 'Ada Lovelace',
            lifecycle_stage: 'user',
            state: 'active',
            state_label: 'Active',
            state_color: 'success',
            meta: [
              { key: 'plan', value: 'pro' },
              { key: 'seats', value: 5 },
              { key: 'none', value: null },
            ],
            first_seen_ts: now,
            identified_ts: now,
            last_seen_ts: now,
            session_count: 0,
          },
          session_id: null,
          linked_to_session: false,
        },
      },
    )
    assert.deepEqual((await calls.get(id)).json.data, { contact: json.data.contact })
  })

  test('requires an external id or an address, and says so', async () => {
    calls.nextMinute()
    const before = await calls.countContacts()
    for (const body of [{}, { traits: { first_name: 'Ada' } }, { external_id: null, email: '' }, { email: '  ' }]) {
      const reply = await calls.identify(body)
      assert.equal(reply.status, 422, JSON.stringify(body))
      assert.equal(reply.json.error_code, 'validation_failed')
      assert.match(reply.json.message, /^identify requires external_id or email/)
    }
    assert.equal(await calls.countContacts(), before)
  })

  test('takes the session from the body, else the header, else the field svc_session_id', async () => {
    calls.nextMinute()
    const [body, header, field] = [await calls.newSession(), await calls.newSession(), await calls.newSession()]
    const named = { 'x-service-session-id': header }
    const first = await calls.identify({ email: calls.address(), session_id: body, svc_session_id: field }, named)
    assert.equal(first.json.data.session_id, body)
    const second = await calls.identify({ email: calls.address(), session_id: null, svc_session_id: field }, named)
    assert.equal(second.json.data.session_id, header)
    const third = await calls.identify({ email: calls.address(), svc_session_id: field })
    assert.equal(third.json.data.session_id, field)
    const form = new URLSearchParams({ email: calls.address(), svc_session_id: await calls.newSession() })
    const fourth = await calls.identify(form.toString(), { 'content-type': 'application/x-www-form-urlencoded' })
    assert.equal(fourth.json.data.session_id, form.get('svc_session_id'))
    for (const { json } of [first, second, third, fourth]) {
      assert.equal(json.data.linked_to_session, true)
      assert.equal(json.data.contact.session_count, 1)
    }
  })

  test('a session that is not of the property is a 404, and nobody is made for it', async () => {
    calls.nextMinute()
    const other = await footfall.addProperty()
    const foreign = (await footfall.track.load({ key: other.key })).json.session_id
    const before = await calls.countContacts()
    for (const session_id of [foreign, 'nothing', '0'.repeat(32), `${await calls.newSession()}x`]) {
      const reply = await calls.identify({ email: calls.address(), session_id })
      assert.deepEqual(
        [reply.status, reply.json.error_code, reply.json.message],
        [404, 'not_found', 'The session is not in this property.'],
      )
    }
    assert.equal(await calls.countContacts(), before)
  })

  test('holds every field to its limit and names the one that exceeds it', async () => {
    calls.nextMinute()
    for (const [name, most] of Object.entries(textLimits)) {
      if (name === 'email') continue
      const inTraits = name !== 'external_id'
      const bodyWith = (text: string) =>
        inTraits ? { email: calls.address(), traits: { [name]: text } } : { email: calls.address(), [name]: text }
      const reply = await calls.identify(bodyWith('é'.repeat(most)))
      assert.equal(reply.status, 200, reply.text)
      assert.equal(reply.json.data.contact[name], 'é'.repeat(most))
      assertRefused(await calls.identify(bodyWith('é'.repeat(most + 1))), inTraits ? `traits.${name}` : name)
      assertRefused(await calls.identify(bodyWith(7 as unknown as string)), inTraits ? `traits.${name}` : name)
    }
    const traits = (given: unknown) => calls.identify({ email: calls.address(), traits: given })
    assert.equal((await traits({ lifecycle_stage: 'x'.repeat(64) })).status, 200)
    assertRefused(await traits({ lifecycle_stage: 'x'.repeat(65) }), 'traits.lifecycle_stage')
    assert.equal((await traits({ meta: [{ key: 'x'.repeat(120), value: '' }] })).status, 200)
    assertRefused(await traits({ meta: [{ key: 'x'.repeat(121), value: '' }] }), 'traits.meta.0.key')
    assertRefused(await traits({ meta: [{ value: 'x' }] }), 'traits.meta.0.key')
    assertRefused(await traits({ meta: [{ key: '' }] }), 'traits.meta.0.key')
    assertRefused(await traits({ meta: [{ key: 'a', value: { b: 1 } }] }), 'traits.meta.0.value')
    assertRefused(await traits({ meta: { plan: 'pro' } }), 'traits.meta')
    assertRefused(await traits([]), 'traits')
  })

  test('refuses what is no address', async () => {
    calls.nextMinute()
    for (const email of [
      'x',
      '@',
      'a@',
      '@b.example',
      'a b@example.com',
      'a@b@example.com',
      `${'x'.repeat(255)}@example.com`,
      5,
    ])
      assertRefused(await calls.identify({ email }), 'email')
  })

  test('looks up by the external id when there is one, by the address when there is none', async () => {
    calls.nextMinute()
    const email = calls.address()
    const byBoth = await calls.newContact({ external_id: `id-${email}`, email })
    const again = (await calls.identify({ external_id: `id-${email}`, traits: { city: 'Paris' } })).json.data.contact
    assert.deepEqual([again.id, again.email, again.city], [byBoth.id, email, 'Paris'])
    const byAddress = (await calls.identify({ email: email.toUpperCase() })).json.data.contact
    assert.equal(byAddress.id, byBoth.id)
    // Another id is another person, although the address is known.
    footfall.clock.advance(1000)
    const other = (await calls.identify({ external_id: `other-${email}`, email })).json.data.contact
    assert.notEqual(other.id, byBoth.id)
    assert.equal((await calls.identify({ email })).json.data.contact.id, other.id, 'the one seen most recently')
    footfall.clock.advance(1000)
    await calls.identify({ external_id: `id-${email}` })
    assert.equal((await calls.identify({ email })).json.data.contact.id, byBoth.id, 'the one seen most recently, again')
  })

  test('with a token the traits replace what stands, and blanks leave it', async () => {
    calls.nextMinute()
    const { email } = await calls.newContact({
      traits: {
        first_name: 'Ada',
        city: 'London',
        meta: [
          { key: 'a', value: 1 },
          { key: 'b', value: 2 },
        ],
      },
    })
    const { json } = await calls.identify({
      email,
      external_id: null,
      traits: {
        first_name: 'Grace',
        city: null,
        company: '',
        meta: [
          { key: 'b', value: 3 },
          { key: 'c', value: 4 },
        ],
      },
    })
    const { first_name, city, company, meta } = json.data.contact
    assert.deepEqual([first_name, city, company], ['Grace', 'London', null])
    assert.deepEqual(meta, [
      { key: 'a', value: 1 },
      { key: 'b', value: 3 },
      { key: 'c', value: 4 },
    ])
  })

  test('a session keeps its first contact, and every caller is told the truth', async () => {
    calls.nextMinute()
    const session_id = await calls.newSession()
    const [mine, theirs] = [calls.address(), calls.address()]
    const first = (await calls.identify({ email: mine, session_id })).json.data
    const second = (await calls.identify({ email: theirs, session_id })).json.data
    const third = (await calls.identify({ email: mine, session_id })).json.data
    assert.deepEqual([first.linked_to_session, second.linked_to_session, third.linked_to_session], [true, false, true])
    assert.deepEqual(
      [first.contact.session_count, second.contact.session_count, third.contact.session_count],
      [1, 0, 1],
    )
    const { json } = await footfall.call('POST', '/v2/property/signals/sessions', { body: { period: 'today' } })
    const document = json.data.find((session: { id: string }) => session.id === session_id)
    assert.equal(document.contact_id, first.contact.id)
  })

  test('of two people identified on one session at once one wins, and both are told who', async () => {
    for (let round = 0; round < 10; round++) {
      calls.nextMinute()
      const who = calls.visitor()
      const session_id = await calls.newSession(who)
      const [a, b] = await Promise.all([
        calls.identify({ email: calls.address(), session_id }),
        calls.identifyVisitor(session_id, { email: calls.address() }, who),
      ])
      assert.ok(a.status === 200 && b.json.success === true, a.text + b.text)
      const told = [
        { id: a.json.data.contact.id, isLinked: a.json.data.linked_to_session },
        { id: b.json.contact_id, isLinked: b.json.linked_to_session },
      ]
      const winners = told.filter(({ isLinked }) => isLinked)
      assert.equal(winners.length, 1, JSON.stringify(told))
      const { json } = await footfall.call('POST', '/v2/property/signals/sessions', {
        body: { period: 'today', clauses: [{ id: 'contact_id', op: 'equals', value: told.map(({ id }) => id) }] },
      })
      assert.deepEqual(
        json.data.map((session: { id: string; contact_id: string }) => [session.id, session.contact_id]),
        [[session_id, winners[0]!.id]],
      )
      for (const { id, isLinked } of told)
        assert.equal((await calls.get(id)).json.data.contact.session_count, isLinked ? 1 : 0)
    }
  })

  test('calls at once for one new person make one contact', async () => {
    calls.nextMinute()
    const before = await calls.countContacts()
    const [email, external_id] = [calls.address(), `id-${calls.address()}`]
    for (const body of [{ email }, { external_id }]) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => calls.identify(body)))
      assert.equal(new Set(replies.map(({ json }) => json.data.contact.id)).size, 1)
    }
    assert.equal(await calls.countContacts(), before + 2)
  })

  test('an id that stands for nobody is refused, by name', async () => {
    calls.nextMinute()
    const before = await calls.countContacts()
    const junk = [
      'null',
      'undefined',
      ' NULL ',
      '0',
      '000',
      'anonymous',
      '[object Object]',
      'NaN',
      '{{user.id}}',
      '-1',
      '00000000-0000-0000-0000-000000000000',
    ]
    for (const external_id of junk)
      assertRefused(await calls.identify({ external_id, email: calls.address() }), 'external_id')
    assert.equal(await calls.countContacts(), before)
  })
})

describe('the tracker', () => {
  test('identifies its visitor, and answers the id of the contact and nothing else of it', async () => {
    calls.nextMinute()
    const who = calls.visitor()
    const session = await calls.newSession(who)
    const email = calls.address()
    const { id } = await calls.newContact({ email, external_id: `secret-${email}`, traits: { first_name: 'Ada' } })
    const reply = await calls.identifyVisitor(session, { email }, who)
    assert.deepEqual(reply.json, { success: true, message: 'ok', contact_id: id, linked_to_session: true })
  })

  test('fills blanks and changes nothing that stands', async () => {
    calls.nextMinute()
    const who = calls.visitor()
    const session = await calls.newSession(who)
    const email = calls.address()
    const { id } = await calls.newContact({
      email,
      traits: { first_name: 'Ada', lifecycle_stage: 'customer', meta: [{ key: 'plan', value: 'pro' }] },
    })
    const traits = {
      first_name: 'Eve',
      city: 'Rome',
      lifecycle_stage: 'lead',
      meta: [
        { key: 'plan', value: 'free' },
        { key: 'seen', value: true },
      ],
    }
    assert.equal((await calls.identifyVisitor(session, { email, traits }, who)).json.success, true)
    const { contact } = (await calls.get(id)).json.data
    assert.deepEqual([contact.first_name, contact.city, contact.lifecycle_stage], ['Ada', 'Rome', 'customer'])
    assert.deepEqual(contact.meta, [
      { key: 'plan', value: 'pro' },
      { key: 'seen', value: true },
    ])
  })

  test('ignores an id that stands for nobody and says so; without an address nothing is made', async () => {
    calls.nextMinute()
    const who = calls.visitor()
    const session = await calls.newSession(who)
    const before = await calls.countContacts()
    const alone = await calls.identifyVisitor(session, { external_id: 'undefined' }, who)
    assert.deepEqual([alone.status, alone.json.success], [200, false])
    assert.match(alone.json.message, /external_id/)
    assert.equal(await calls.countContacts(), before)
    const { json } = await calls.identifyVisitor(session, { external_id: 'undefined', email: calls.address() }, who)
    assert.deepEqual([json.success, json.linked_to_session], [true, true])
    assert.match(json.message, /external_id/)
    assert.equal((await calls.get(json.contact_id)).json.data.contact.external_id, null)
  })

  test('refuses in its own words what breaks a rule, and makes nobody', async () => {
    calls.nextMinute()
    const who = calls.visitor()
    const session = await calls.newSession(who)
    const before = await calls.countContacts()
    const bodies: readonly (readonly [unknown, RegExp])[] = [
      [{}, /^identify requires external_id or email/],
      [{ email: 'nobody' }, /email/],
      [{ external_id: 'x'.repeat(256) }, /^external_id may have at most 255 characters/],
      [{ email: calls.address(), traits: { first_name: 'x'.repeat(121) } }, /^traits\.first_name may have at most 120/],
      [{ email: calls.address(), traits: { meta: [{ value: 1 }] } }, /^traits\.meta\.0\.key is required/],
      [{ email: calls.address(), traits: 'x' }, /^traits must be/],
    ]
    for (const [body, words] of bodies) {
      const reply = await calls.identifyVisitor(session, body, who)
      assert.deepEqual([reply.status, reply.json.success], [200, false], reply.text)
      assert.match(reply.json.message, words)
      assert.deepEqual(reply.json.errors, [reply.json.message], 'each sentence once')
    }
    const unknown = await calls.identifyVisitor(
      '0'.repeat(32),
      { email: calls.address() },
      { address: '203.0.113.254' },
    )
    assert.deepEqual(unknown.json, { success: false, message: 'Session not found' })
    assert.equal(await calls.countContacts(), before)
  })

  test('with Sec-GPC nobody is looked up, made or linked', async () => {
    calls.nextMinute()
    const who = calls.visitor()
    const session = await calls.newSession(who)
    const { id, email } = await calls.newContact()
    const before = await calls.countContacts()
    for (const body of [{ email }, { email: calls.address(), external_id: 'gpc' }]) {
      const reply = await calls.identifyVisitor(session, body, who, { 'sec-gpc': '1' })
      assert.deepEqual(reply.json, { success: true, contact_id: null, linked_to_session: false, gpc: true })
    }
    const answer = { success: true, contact_id: null, linked_to_session: false, gpc: true }
    // Nothing of the call is looked at but the key of the property, wherever that is.
    for (const body of [{ email: 5 }, {}, [], 'no JSON', undefined, { email, site_id: 7 }])
      for (const path of [session, 'no-session']) {
        const reply = await calls.identifyVisitor(path, body, who, { 'sec-gpc': '1' })
        assert.deepEqual([reply.status, reply.json], [200, answer], JSON.stringify(body))
      }
    const send = (site_id: unknown) =>
      footfall.call('POST', `/v2/signal/${session}/identify`, {
        body: { site_id, email: 5 },
        headers: { 'sec-gpc': '1', 'x-forwarded-for': who.address },
      })
    assert.deepEqual((await send(footfall.property.key)).json, answer)
    assert.deepEqual((await send('no-key')).json, { success: false, message: 'Signal ID not found' })
    assert.deepEqual((await send(7)).json, { success: false, message: 'Missing headers', errors: ['X-SVC-ID'] })
    assert.equal(await calls.countContacts(), before)
    assert.equal((await calls.get(id)).json.data.contact.session_count, 0)
    assert.equal(
      (await calls.identifyVisitor(session, { email }, who)).json.linked_to_session,
      true,
      'the session was free',
    )
  })
})
