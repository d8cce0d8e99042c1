// Who a visitor is: matching, merging, and what happens when two say something at once. On both databases, as
// several nodes see them.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { SessionRef } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { type ContactWorld, NOON, openContacts } from '../../test/support/contact-nodes.ts'
import { type Home, openHomes, testOnEach } from '../../test/support/records.ts'
import { type Contact, MAX_META_ENTRIES } from '../contacts/contact-model.ts'
import { eraseContact } from '../contacts/erase.ts'
import { getContact, updateContact } from '../contacts/contacts.ts'
import { type Identification, type IdentifiedBy, identifyContact } from './identify.ts'
import { MAX_VISITOR_META } from '../contacts/meta.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld, home: Home) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home), home))

const isProblem = (kind: string, field?: string) => (error: unknown) =>
  error instanceof Problem && error.kind === kind && (field === undefined || error.errors?.[field] !== undefined)

async function countContacts({ node }: ContactWorld): Promise<number> {
  const rows = await node.records.selectFrom('contacts').select('id').execute()
  return rows.length
}

const by = (world: ContactWorld, who: IdentifiedBy, identification: Identification) =>
  identifyContact(world.node, world.propertyId, { by: who, identification })

// ---------------------------------------------------------------- matching

onEach('an external id is looked up by itself alone, whatever the address says', async (_t, world) => {
  const known = await world.identify({ external_id: 'u1', email: 'a@example.com' })
  assert.equal((await world.identify({ external_id: 'u1', email: 'b@example.com' })).id, known.id)
  assert.equal((await world.identify({ external_id: ' u1 ' })).id, known.id, 'blanks around it are none of it')
  const other = await world.identify({ external_id: 'U1' })
  assert.notEqual(other.id, known.id, 'another spelling is another id')
  const third = await world.identify({ external_id: 'u2', email: 'b@example.com' })
  assert.notEqual(third.id, known.id, 'an unknown id is another person, also with a known address')
  assert.equal(await countContacts(world), 3)
})

onEach('an address alone finds the contact with it that was seen last, in whatever case', async (_t, world) => {
  const first = await world.identify({ external_id: 'u1', email: 'Shared@Example.com' })
  world.clock.ms += 1
  const second = await world.identify({ external_id: 'u2', email: 'shared@example.com' })
  assert.equal((await world.identify({ email: ' SHARED@EXAMPLE.COM ' })).id, second.id)
  world.clock.ms += 1
  await world.identify({ external_id: 'u1' })
  world.clock.ms += 1
  assert.equal((await world.identify({ email: 'shared@example.com' })).id, first.id)
  assert.equal(await countContacts(world), 2)
})

onEach('of contacts with one address seen in the same millisecond the newer one is found', async (_t, world) => {
  await world.identify({ external_id: 'u1', email: 'a@example.com' })
  const newer = await world.identify({ external_id: 'u2', email: 'a@example.com' })
  assert.equal((await world.identify({ email: 'a@example.com' })).id, newer.id)
})

/**
 * Two contacts with one address, the second identified an hour after the first; each with a session of today.
 */
async function openSharers(world: ContactWorld, email: string, who: IdentifiedBy = 'token') {
  const identify = async (external_id: string, session: SessionRef) =>
    (await identifyContact(world.node, world.propertyId, { by: who, identification: { external_id, email }, session }))
      .contact.id
  const first = await identify('u1', world.session(1))
  world.clock.ms += 3_600_000
  const second = await identify('u2', world.session(2))
  return { first, second }
}

const activeAt = ({ fake }: ContactWorld, session: string, ms: number) => (fake.sessions.get(session)!.lastMs = ms)

onEach('of contacts with one address the one whose session was active last is found', async (_t, world) => {
  const email = 'a@example.com'
  const { first, second } = await openSharers(world, email)
  assert.equal((await world.identify({ email })).id, second, 'identified later, and nobody was active since')
  activeAt(world, '2026-11-10/1', world.clock.ms + 60_000)
  world.clock.ms += 120_000
  for (const who of ['token', 'visitor'] as const)
    assert.equal((await by(world, who, { email })).contact.id, first, who)
})

