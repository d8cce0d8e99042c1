// Contacts as their owner sees them: the list and its filters, search, and what an update may do. On both
// databases.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Problem } from '../kernel/problem.ts'
import { type ContactWorld, NOON, openContacts } from '../../test/support/contact-nodes.ts'
import { rounds } from '../../test/support/long.ts'
import { plansOf } from '../../test/support/plans.ts'
import { type Home, openHomes, testOnEach } from '../../test/support/records.ts'
import { type Contact, type StoredOrder, storedSorts } from './contact-model.ts'
import { type ContactFilter, getContact, listContacts, updateContact } from './contacts.ts'
import { eraseContact } from './erase.ts'
import { identifyContact } from '../identify/identify.ts'
import { listContactRows } from './list-records.ts'
import { lockContact } from './records.ts'
import type { ContactChangeJson as ContactChange } from './schema.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld, home: Home) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home), home))

const isProblem = (kind: string, field?: string) => (error: unknown) =>
  error instanceof Problem && error.kind === kind && (field === undefined || error.errors?.[field] !== undefined)

async function list({ node, propertyId }: ContactWorld, filter: ContactFilter, page = 1, perPage = 25) {
  const { rows, total } = await listContacts(node, propertyId, filter, { page, perPage })
  return { ids: rows.map(({ external_id }) => external_id), total }
}

const found = async (world: ContactWorld, search: string) => (await list(world, { search })).ids

/**
 * Rows as they would be after as many identifications, written at once: the point is what is read of them.
 */
async function fill(
  world: ContactWorld,
  count: number,
  search: (n: number) => string,
  propertyId = world.propertyId,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `${propertyId}_${n}`,
    property_id: propertyId,
    external_id: `n${n}`,
    email_key: null,
    claimed_email: null,
    lifecycle_stage: n % 2 ? 'lead' : 'user',
    state: n % 5 ? ('active' as const) : ('unsubscribed' as const),
    meta: '[]',
    first_seen_ts: 1,
    identified_ts: 1,
    last_seen_ms: 1,
    session_count: 0,
    search: search(n),
  }))
  for (let i = 0; i < rows.length; i += 1000)
    await world.node.records
      .insertInto('contacts')
      .values(rows.slice(i, i + 1000))
      .execute()
}

/** So many contacts that the index is asked, and none of them with a text that could be found. */
const fillSilently = (world: ContactWorld): Promise<void> => fill(world, 20_001, () => '')

// ---------------------------------------------------------------- one contact

onEach('a contact of another property, and one that never was, are not in this property', async (_t, world) => {
  const { id } = await world.identify({ external_id: 'u1' })
  const elsewhere = await world.addProperty()
  const isAbsent = (error: unknown) =>
    error instanceof Problem && error.status === 404 && error.message === 'The contact is not in this property.'
  for (const [propertyId, contactId] of [
    [elsewhere, id],
    [world.propertyId, 'ct_00000000000000000000'],
    [world.propertyId, ''],
    [world.propertyId, "' or 1=1 --"],
  ] as const) {
    await assert.rejects(getContact(world.node, propertyId, contactId), isAbsent)
    await assert.rejects(updateContact(world.node, propertyId, contactId, { city: 'Bern' }), isAbsent)
    await assert.rejects(eraseContact(world.node, propertyId, contactId), isAbsent)
  }
  assert.equal((await getContact(world.node, world.propertyId, id)).state, 'active')
})

onEach(
  'a contact was last seen when one of its sessions was, and sessions before its identification change nothing',
  async (_t, world) => {
    const session = world.session(1)
    const { id } = await world.identify({ external_id: 'u1' }, session)
    await world.identify({ external_id: 'u1' }, world.session(2, 5))
    const lastSeen = async () => (await getContact(world.node, world.propertyId, id)).last_seen_ms
    assert.equal(await lastSeen(), NOON)
    world.fake.sessions.get('2026-11-10/1')!.lastMs = NOON + 3_600_123
    assert.equal(await lastSeen(), NOON + 3_600_123)
    const { rows } = await listContacts(world.node, world.propertyId, {}, { page: 1, perPage: 25 })
    assert.equal(rows[0]?.last_seen_ms, NOON + 3_600_123)
    assert.equal(
      (await updateContact(world.node, world.propertyId, id, { city: 'Bern' })).last_seen_ms,
      NOON + 3_600_123,
    )
    world.clock.ms = NOON + 7_200_000
    await world.identify({ external_id: 'u1' })
    assert.equal(await lastSeen(), NOON + 7_200_000)
  },
)

