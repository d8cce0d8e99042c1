// Merging two contacts, and undoing it: on both stores, and over several nodes.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { type Home, openHomes, testOnEach } from '../../test/support/records.ts'
import { getContact, listContacts, updateContact } from '../contacts/contacts.ts'
import { eraseContact } from '../contacts/erase.ts'
import { addContact, addNote, listNotes, readContactLabels, setContactLabels } from '../contacts/labels.ts'
import { listNamedContacts } from '../contacts/named.ts'
import { identifyContact } from '../identify/identify.ts'
import { DAY_MS } from '../kernel/days.ts'
import { forgetOldMerges, listUndoable, mergeContacts, undoMerge } from './contact-merge.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld, home: Home) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home), home))

const deps = ({ node }: ContactWorld) => ({ ...node, editor: 'us_1' })
const merge = (world: ContactWorld, keptId: string, otherId: string, take: string[] = []) =>
  mergeContacts(deps(world), world.propertyId, { keptId, otherId, take })
const undo = (world: ContactWorld, id: string, mergeId: string) => undoMerge(deps(world), world.propertyId, id, mergeId)
const shown = ({ node, propertyId }: ContactWorld, id: string) => getContact(node, propertyId, id)

/** Everything that the records have of contacts, but for how often sessions moved. */
async function everything({ node: { records } }: ContactWorld) {
  const all = async (table: 'contacts' | 'contact_labels' | 'contact_notes' | 'contact_consents' | 'contact_aliases') =>
    (await records.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).toSorted()
  const sessions = await records.selectFrom('contact_sessions').select(['day', 'session', 'contact_id']).execute()
  return {
    contacts: await all('contacts'),
    labels: await all('contact_labels'),
    notes: await all('contact_notes'),
    consents: await all('contact_consents'),
    aliases: await all('contact_aliases'),
    sessions: sessions.map((row) => JSON.stringify(row)).toSorted(),
  }
}

/** Two contacts of one person, each with something of everything. */
async function openTwo(world: ContactWorld) {
  const { node, propertyId, clock } = world
  const kept = await world.identify(
    {
      external_id: 'u1',
      email: 'ann@example.com',
      traits: { first_name: 'Ann', city: 'Bern', meta: [{ key: 'size', value: 'S' }] },
    },
    world.session(1, 2),
  )
  clock.ms += 1000
  const other = await world.identify(
    {
      email: 'ann@work.example',
      traits: {
        first_name: 'Anna',
        company: 'Acme',
        lifecycle_stage: 'customer',
        meta: [
          { key: 'size', value: 'M' },
          { key: 'plan', value: 'gold' },
        ],
      },
    },
    world.session(2, 5),
  )
  await world.identify({ email: 'ann@work.example' }, world.session(3, 1))
  await setContactLabels(node, propertyId, kept.id, { lists: ['News'], tags: ['vip'] })
  clock.ms += 1000
  await setContactLabels(node, propertyId, other.id, { lists: ['News'], tags: ['wine'] })
  await addNote({ ...node, editor: 'us_1' }, propertyId, other.id, 'called')
  const consent = { property_id: propertyId, form_id: 'fm', form_name: 'News', words: 'yes', given_ms: clock.ms }
  await node.records
    .insertInto('contact_consents')
    .values({ ...consent, contact_id: other.id, submission_id: 'sb_1' })
    .execute()
  return { kept: await shown(world, kept.id), other: await shown(world, other.id) }
}