onEach('a session that goes on after midnight counts as well as one of the day', async (_t, world) => {
  const email = 'a@example.com'
  const { first } = await openSharers(world, email)
  activeAt(world, '2026-11-10/1', NOON + 14 * 3_600_000)
  world.clock.ms += 86_400_000
  assert.equal((await world.identify({ email })).id, first)
})

onEach(
  'however lively a contact is to whom a visitor gave the address, the owner means their own',
  async (_t, world) => {
    const email = 'victim@example.com'
    const own = await world.identify({ email })
    const { first } = await openSharers(world, email, 'visitor')
    activeAt(world, '2026-11-10/1', world.clock.ms + 3_600_000)
    assert.equal((await by(world, 'visitor', { email })).contact.id, first)
    world.clock.ms += 7_200_000
    assert.equal((await world.identify({ email })).id, own.id)
  },
)

onEach('while the facts are away an address means the contact that was identified last', async (_t, world) => {
  const email = 'a@example.com'
  const { second } = await openSharers(world, email)
  activeAt(world, '2026-11-10/1', world.clock.ms + 60_000)
  const failing = (error: Error) => {
    const refuse = async () => {
      throw error
    }
    return { ...world.node, facts: { ...world.fake.facts, query: refuse, lookup: refuse } }
  }
  const away = failing(new Problem('unavailable', 'The facts store is not responding.'))
  const identify = (node: typeof away) =>
    identifyContact(node, world.propertyId, { by: 'token', identification: { email } })
  assert.equal((await identify(away)).contact.id, second)
  await assert.rejects(identify(failing(new Error('a fault of ours'))), /a fault of ours/)
})

onEach('the facts are asked only where an address may mean several contacts', async (_t, world) => {
  const email = 'a@example.com'
  const refuse = () => Promise.reject(new Error('was asked'))
  const node = { ...world.node, facts: { ...world.fake.facts, query: refuse, lookup: refuse } }
  const identify = async (identification: Identification, who: IdentifiedBy = 'token') =>
    (await identifyContact(node, world.propertyId, { by: who, identification })).contact.id
  const old = await identify({ external_id: 'u1', email })
  assert.equal(await identify({ email }), old, 'one contact')
  await identify({ external_id: 'u2', email: 'b@example.com' }, 'visitor')
  await identify({ external_id: 'u3', email }, 'visitor')
  assert.equal(await identify({ email }), old, 'one of the owner’s')
  assert.equal(await identify({ external_id: 'u1' }), old, 'an external id')
  world.clock.ms += 3 * 86_400_000
  const late = await identify({ external_id: 'u4', email })
  assert.equal(await identify({ email }), late, 'no session of the other one can have gone on for so long')
})

onEach('the contacts of another property are never found', async (_t, world) => {
  const own = await world.identify({ external_id: 'u1', email: 'a@example.com' })
  const elsewhere = await world.addProperty()
  for (const identification of [{ external_id: 'u1' }, { email: 'a@example.com' }]) {
    const { contact } = await identifyContact(world.node, elsewhere, { by: 'token', identification })
    assert.notEqual(contact.id, own.id)
    await assert.rejects(getContact(world.node, world.propertyId, contact.id), isProblem('not_found'))
  }
})

onEach('a new contact is active, with every text that was said and the times of its making', async (_t, world) => {
  const traits = {
    first_name: ' Ann ',
    last_name: 'Lee',
    phone: '',
    company: null,
    city: 'Bern',
    meta: [{ key: 'plan', value: 'pro' }],
  }
  const contact = await world.identify({ external_id: 'u1', email: ' Ann@Example.com', traits })
  const { id, ...rest } = await getContact(world.node, world.propertyId, contact.id)
  assert.match(id, /^ct_[0-9A-Za-z]{20}$/)
  const told = {
    external_id: 'u1',
    email: 'Ann@Example.com',
    first_name: 'Ann',
    last_name: 'Lee',
    phone: null,
    company: null,
    city: 'Bern',
  }
  const shown: Partial<Contact> = {
    ...told,
    job_title: null,
    website: null,
    country: null,
    lifecycle_stage: 'user',
    state: 'active',
    session_count: 0,
    meta: [{ key: 'plan', value: 'pro' }],
    first_seen_ts: NOON / 1000,
    identified_ts: NOON / 1000,
    last_seen_ms: NOON,
  }
  for (const [name, value] of Object.entries(shown)) assert.deepEqual(rest[name as keyof typeof rest], value, name)
})