onEach('while the facts are away people are found and changed, as they were last identified', async (_t, world) => {
  const { id } = await world.identify({ external_id: 'u1' }, world.session(1))
  world.fake.sessions.get('2026-11-10/1')!.lastMs = NOON + 60_000
  const failing = (error: Error) => {
    const refuse = async () => {
      throw error
    }
    return { ...world.node, facts: { ...world.fake.facts, query: refuse, lookup: refuse } }
  }
  const away = failing(new Problem('unavailable', 'The facts store is not responding.'))
  assert.equal((await getContact(away, world.propertyId, id)).last_seen_ms, NOON)
  const { rows, total } = await listContacts(away, world.propertyId, {}, { page: 1, perPage: 25 })
  assert.deepEqual([rows.map((row) => [row.id, row.last_seen_ms]), total], [[[id, NOON]], 1])
  assert.equal((await updateContact(away, world.propertyId, id, { city: 'Bern' })).city, 'Bern')
  const { city, last_seen_ms } = await getContact(world.node, world.propertyId, id)
  assert.deepEqual([city, last_seen_ms], ['Bern', NOON + 60_000])
  await assert.rejects(getContact(failing(new Error('a fault of ours')), world.propertyId, id), /a fault of ours/)
})

onEach('a session carried over midnight counts as seen after it', async (_t, world) => {
  const session = world.session(1, 1)
  world.clock.ms = NOON
  const { id } = await world.identify({ external_id: 'u1' }, session)
  world.fake.sessions.get('2026-11-09/1')!.lastMs = NOON + 60_000
  assert.equal((await getContact(world.node, world.propertyId, id)).last_seen_ms, NOON + 60_000)
})

// ---------------------------------------------------------------- updates

onEach('an update changes what it names, null and blanks clear, and the rest stays', async (_t, world) => {
  const traits = { first_name: 'Ann', last_name: 'Lee', city: 'Bern', meta: [{ key: 'a', value: 1 }] }
  const made = await world.identify({ external_id: 'u1', email: 'ann@example.com', traits })
  const change: ContactChange = {
    first_name: ' Anna ',
    city: null,
    company: '  ',
    lifecycle_stage: ' lead ',
    state: 'unsubscribed',
  }
  const changed = await updateContact(world.node, world.propertyId, made.id, change)
  const shown = { ...made, first_name: 'Anna', city: null, lifecycle_stage: 'lead', state: 'unsubscribed' }
  assert.deepEqual(changed, shown)
  assert.deepEqual(await getContact(world.node, world.propertyId, made.id), shown)
  assert.deepEqual(await updateContact(world.node, world.propertyId, made.id, {}), shown)
  const meta = [
    { key: 'b', value: true },
    { key: ' b ', value: null },
  ]
  assert.deepEqual((await updateContact(world.node, world.propertyId, made.id, { meta })).meta, [
    { key: 'b', value: null },
  ])
  assert.deepEqual((await updateContact(world.node, world.propertyId, made.id, { meta: null })).meta, [])
  const cleared = await updateContact(world.node, world.propertyId, made.id, {
    external_id: null,
    email: null,
    state: 'active',
  })
  assert.deepEqual([cleared.external_id, cleared.email, cleared.state], [null, null, 'active'])
  assert.notEqual((await world.identify({ external_id: 'u1' })).id, made.id, 'an id that was cleared finds nobody')
  assert.notEqual((await world.identify({ email: 'ann@example.com' })).id, made.id)
})

onEach('what breaks a rule is refused, and then nothing of the update is done', async (_t, world) => {
  const made = await world.identify({ external_id: 'u1' })
  await world.identify({ external_id: 'u2' })
  for (const [change, field] of [
    [{ email: 'nobody' }, 'email'],
    [{ external_id: 'undefined' }, 'external_id'],
    [{ external_id: 'u2' }, 'external_id'],
    [{ lifecycle_stage: ' ' }, 'lifecycle_stage'],
    [{ meta: [{ key: '', value: 1 }] }, 'meta'],
  ] as const)
    await assert.rejects(
      updateContact(world.node, world.propertyId, made.id, { city: 'Bern', ...change }),
      isProblem('validation_failed', field),
      JSON.stringify(change),
    )
  assert.deepEqual(await getContact(world.node, world.propertyId, made.id), made)
})