onEach(
  'merged, one contact has everything of both; what differs is the kept one’s unless it is taken',
  async (_t, world) => {
    const { kept, other } = await openTwo(world)
    const { contact } = await merge(world, kept.id, other.id, ['first_name', 'meta:size', 'lifecycle_stage'])
    assert.deepEqual(
      [contact.id, contact.first_name, contact.city, contact.company, contact.email, contact.lifecycle_stage],
      [kept.id, 'Anna', 'Bern', 'Acme', 'ann@example.com', 'customer'],
    )
    assert.deepEqual(contact.meta, [
      { key: 'size', value: 'M' },
      { key: 'plan', value: 'gold' },
    ])
    assert.deepEqual([contact.session_count, contact.first_seen_ts], [3, other.first_seen_ts])
    const { node, propertyId } = world
    assert.deepEqual(await readContactLabels(node, propertyId, kept.id), { lists: ['News'], tags: ['vip', 'wine'] })
    assert.deepEqual(
      (await listNotes(node, propertyId, kept.id)).map(({ text }) => text),
      ['called'],
    )
    const list = await listContacts(node, propertyId, {}, { page: 1, perPage: 25 })
    assert.deepEqual([list.total, list.rows[0]?.id], [1, kept.id])
    assert.deepEqual(
      (await listContacts(node, propertyId, { search: 'acme' }, { page: 1, perPage: 25 })).rows.map(({ id }) => id),
      [kept.id],
    )
  },
)

onEach('ids, external ids and emails of both lead to the one that is kept, for everybody', async (_t, world) => {
  const { node, propertyId } = world
  const { kept, other } = await openTwo(world)
  await updateContact(node, propertyId, other.id, { external_id: 'u2' })
  await merge(world, kept.id, other.id, ['email', 'external_id'])
  const found = await shown(world, kept.id)
  assert.deepEqual([found.external_id, found.email], ['u2', 'ann@work.example'])
  assert.equal((await shown(world, other.id)).id, kept.id)
  for (const identification of [
    { external_id: 'u1' },
    { external_id: 'u2' },
    { email: 'Ann@Example.com' },
    { email: 'ann@work.example' },
  ])
    for (const by of ['token', 'visitor'] as const) {
      const { contact } = await identifyContact(node, propertyId, { by, identification, session: undefined })
      assert.equal(contact.id, kept.id, JSON.stringify(identification))
    }
  assert.deepEqual(await listNamedContacts(node.records, propertyId, { external_id: 'u1' }), [kept.id])
  await assert.rejects(addContact(node, propertyId, { email: 'ann@example.com' }), { kind: 'conflict' })
  const stranger = await world.identify({ external_id: 'u3' })
  await assert.rejects(updateContact(node, propertyId, stranger.id, { external_id: 'u1' }), /was merged into another/)
  assert.equal((await updateContact(node, propertyId, other.id, { city: 'Zug' })).id, kept.id)
})

onEach('undone, everything is as it was', async (_t, world) => {
  const { kept, other } = await openTwo(world)
  const before = await everything(world)
  const { merge: made } = await merge(world, kept.id, other.id, ['first_name', 'email', 'meta:size'])
  assert.notDeepEqual(await everything(world), before)
  await undo(world, kept.id, made.id)
  assert.deepEqual(await everything(world), before)
  await assert.rejects(undo(world, kept.id, made.id), { kind: 'not_found' })
})

onEach('undone, what was changed and what came since stays with the kept one', async (_t, world) => {
  const { node, propertyId } = world
  const { kept, other } = await openTwo(world)
  const { merge: made } = await merge(world, kept.id, other.id, ['first_name', 'email'])
  await updateContact(node, propertyId, kept.id, { first_name: 'Annie', phone: '7' })
  await world.identify({ email: 'ann@work.example' }, world.session(9))
  await addNote({ ...node, editor: 'us_1' }, propertyId, kept.id, 'later')
  const undone = await undo(world, kept.id, made.id)
  assert.deepEqual(
    [undone.contact.first_name, undone.contact.phone, undone.contact.email, undone.contact.company],
    ['Annie', '7', 'ann@example.com', null],
  )
  assert.deepEqual([undone.contact.session_count, undone.other.session_count], [2, 2])
  assert.deepEqual({ ...undone.other }, { ...other })
  const texts = async (id: string) => (await listNotes(node, propertyId, id)).map(({ text }) => text)
  assert.deepEqual([await texts(kept.id), await texts(other.id)], [['later'], ['called']])
  assert.equal((await world.identify({ email: 'ann@work.example' })).id, other.id)
  assert.equal((await world.identify({ external_id: 'u1' })).id, kept.id)
})