onEach('one of external_id and email is needed, and blanks are neither', async (_t, world) => {
  const nobody: Identification[] = [
    {},
    { external_id: '  ', email: '' },
    { external_id: null, email: null },
    { traits: { first_name: 'Ann' } },
  ]
  for (const identification of nobody)
    for (const who of ['token', 'visitor'] as const)
      await assert.rejects(by(world, who, identification), (error: unknown) => {
        assert.ok(isProblem('validation_failed', 'email')(error))
        assert.match((error as Problem).message, /^identify requires external_id or email/)
        return true
      })
  await assert.rejects(
    by(world, 'token', { external_id: 'u1', email: 'not an address' }),
    isProblem('validation_failed', 'email'),
  )
  assert.equal(await countContacts(world), 0)
})

onEach('a junk id is refused from a token; a visitor’s is left out, and said to be', async (_t, world) => {
  const junk = { external_id: ' [object Object] ', email: 'a@example.com' }
  await assert.rejects(by(world, 'token', junk), isProblem('validation_failed', 'external_id'))
  await assert.rejects(by(world, 'visitor', { external_id: 'undefined' }), (error: unknown) => {
    assert.match((error as Problem).message, /^identify requires external_id or email.*external_id was ignored/)
    return isProblem('validation_failed', 'external_id')(error)
  })
  assert.equal(await countContacts(world), 0)
  const { contact, ignored } = await by(world, 'visitor', junk)
  assert.deepEqual([contact.external_id, contact.email, ignored.length], [null, 'a@example.com', 1])
  assert.match(ignored[0]!, /^external_id was ignored/)
  assert.deepEqual((await by(world, 'token', { external_id: 'u1' })).ignored, [])
})

onEach('an id that could only be stored as another one names nobody', async (_t, world) => {
  const admin = await world.identify({ external_id: 'admin' })
  for (const external_id of ['adm\0in', 'admin\0', 'user\ud800', 'user\udc01', '\ud800', '\0']) {
    await assert.rejects(by(world, 'token', { external_id }), isProblem('validation_failed', 'external_id'))
    await assert.rejects(by(world, 'visitor', { external_id }), isProblem('validation_failed', 'external_id'))
    await assert.rejects(
      updateContact(world.node, world.propertyId, admin.id, { external_id }),
      isProblem('validation_failed', 'external_id'),
    )
    const { contact, ignored } = await by(world, 'visitor', { external_id, email: 'a@example.com' })
    assert.deepEqual([contact.external_id, ignored.length], [null, 1])
    assert.match(ignored[0]!, /^external_id was ignored/)
  }
  assert.equal(await countContacts(world), 2)
  assert.equal((await world.identify({ external_id: '\n admin\t' })).id, admin.id)
})

// ---------------------------------------------------------------- who gave an address

const emailBy = async ({ node }: ContactWorld, id: string) =>
  (await node.records.selectFrom('contacts').select('email_by').where('id', '=', id).executeTakeFirstOrThrow()).email_by

onEach('a visitor cannot draw to another contact what the owner says about an address', async (_t, world) => {
  const email = 'victim@example.com'
  const own = await world.identify({ email })
  await world.identify({ external_id: '43' })
  for (const external_id of ['made-by-visitor', '43']) {
    world.clock.ms += 1
    await by(world, 'visitor', { external_id, email })
    assert.equal((await world.identify({ email, traits: { city: 'Bern' } })).id, own.id, external_id)
  }
  world.clock.ms += 1
  const second = await world.identify({ external_id: '44', email })
  assert.equal((await world.identify({ email })).id, second.id, 'of two that the owner gave it the last identified')
})