onEach('an update to an external id of another property is none of that property’s business', async (_t, world) => {
  const elsewhere = await world.addProperty()
  await identifyContact(world.node, elsewhere, { by: 'token', identification: { external_id: 'u2' } })
  const { id } = await world.identify({ external_id: 'u1' })
  assert.equal((await updateContact(world.node, world.propertyId, id, { external_id: 'u2' })).external_id, 'u2')
})

onEach('updates that swap external ids at the same moment all end, in an answer or in a refusal', async (_t, world) => {
  const nodes = [world.node, await world.another()]
  const [a, b] = [await world.identify({ external_id: 'a' }), await world.identify({ external_id: 'b' })]
  for (let round = 0; round < 10; round++) {
    const swaps = [
      updateContact(nodes[0]!, world.propertyId, a.id, { external_id: 'b' }),
      updateContact(nodes[1]!, world.propertyId, b.id, { external_id: 'a' }),
    ]
    for (const { reason } of (await Promise.allSettled(swaps)).filter((swap) => swap.status === 'rejected'))
      assert.ok(isProblem('validation_failed', 'external_id')(reason), String(reason))
    const rows = await world.node.records.selectFrom('contacts').select('external_id').execute()
    assert.deepEqual(new Set(rows.map(({ external_id }) => external_id)), new Set(['a', 'b']))
  }
})

onEach('updates at the same moment lose nothing of each other', async (_t, world) => {
  const nodes = [world.node, await world.another()]
  const { id } = await world.identify({ external_id: 'u1' })
  const changes: ContactChange[] = [{ first_name: 'Ann' }, { last_name: 'Lee' }, { city: 'Bern' }, { company: 'Acme' }]
  await Promise.all(changes.map((change, i) => updateContact(nodes[i % 2]!, world.propertyId, id, change)))
  assert.deepEqual(await found(world, 'ann lee bern acme'), ['u1'], 'the search knows them all')
})

for (const home of homes.filter(({ kind }) => kind === 'postgres'))
  testOnEach([home], 'of two that wait for each other one is told to try again', async (t) => {
    const world = await openContacts(t, home)
    const ids = [(await world.identify({ external_id: 'a' })).id, (await world.identify({ external_id: 'b' })).id]
    const both = ids.map(() => Promise.withResolvers<void>())
    const lockBoth = (mine: number): Promise<void> =>
      world.node.records.transaction().execute(async (tx) => {
        await lockContact(tx, world.propertyId, ids[mine]!)
        both[mine]!.resolve()
        await both[1 - mine]!.promise
        await lockContact(tx, world.propertyId, ids[1 - mine]!)
      })
    const settled = await Promise.allSettled([lockBoth(0), lockBoth(1)])
    const [lost, ...others] = settled.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
    assert.deepEqual(others, [])
    assert.ok(isProblem('unavailable')(lost) && (lost as Problem).retryAfterSeconds === 5, String(lost))
  })

onEach('a deleted contact is gone for updates, whatever they say', async (_t, world) => {
  const { id } = await world.identify({ external_id: 'u1' })
  await eraseContact(world.node, world.propertyId, id)
  for (const change of [{}, { city: 'Bern' }, { state: 'active' }, { email: 'nobody' }] as ContactChange[])
    await assert.rejects(updateContact(world.node, world.propertyId, id, change), (error: unknown) => {
      assert.equal((error as Problem).message, 'The contact was deleted and cannot be edited.')
      return isProblem('gone')(error)
    })
})

// ---------------------------------------------------------------- the list

onEach('the list is newest first, in pages that neither lose nor repeat a contact', async (_t, world) => {
  for (let n = 1; n <= 7; n++) await world.identify({ external_id: `u${n}` })
  await world.identify({ external_id: 'u1', traits: { city: 'Bern' } })
  assert.deepEqual(await list(world, {}, 1, 3), { ids: ['u7', 'u6', 'u5'], total: 7 })
  assert.deepEqual(await list(world, {}, 3, 3), { ids: ['u1'], total: 7 })
  assert.deepEqual(await list(world, {}, 4, 3), { ids: [], total: 7 })
  assert.deepEqual(await list(world, {}, 1_000_000_000, 100), { ids: [], total: 7 })
})

onEach('an empty property has an empty list', async (_t, world) => {
  await identifyContact(world.node, await world.addProperty(), { by: 'token', identification: { external_id: 'u1' } })
  assert.deepEqual(await list(world, {}, 3), { ids: [], total: 0 })
  for (const filter of [{}, { search: 'u1' }, { search: 'u' }, { state: 'active' as const }])
    assert.deepEqual(await list(world, filter), { ids: [], total: 0 })
})