onEach('merges follow each other: the last one is undone first, and a chain leads to its end', async (_t, world) => {
  const [a, b, c] = [
    await world.identify({ external_id: 'a', email: 'a@x.example' }, world.session(1)),
    await world.identify({ external_id: 'b' }, world.session(2)),
    await world.identify({ external_id: 'c', email: 'a@x.example' }, world.session(3)),
  ]
  const before = await everything(world)
  const first = (await merge(world, b.id, a.id)).merge
  const second = (await merge(world, c.id, b.id)).merge
  for (const { id } of [a, b, c]) assert.equal((await shown(world, id)).id, c.id)
  for (const external_id of ['a', 'b', 'c']) assert.equal((await world.identify({ external_id })).id, c.id)
  assert.equal((await shown(world, c.id)).session_count, 3)
  await assert.rejects(undo(world, c.id, first.id), { kind: 'not_found' })
  await undo(world, c.id, second.id)
  assert.equal((await shown(world, a.id)).id, b.id)
  await undo(world, b.id, first.id)
  assert.deepEqual((await everything(world)).sessions, before.sessions)
  const third = (await merge(world, c.id, a.id)).merge
  const fourth = (await merge(world, c.id, b.id)).merge
  await assert.rejects(undo(world, c.id, third.id), { kind: 'conflict' })
  await undo(world, c.id, fourth.id)
  await undo(world, c.id, third.id)
  const { sessions, aliases } = await everything(world)
  assert.deepEqual([sessions, aliases], [before.sessions, []])
})

onEach('whoever unsubscribed from either stays unsubscribed, and comes back as they were', async (_t, world) => {
  const { kept, other } = await openTwo(world)
  await updateContact(world.node, world.propertyId, other.id, { state: 'unsubscribed' })
  const { contact, merge: made } = await merge(world, kept.id, other.id)
  assert.equal(contact.state, 'unsubscribed')
  const undone = await undo(world, kept.id, made.id)
  assert.deepEqual([undone.contact.state, undone.other.state], ['active', 'unsubscribed'])
})

onEach('erasing a merged person by either id leaves no trace of either, and nothing to undo', async (_t, world) => {
  const mark = /\b(?:ann|anna|acme|gold)\b/i
  for (const which of ['kept', 'other'] as const) {
    const both = await openTwo(world)
    const { merge: made } = await merge(world, both.kept.id, both.other.id)
    const tables = ['contacts', 'contact_aliases', 'contact_merges', 'contact_merge_moves', 'contact_labels'] as const
    const dump = async () =>
      JSON.stringify(
        await Promise.all(tables.map((table) => world.node.records.selectFrom(table).selectAll().execute())),
      )
    assert.match(await dump(), mark)
    const receipt = await eraseContact(world.node, world.propertyId, both[which].id)
    assert.deepEqual([receipt.contact_id, receipt.sessions], [both.kept.id, 3])
    assert.doesNotMatch(await dump(), mark)
    await assert.rejects(undo(world, both.kept.id, made.id), { kind: 'not_found' })
    assert.equal((await shown(world, both.other.id)).state, 'deleted')
    await world.node.records.deleteFrom('contacts').execute()
  }
})

onEach('the facts believe the last contact of a session, however often it moved', async (_t, world) => {
  const { kept, other } = await openTwo(world)
  const { merge: made } = await merge(world, kept.id, other.id)
  await undo(world, kept.id, made.id)
  const largest = new Map<string, string>()
  for (const { session, contact_id = '' } of world.fake.events)
    if (contact_id > (largest.get(session!) ?? '')) largest.set(session!, contact_id)
  assert.deepEqual(
    [...largest].toSorted(([a], [b]) => a.localeCompare(b)).map(([session, text]) => [session, text.split('~').at(-1)]),
    [
      ['1', kept.id],
      ['2', other.id],
      ['3', other.id],
    ],
  )
})