onEach('an address that a visitor gave counts as the owner’s once the owner names it', async (_t, world) => {
  const email = 'a@example.com'
  const made = (await by(world, 'visitor', { external_id: 'u1', email })).contact
  assert.equal(await emailBy(world, made.id), 'visitor')
  await by(world, 'visitor', { external_id: 'u1', email })
  assert.equal(await emailBy(world, made.id), 'visitor')
  await world.identify({ external_id: 'u1' })
  assert.equal(await emailBy(world, made.id), 'visitor', 'the owner did not name it')
  await world.identify({ external_id: 'u1', email: 'A@example.com' })
  assert.equal(await emailBy(world, made.id), 'token')
  await by(world, 'visitor', { external_id: 'u1', email: 'b@example.com' })
  assert.equal(await emailBy(world, made.id), 'token')
  await updateContact(world.node, world.propertyId, made.id, { email: null })
  assert.equal(await emailBy(world, made.id), null)
  await by(world, 'visitor', { external_id: 'u1', email })
  assert.equal(await emailBy(world, made.id), 'visitor')
  await updateContact(world.node, world.propertyId, made.id, { email })
  assert.equal(await emailBy(world, made.id), 'token')
})

// ---------------------------------------------------------------- merging

const before = {
  external_id: 'u1',
  email: 'old@example.com',
  traits: {
    first_name: 'Old',
    lifecycle_stage: 'lead',
    meta: [
      { key: 'a', value: 1 },
      { key: 'b', value: 'old' },
    ],
  },
} as const
const after = {
  external_id: 'u1',
  email: 'New@example.com',
  traits: {
    first_name: 'New',
    last_name: 'Lee',
    city: null,
    phone: ' ',
    lifecycle_stage: 'customer',
    meta: [
      { key: 'b', value: 'new' },
      { key: 'c', value: null },
    ],
  },
} as const

onEach('a token’s call overwrites with what it says, and with nothing else', async (_t, world) => {
  await world.identify({ ...before, traits: { ...before.traits, city: 'Bern', phone: '1' } })
  const { contact } = await by(world, 'token', after)
  const { email, first_name, last_name, city, phone, lifecycle_stage, meta } = contact
  assert.deepEqual([email, first_name, last_name, city, phone], ['New@example.com', 'New', 'Lee', 'Bern', '1'])
  assert.equal(lifecycle_stage, 'customer')
  assert.deepEqual(meta, [
    { key: 'a', value: 1 },
    { key: 'b', value: 'new' },
    { key: 'c', value: null },
  ])
  assert.deepEqual(await getContact(world.node, world.propertyId, contact.id), contact)
})

onEach('a visitor’s call fills blanks and changes nothing that stands', async (_t, world) => {
  await world.identify({ ...before, traits: { ...before.traits, phone: '1' } })
  const { contact } = await by(world, 'visitor', after)
  const { email, first_name, last_name, phone, lifecycle_stage, meta } = contact
  assert.deepEqual(
    [email, first_name, last_name, phone, lifecycle_stage],
    ['old@example.com', 'Old', 'Lee', '1', 'lead'],
  )
  assert.deepEqual(meta, [
    { key: 'a', value: 1 },
    { key: 'b', value: 'old' },
    { key: 'c', value: null },
  ])
  assert.deepEqual(await getContact(world.node, world.propertyId, contact.id), contact)
})

onEach(
  'a visitor’s call fills in a missing address, and may set a stage only where it makes the contact',
  async (_t, world) => {
    const known = await world.identify({ external_id: 'u1' })
    const filled = (
      await by(world, 'visitor', { external_id: 'u1', email: 'a@example.com', traits: { lifecycle_stage: 'lead' } })
    ).contact
    assert.deepEqual([filled.email, filled.lifecycle_stage], ['a@example.com', 'user'])
    assert.equal((await by(world, 'token', { email: 'A@example.com' })).contact.id, known.id)
    const made = (await by(world, 'visitor', { external_id: 'u2', traits: { lifecycle_stage: 'lead' } })).contact
    assert.equal(made.lifecycle_stage, 'lead')
  },
)

onEach('an empty external id is not filled in by an address: that would merge two people', async (_t, world) => {
  const known = await world.identify({ email: 'a@example.com' })
  for (const who of ['visitor', 'token'] as const)
    assert.notEqual((await by(world, who, { external_id: `id-${who}`, email: 'a@example.com' })).contact.id, known.id)
  assert.equal((await getContact(world.node, world.propertyId, known.id)).external_id, null)
})