onEach('state, stage and search hold together', async (_t, world) => {
  for (const [external_id, lifecycle_stage, state] of [
    ['u1', 'lead', 'active'],
    ['u2', 'lead', 'unsubscribed'],
    ['u3', 'customer', 'active'],
    ['u4', 'Lead', 'active'],
  ] as const) {
    const { id } = await world.identify({ external_id, traits: { lifecycle_stage, company: 'Acme' } })
    await updateContact(world.node, world.propertyId, id, { state })
  }
  assert.deepEqual(await list(world, { lifecycle_stage: 'lead' }), { ids: ['u2', 'u1'], total: 2 })
  assert.deepEqual(await list(world, { state: 'active' }), { ids: ['u4', 'u3', 'u1'], total: 3 })
  assert.deepEqual(await list(world, { state: 'active', lifecycle_stage: 'lead', search: 'acme' }), {
    ids: ['u1'],
    total: 1,
  })
  assert.deepEqual(await list(world, { state: 'active', lifecycle_stage: 'lead', search: 'u2' }), { ids: [], total: 0 })
  assert.deepEqual(await list(world, { state: 'deleted' }), { ids: [], total: 0 })
})

onEach('a contact with very many sessions takes nothing from its neighbours on the page', async (_t, world) => {
  const quiet = await world.identify({ external_id: 'quiet' }, world.session(5000))
  world.fake.sessions.get('2026-11-10/5000')!.lastMs = NOON + 60_000
  const busy = await world.identify({ external_id: 'busy' })
  const links = Array.from({ length: 1_200 }, (_, n) => ({
    property_id: world.propertyId,
    day: Math.floor(NOON / 86_400_000),
    session: String(n + 10_000),
    contact_id: busy.id,
    entry_ts: NOON / 1000 + 100,
    is_noted: 1,
  }))
  await world.node.records.insertInto('contact_sessions').values(links).execute()
  const { rows } = await listContacts(world.node, world.propertyId, {}, { page: 1, perPage: 25 })
  assert.equal(rows.find(({ id }) => id === quiet.id)?.last_seen_ms, NOON + 60_000)
})

// ---------------------------------------------------------------- search

onEach('every word must be somewhere in the texts, in any case, also in the middle of a word', async (_t, world) => {
  const traits = {
    first_name: 'Ann Mary',
    last_name: 'Müller',
    phone: '+41 79',
    company: 'Acme & Sons',
    job_title: 'CTO',
    website: 'acme.example',
    country: 'Switzerland',
    city: 'Bern',
  }
  await world.identify({ external_id: 'u1', email: 'Ann@Example.com', traits })
  await world.identify({ external_id: 'u2', traits: { first_name: 'Ann' } })
  const both = ['u2', 'u1']
  for (const [text, expected] of [
    ['', both],
    ['  ', both],
    ['ann', both],
    ['ANN', both],
    ['muller', []],
    ['MÜLLER', ['u1']],
    ['mu\u0308ller', ['u1']],
    ['ann müller', ['u1']],
    ['müller ann', ['u1']],
    ['ann nobody', []],
    ['xample.co', ['u1']],
    ['ann@example.com', ['u1']],
    ['+41', ['u1']],
    ['79', ['u1']],
    ['&', ['u1']],
    ['cto switz bern u1', ['u1']],
    ['an', both],
    ['a n', both],
    ['müllerann', []],
    ['ann  ann\tann', both],
  ] as const)
    assert.deepEqual(await found(world, text), expected, text)
})

onEach('capitals that are written with other letters in small are found either way', async (_t, world) => {
  await world.identify({ external_id: 'u1', traits: { city: 'İstanbul', company: 'ΟΔΟΣ ΑΕ' } })
  await world.identify({ external_id: 'u2', traits: { city: 'istanbul', company: 'οδος αε' } })
  for (const text of ['istanbul', 'İSTANBUL', 'ISTANBUL', 'i\u0307stanbul', 'οδοσ', 'οδος', 'ΟΔΟΣ', 'ΟΔΟ'])
    assert.deepEqual(await found(world, text), ['u2', 'u1'], text)
})