onEach(
  'a merge that the facts do not hear of is noted later; of sessions that are gone nothing is',
  async (_t, world) => {
    const { kept, other } = await openTwo(world)
    world.fake.sessions.delete([...world.fake.sessions.keys()].find((key) => key.endsWith('/2'))!)
    const said = world.fake.events.length
    await merge(world, kept.id, other.id)
    assert.deepEqual(
      world.fake.events.slice(said).map(({ session, contact_id }) => [session, contact_id]),
      [['3', `~00000001~${kept.id}`]],
    )
  },
)

onEach('what is the same, erased, unknown or another property’s is refused', async (_t, world) => {
  const { kept, other } = await openTwo(world)
  const elsewhere = await world.addProperty()
  await assert.rejects(merge(world, kept.id, kept.id), { kind: 'validation_failed' })
  await assert.rejects(merge(world, kept.id, other.id, ['nothing']), { kind: 'validation_failed' })
  await assert.rejects(merge(world, kept.id, 'ct_nobody'), { kind: 'not_found' })
  await assert.rejects(mergeContacts(deps(world), elsewhere, { keptId: kept.id, otherId: other.id, take: [] }), {
    kind: 'not_found',
  })
  const { merge: made } = await merge(world, kept.id, other.id)
  await assert.rejects(merge(world, kept.id, other.id), { kind: 'validation_failed' })
  await assert.rejects(undoMerge(deps(world), elsewhere, kept.id, made.id), { kind: 'not_found' })
  const gone = await world.identify({ external_id: 'gone' })
  await eraseContact(world.node, world.propertyId, gone.id)
  await assert.rejects(merge(world, kept.id, gone.id), { kind: 'gone' })
})

onEach('after 30 days a merge stays, and what was kept to undo it is gone', async (_t, world) => {
  const { kept, other } = await openTwo(world)
  const { merge: made } = await merge(world, kept.id, other.id)
  world.clock.ms += 30 * DAY_MS - 1
  assert.equal(await forgetOldMerges(world.node), 0)
  assert.equal((await listUndoable(world.node, world.propertyId, kept.id)).length, 1)
  world.clock.ms += 1
  assert.deepEqual(await listUndoable(world.node, world.propertyId, kept.id), [])
  await assert.rejects(undo(world, kept.id, made.id), { kind: 'not_found' })
  assert.equal(await forgetOldMerges(world.node), 1)
  const rows = await world.node.records.selectFrom('contact_merges').select('snapshot').execute()
  assert.deepEqual(rows, [{ snapshot: null }])
  assert.equal((await world.identify({ email: 'ann@work.example' })).id, kept.id)
})

onEach('whoever is identified while they are merged is one contact, on every node', async (_t, world) => {
  const another = await world.another()
  for (let round = 0; round < 4; round++) {
    const kept = await world.identify({ external_id: `k${round}` })
    const other = await world.identify({ external_id: `o${round}`, email: `o${round}@example.com` })
    const call = (node: typeof another, identification: { external_id: string } | { email: string }, session: number) =>
      identifyContact(node, world.propertyId, {
        by: 'token',
        identification,
        session: world.session(100 * (round + 1) + session),
      })
    await Promise.all([
      merge(world, kept.id, other.id),
      call(another, { external_id: `o${round}` }, 1),
      call(world.node, { email: `o${round}@example.com` }, 2),
      call(another, { external_id: `k${round}` }, 3),
    ])
    const found = await shown(world, kept.id)
    assert.deepEqual([found.id, found.session_count], [kept.id, 3])
    const list = await listContacts(world.node, world.propertyId, {}, { page: 1, perPage: 25 })
    assert.equal(list.total, round + 1)
  }
})