onEach(
  `a contact has at most ${MAX_META_ENTRIES} custom fields, and of equal keys the last one counts`,
  async (_t, world) => {
    const fields = (count: number, from = 0) =>
      Array.from({ length: count }, (_, i) => ({ key: `k${from + i}`, value: i }))
    await world.identify({
      external_id: 'u1',
      traits: { meta: [...fields(MAX_META_ENTRIES), { key: ' k0 ', value: 'last' }] },
    })
    await assert.rejects(
      by(world, 'token', { external_id: 'u1', traits: { first_name: 'Ann', meta: fields(1, 90) } }),
      isProblem('validation_failed', 'traits.meta'),
    )
    const { meta, first_name } = (await by(world, 'token', { external_id: 'u1' })).contact
    assert.deepEqual([meta.length, meta[0], first_name], [MAX_META_ENTRIES, { key: 'k0', value: 'last' }, null])
    await assert.rejects(
      world.identify({ external_id: 'u2', traits: { meta: [{ key: ' ', value: 1 }] } }),
      isProblem('validation_failed', 'traits.meta'),
    )
  },
)

onEach(
  'however much visitors bring, the owner keeps most of the custom fields, and a visitor learns of none',
  async (_t, world) => {
    const fields = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => ({ key: `${name}${i}`, value: i }))
    const asVisitor = (meta: { key: string; value: number }[], external_id = 'u1') =>
      by(world, 'visitor', { external_id, traits: { meta } })
    await assert.rejects(asVisitor(fields('a', MAX_VISITOR_META + 1)), isProblem('validation_failed', 'traits.meta'))
    assert.equal(await countContacts(world), 0)
    await asVisitor([...fields('a', MAX_VISITOR_META), { key: 'a0', value: 7 }])
    for (const name of ['b', 'c', 'd', 'e', 'f']) {
      const { contact, ignored } = await asVisitor(fields(name, MAX_VISITOR_META))
      assert.deepEqual([contact.meta.length, ignored], [MAX_VISITOR_META, []], 'left out without a word')
    }
    const own = fields('own', MAX_META_ENTRIES - MAX_VISITOR_META)
    const { contact } = await by(world, 'token', { external_id: 'u1', traits: { meta: own } })
    assert.deepEqual(contact.meta.slice(0, MAX_VISITOR_META + 1), [
      { key: 'a0', value: 7 },
      ...fields('a', 10).slice(1),
      own[0],
    ])
    const full = await asVisitor(fields('g', 1))
    assert.deepEqual([full.contact.meta, full.ignored], [contact.meta, []], 'nor does a full one say that it is')
    await by(world, 'token', { external_id: 'u2', traits: { meta: fields('own', MAX_VISITOR_META - 2) } })
    const filled = (await asVisitor([{ key: 'own0', value: 9 }, ...fields('a', 5)], 'u2')).contact
    assert.deepEqual(filled.meta, [...fields('own', MAX_VISITOR_META - 2), ...fields('a', 2)])
  },
)

onEach('a number that would be kept as another one is refused', async (_t, world) => {
  const numbers: number[] = JSON.parse('[1e400, -1e400, 12345678901234567890, 9007199254740992, -9007199254740992]')
  for (const value of numbers)
    for (const who of ['token', 'visitor'] as const)
      await assert.rejects(
        by(world, who, { external_id: 'u1', traits: { meta: [{ key: 'n', value }] } }),
        isProblem('validation_failed', 'traits.meta'),
        String(value),
      )
  const kept = [2 ** 53 - 1, -(2 ** 53 - 1), 0.1, -1.5e-9, 1234567.891].map((value, i) => ({ key: `n${i}`, value }))
  const { id, meta } = await world.identify({ external_id: 'u1', traits: { meta: kept } })
  assert.deepEqual(meta, kept)
  await assert.rejects(
    updateContact(world.node, world.propertyId, id, { meta: [{ key: 'n', value: Infinity }] }),
    isProblem('validation_failed', 'meta'),
  )
})

onEach('every identification moves the time it was last seen, and a late one never back', async (_t, world) => {
  await world.identify({ external_id: 'u1' })
  world.clock.ms += 90_000
  assert.equal((await world.identify({ external_id: 'u1' })).last_seen_ms, NOON + 90_000)
  world.clock.ms -= 60_000
  const late = await world.identify({ external_id: 'u1' })
  assert.deepEqual([late.last_seen_ms, late.identified_ts], [NOON + 90_000, NOON / 1000])
})