onEach('no word is found across two fields', async (_t, world) => {
  await world.identify({ external_id: 'u1', traits: { first_name: 'Ann', last_name: 'Lee', city: 'Two\nLines' } })
  assert.deepEqual(await found(world, 'two lines'), ['u1'])
  for (const text of ['annlee', 'ann\u2028lee'])
    assert.deepEqual(await found(world, text), text === 'annlee' ? [] : ['u1'])
})

onEach('signs of the search languages are looked for like any other', async (_t, world) => {
  const signs = [
    '%',
    '_',
    '"',
    '*',
    '\\',
    "'",
    '^',
    '(',
    ')',
    ':',
    '-',
    '+',
    '{',
    'AND',
    'NOT x',
    'a*',
    'a"b',
    '%%%',
    '___',
    '"""',
    '\\\\\\',
    '***',
    "'''",
    'search:ann',
    'NEAR(a b)',
  ]
  await fillSilently(world)
  await world.identify({ external_id: 'plain', traits: { city: 'abcdefgh xyz' } })
  for (const [n, sign] of signs.entries()) await world.identify({ external_id: `s${n}`, traits: { company: sign } })
  for (const [n, sign] of signs.entries()) {
    const expected = signs.flatMap((other, m) =>
      sign
        .toLowerCase()
        .split(' ')
        .every((word) => `s${m}\n${other}`.toLowerCase().includes(word))
        ? [`s${m}`]
        : [],
    )
    const ids = await found(world, sign)
    assert.deepEqual(ids.filter((id) => id !== 'plain').toReversed(), expected, sign)
    if (!/^[a-z]+$/i.test(sign)) assert.ok(!ids.includes('plain'), sign)
    assert.ok(ids.includes(`s${n}`))
  }
})

onEach('no text makes the search fail, and what it finds holds every word of it', async (_t, world) => {
  const alphabet = ['a', 'b', 'É', 'ß', 'İ', 'ﬁ', '%', '_', '"', '\\', '*', "'", '😀', '用', '-', '\0', '\ud800', '.']
  const word = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''))
  const names = fc.sample(word, { numRuns: 30, seed: 7 })
  await fillSilently(world)
  for (const [n, first_name] of names.entries()) await world.identify({ external_id: `x-${n}`, traits: { first_name } })
  const folded = (text: string) => text.replaceAll('\0', '').toWellFormed().toLowerCase().normalize('NFC')
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 2 }), async (words) => {
      const wanted = words.map(folded).filter((text) => text !== '')
      fc.pre(wanted.length > 0)
      const expected = names.flatMap((name, n) =>
        wanted.every((text) => `x-${n}\n${folded(name).trim()}`.includes(text)) ? [`x-${n}`] : [],
      )
      assert.deepEqual(
        (await list(world, { search: words.join(' ') }, 1, 100)).ids.toReversed(),
        expected,
        JSON.stringify(words),
      )
    }),
    { numRuns: rounds(40, 2_000) },
  )
})

onEach('a search never shows a contact of another property, nor counts one', async (_t, world) => {
  const elsewhere = await world.addProperty()
  await fill(world, 300, () => 'ann lee', elsewhere)
  await world.identify({ external_id: 'u1', traits: { first_name: 'Ann Lee' } })
  await fill(world, 300, () => 'ann lee', await world.addProperty())
  for (const search of ['ann lee', 'an', 'ann l'])
    assert.deepEqual(await list(world, { search }), { ids: ['u1'], total: 1 }, search)
})

onEach('totals are exact and pages whole beyond what one statement looks at', async (_t, world) => {
  const COUNT = 21_000
  await fill(world, COUNT, (n) => `person ${n} ${n % 7 === 0 ? 'rare' : 'common'}`)
  const numbers = Array.from({ length: COUNT }, (_, n) => COUNT - 1 - n)
  for (const [filter, holds] of [
    [{}, () => true],
    [{ search: 'person' }, () => true],
    [{ search: 'RARE' }, (n: number) => n % 7 === 0],
    [{ search: 'pe' }, () => true],
    [{ search: 'rare 00' }, (n: number) => n % 7 === 0 && String(n).includes('00')],
    [{ state: 'unsubscribed', lifecycle_stage: 'lead', search: 'rare' }, (n: number) => n % 70 === 35],
  ] as const) {
    const expected = numbers.filter(holds).map((n) => `n${n}`)
    const lastPage = Math.ceil(expected.length / 100)
    for (const page of [1, Math.ceil(lastPage / 2), lastPage, lastPage + 1])
      assert.deepEqual(
        await list(world, filter, page, 100),
        { ids: expected.slice((page - 1) * 100, page * 100), total: expected.length },
        `${JSON.stringify(filter)} page ${page}`,
      )
  }
})