// ---------------------------------------------------------------- sessions

onEach(
  'a session gets its contact once, counts once, and is told to who owns it and to who does not',
  async (_t, world) => {
    const session = world.session(1, 3)
    const identify = (external_id: string) =>
      identifyContact(world.node, world.propertyId, { by: 'token', identification: { external_id }, session })
    const first = await identify('u1')
    assert.deepEqual([first.isLinked, first.contact.session_count], [true, 1])
    assert.equal(first.contact.first_seen_ts, (NOON - 3 * 86_400_000) / 1000, 'when the session began')
    const again = await identify('u1')
    assert.deepEqual([again.isLinked, again.contact.session_count], [true, 1])
    const other = await identify('u2')
    assert.deepEqual(
      [other.isLinked, other.contact.session_count, other.contact.first_seen_ts],
      [false, 0, NOON / 1000],
    )
    const without = await by(world, 'token', { external_id: 'u1' })
    assert.deepEqual([without.isLinked, without.contact.session_count], [false, 1])
    const rows = world.fake.events.map(({ contact_id, session: hash, kind, by_visitor }) => [
      contact_id,
      hash,
      kind,
      by_visitor,
    ])
    assert.deepEqual(rows, [[first.contact.id, '1', 'identify', 0]])
  },
)

onEach('a later session moves the first seen time back only when it began earlier', async (_t, world) => {
  await world.identify({ external_id: 'u1' }, world.session(1, 2))
  const { first_seen_ts, session_count } = await world.identify({ external_id: 'u1' }, world.session(2, 1))
  assert.deepEqual([first_seen_ts, session_count], [(NOON - 2 * 86_400_000) / 1000, 2])
})

onEach('a session whose page views are gone began on its day', async (_t, world) => {
  const session = world.session(1, 400)
  world.fake.sessions.clear()
  const { first_seen_ts, session_count } = await world.identify({ external_id: 'u1' }, session)
  assert.deepEqual([first_seen_ts, session_count], [(NOON - 12 * 3_600_000 - 400 * 86_400_000) / 1000, 1])
})

onEach('no address, name or external id goes to the facts', async (_t, world) => {
  const said = {
    external_id: 'secret-id',
    email: 'secret@example.com',
    traits: { first_name: 'Secretia', meta: [{ key: 'secret', value: 'secret' }] },
  }
  await world.identify(said, world.session(1))
  assert.equal(world.fake.events.length, 1)
  assert.doesNotMatch(JSON.stringify(world.fake.events), /secret/i)
})

onEach(
  'a link that the facts could not take is told as a failure, and made up for by the same call',
  async (_t, world) => {
    const session = world.session(1)
    world.fake.failure = new Problem('unavailable', 'The facts store is not responding.', { retryAfterSeconds: 5 })
    await assert.rejects(world.identify({ external_id: 'u1' }, session), isProblem('unavailable'))
    world.fake.failure = undefined
    const { contact, isLinked } = await identifyContact(world.node, world.propertyId, {
      by: 'visitor',
      identification: { external_id: 'u1' },
      session,
    })
    assert.deepEqual([isLinked, contact.session_count, world.fake.events.length], [true, 1, 1])
    await world.identify({ external_id: 'u1' }, session)
    assert.equal(world.fake.events.length, 1, 'once noted, it is not noted again')
  },
)

onEach('an identification for a property that is being removed finds no property', async (_t, world) => {
  await assert.rejects(
    identifyContact(world.node, 'pr_00000000000000000000', { by: 'token', identification: { external_id: 'u1' } }),
    isProblem('not_found'),
  )
})

// ---------------------------------------------------------------- at the same moment

async function nodesOf(world: ContactWorld) {
  return [world.node, await world.another(), await world.another()]
}

const AT_ONCE = 20