// ---------------------------------------------------------------- in another order

/** As the list is asked: of everybody, of more than are put in order at once, and of fewer. */
const sortedFilters: readonly ContactFilter[] = [
  {},
  { state: 'active' },
  { state: 'active', search: 'a' },
  { search: 'rare' },
]

/** What each order goes by, worked out again. */
const sortKeys: Readonly<Record<StoredOrder['sort'], (contact: Contact) => number | string>> = {
  last_seen: ({ last_seen_ms }) => last_seen_ms,
  first_seen: ({ first_seen_ts }) => first_seen_ts,
  sessions: ({ session_count }) => session_count,
  name: ({ state, first_name, last_name, email, external_id }) => {
    const name = [first_name, last_name].filter(Boolean).join(' ') || email || external_id
    return state === 'deleted' ? '\u{10ffff}' : name!.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  },
}

const compared = (a: number | string, b: number | string): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))

onEach('every order holds from the first page to the last, and pages meet everybody once', async (_t, world) => {
  const { node, propertyId } = world
  await fill(world, 5600, (n) => (n % 1000 === 3 ? 'rare alpha' : 'alpha'))
  await fill(world, 50, () => 'rare alpha', await world.addProperty())
  const rest = (by: number) => sql<number>`seq % ${by}`
  await node.records
    .updateTable('contacts')
    .set({
      last_seen_ms: rest(1009),
      first_seen_ts: rest(3),
      session_count: sql`case when seq % 10 = 0 then 1 else 0 end`,
      first_name: sql`case seq % 5 when 0 then 'Zoe' when 1 then 'ada' when 2 then 'Émile' else null end`,
      last_name: sql`case seq % 7 when 0 then 'X' else null end`,
      email: sql`case seq % 2 when 0 then 'Mail' || seq else null end`,
      state: sql`case when seq % 97 = 0 then 'deleted' when seq % 50 = 0 then 'unsubscribed' else 'active' end`,
    })
    .execute()
  const everybody = (await listContactRows(node.records, { propertyId, filter: {} }, { page: 1, perPage: 10_000 })).rows
  for (const filter of sortedFilters)
    for (const sort of storedSorts) {
      const key = sortKeys[sort]
      const fits = ({ state, external_id }: Contact) =>
        (!filter.state || state === filter.state) &&
        (filter.search !== 'rare' || Number(external_id!.slice(1)) % 1000 === 3)
      const expected = everybody
        .toReversed()
        .filter(fits)
        .toSorted((a, b) => compared(key(a), key(b)))
        .map(({ id }) => id)
      for (const isDescending of [false, true]) {
        const ids = isDescending ? expected.toReversed() : expected
        const last = Math.ceil(ids.length / 100)
        for (const page of new Set([1, Math.ceil(last / 2), last])) {
          const ask = { page, perPage: 100, order: { sort, isDescending } }
          const { rows, total } = await listContacts(node, propertyId, filter, ask)
          const asked = `${sort} ${isDescending} ${JSON.stringify(filter)} ${page}`
          assert.deepEqual(
            [rows.map(({ id }) => id), total],
            [ids.slice((page - 1) * 100, page * 100), ids.length],
            asked,
          )
        }
      }
    }
})

const onSqlite = homes.filter(({ kind }) => kind === 'sqlite')

testOnEach(
  onSqlite,
  'no order puts all contacts in order for a page: each goes along its own index',
  async (t, home) => {
    const world = await openContacts(t, home)
    const { node, propertyId } = world
    await fill(world, 5001, () => '')
    await node.records.updateTable('contacts').set({ lifecycle_stage: 'user' }).execute()
    for (const sort of storedSorts)
      for (const filter of [{}, { lifecycle_stage: 'user' }]) {
        const order = { sort, isDescending: true }
        const plans = await plansOf(node.records, (tx) =>
          listContactRows(tx, { propertyId, filter, order }, { page: 3, perPage: 25 }),
        )
        assert.ok(
          plans.some((plan) => plan.includes(`contacts_by_${sort} `)),
          `${sort}: ${plans.join('\n')}`,
        )
        assert.ok(!plans.some((plan) => /TEMP B-TREE|^SCAN/.test(plan)), `${sort}: ${plans.join('\n')}`)
      }
  },
)