for (const [what, identification] of [
  ['external id', { external_id: 'new' }],
  ['address', { email: 'new@example.com' }],
] as const)
  onEach(`${AT_ONCE} calls at once with one new ${what} make one contact`, async (_t, world) => {
    const nodes = await nodesOf(world)
    const calls = Array.from({ length: AT_ONCE }, (_, i) =>
      identifyContact(nodes[i % nodes.length]!, world.propertyId, {
        by: i % 2 ? 'token' : 'visitor',
        identification,
        session: world.session(i + 1),
      }),
    )
    const answers = await Promise.all(calls)
    assert.equal(new Set(answers.map(({ contact }) => contact.id)).size, 1)
    assert.ok(answers.every(({ isLinked }) => isLinked))
    assert.equal(await countContacts(world), 1)
    const contact = await getContact(world.node, world.propertyId, answers[0]!.contact.id)
    assert.equal(contact.session_count, AT_ONCE, 'every session is counted')
    assert.equal(world.fake.events.length, AT_ONCE)
  })

onEach('of people who claim one session at once one gets it, and all are told the truth', async (_t, world) => {
  const nodes = await nodesOf(world)
  const session = world.session(1)
  const calls = Array.from({ length: 9 }, (_, i) =>
    identifyContact(nodes[i % nodes.length]!, world.propertyId, {
      by: 'token',
      identification: { external_id: `u${i % 3}` },
      session,
    }),
  )
  const answers = await Promise.all(calls)
  const winners = new Set(answers.filter(({ isLinked }) => isLinked).map(({ contact }) => contact.id))
  assert.equal(winners.size, 1)
  const [winner] = winners
  assert.ok(answers.every(({ contact, isLinked }) => isLinked === (contact.id === winner)))
  const rows = await world.node.records.selectFrom('contacts').select(['id', 'session_count']).execute()
  assert.deepEqual(
    rows.map(({ id, session_count }) => session_count === (id === winner ? 1 : 0)),
    [true, true, true],
  )
  assert.ok(world.fake.events.every(({ contact_id }) => contact_id === winner))
})

onEach('merges at the same moment lose nothing of each other', async (_t, world) => {
  const nodes = await nodesOf(world)
  await world.identify({ external_id: 'u1' })
  const calls = Array.from({ length: AT_ONCE }, (_, i) =>
    identifyContact(nodes[i % nodes.length]!, world.propertyId, {
      by: 'token',
      identification: { external_id: 'u1', traits: { meta: [{ key: `k${i}`, value: i }] } },
    }),
  )
  await Promise.all(calls)
  assert.equal((await world.identify({ external_id: 'u1' })).meta.length, AT_ONCE)
})

onEach('an identification beside a deletion ends in a contact that is not deleted', async (_t, world) => {
  const nodes = await nodesOf(world)
  for (let round = 0; round < 5; round++) {
    const email = `round${round}@example.com`
    const { id } = await world.identify({ email })
    const [, ...answers] = await Promise.all([
      eraseContact(nodes[0]!, world.propertyId, id),
      ...nodes.map((node) => identifyContact(node, world.propertyId, { by: 'token', identification: { email } })),
    ])
    const deleted = await getContact(world.node, world.propertyId, id)
    assert.deepEqual([deleted.state, deleted.first_name, deleted.meta], ['deleted', null, []])
    assert.match(deleted.email ?? '', /^deleted_[0-9A-Za-z]{20}@redacted\.invalid$/)
    const later = new Set(answers.map(({ contact }) => contact.id).filter((other) => other !== id))
    assert.ok(later.size <= 1, 'at most one new contact')
    assert.notEqual((await world.identify({ email })).id, id)
  }
})

onEach('an address that was taken from its contact is free for another one', async (_t, world) => {
  const first = await world.identify({ email: 'a@example.com' })
  await updateContact(world.node, world.propertyId, first.id, { email: 'b@example.com' })
  const second = await world.identify({ email: 'a@example.com' })
  assert.notEqual(second.id, first.id)
  assert.equal((await world.identify({ email: 'b@example.com' })).id, first.id)
  await updateContact(world.node, world.propertyId, second.id, { external_id: 'u2' })
  assert.equal((await world.identify({ external_id: 'u2', email: 'c@example.com' })).id, second.id)
  const third = await world.identify({ email: 'a@example.com' })
  assert.ok(![first.id, second.id].includes(third.id))
  assert.equal((await world.identify({ external_id: 'u2', email: 'a@example.com' })).id, second.id, 'two may share it')
})
