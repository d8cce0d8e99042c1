// Erasing a person: complete, at once, and told on a receipt that says nothing of them.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ContactWorld, NOON, openContacts } from '../../test/support/contact-nodes.ts'
import { type Home, openHomes, testOnEach } from '../../test/support/records.ts'
import { getContact, listContacts, updateContact } from './contacts.ts'
import { type Contact, textFields, traitFields } from './contact-model.ts'
import { eraseContact } from './erase.ts'
import { identifyContact } from '../identify/identify.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld, home: Home) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home), home))

/**
 * In every text of the person, so that a trace of any of them is found; as it is written and as it is
 * searched.
 */
const MARK = 'Zyxwv'
const traces = new RegExp(MARK, 'i')

const person = {
  external_id: `${MARK}-7`,
  email: `${MARK}@example.com`,
  traits: {
    ...Object.fromEntries(traitFields.map((field) => [field, `${field} of ${MARK}`])),
    meta: [
      { key: `${MARK} key`, value: 1 },
      { key: 'note', value: `about ${MARK}` },
    ],
  },
}

const erase = ({ node, propertyId }: ContactWorld, id: string) => eraseContact(node, propertyId, id)

const shown = ({ node, propertyId }: ContactWorld, id: string): Promise<Contact> => getContact(node, propertyId, id)

onEach(
  'a deleted contact keeps its times, counts and sessions, and nothing that says who it was',
  async (_t, world) => {
    const traits = { ...person.traits, lifecycle_stage: 'customer' }
    const made = await world.identify({ ...person, traits }, world.session(1, 2))
    world.clock.ms += 5000
    await erase(world, made.id)
    const nothing = Object.fromEntries(textFields.map((field) => [field, null]))
    const { email, ...rest } = await shown(world, made.id)
    assert.match(email ?? '', /^deleted_[0-9A-Za-z]{20}@redacted\.invalid$/)
    assert.deepEqual({ ...rest, email: null }, { ...made, ...nothing, meta: [], state: 'deleted' })
    const links = await world.node.records.selectFrom('contact_sessions').select('contact_id').execute()
    assert.deepEqual(links, [{ contact_id: made.id }])
  },
)

onEach('no table holds a trace of a deleted contact', async (_t, world) => {
  const { id } = await world.identify(person, world.session(1))
  const { records } = world.node
  const dump = async () =>
    JSON.stringify([
      await records.selectFrom('contacts').selectAll().execute(),
      await records.selectFrom('contact_sessions').selectAll().execute(),
    ])
  assert.match(await dump(), traces)
  await erase(world, id)
  assert.doesNotMatch(await dump(), traces)
})

onEach('a search no longer finds it, and the list of deleted ones does', async (_t, world) => {
  const { id } = await world.identify(person)
  await world.identify({ external_id: 'other', traits: { city: 'Bern' } })
  const list = async (filter: object) =>
    (await listContacts(world.node, world.propertyId, filter, { page: 1, perPage: 25 })).rows.map((row) => row.id)
  assert.deepEqual(await list({ search: MARK }), [id])
  await erase(world, id)
  for (const search of [MARK, MARK.slice(0, 2), 'redacted', 'deleted_', 'in'])
    assert.ok(!(await list({ search })).includes(id), search)
  assert.deepEqual(await list({ state: 'deleted' }), [id])
  assert.equal((await list({})).length, 2)
})

onEach('the receipt names what was there, and not what it was', async (_t, world) => {
  const { id } = await world.identify(person, world.session(1))
  await world.identify({ external_id: person.external_id }, world.session(2))
  await updateContact(world.node, world.propertyId, id, { city: null })
  world.clock.ms += 60_000
  const receipt = await erase(world, id)
  assert.deepEqual(receipt, {
    contact_id: id,
    property_id: world.propertyId,
    erased_ts: NOON / 1000 + 60,
    was_deleted: false,
    fields: textFields.filter((field) => field !== 'city'),
    meta_entries: 2,
    sessions: 2,
    submissions: 0,
  })
  assert.doesNotMatch(JSON.stringify(receipt), traces)
})

onEach('deleting again changes nothing, and says so', async (_t, world) => {
  const { id } = await world.identify(person, world.session(1))
  await erase(world, id)
  const first = await shown(world, id)
  const receipt = await erase(world, id)
  assert.deepEqual([receipt.was_deleted, receipt.fields, receipt.meta_entries, receipt.sessions], [true, [], 0, 1])
  assert.deepEqual(await shown(world, id), first)
})

onEach('two deletions at once have one receipt of what was there, and one redacted address', async (_t, world) => {
  const { id } = await world.identify(person)
  const nodes = [world.node, await world.another()]
  const receipts = await Promise.all(nodes.map((node) => eraseContact(node, world.propertyId, id)))
  assert.equal(receipts.filter(({ was_deleted }) => was_deleted).length, 1)
})

onEach(
  'the same person who comes again is a new contact, and the old session stays with the deleted one',
  async (_t, world) => {
    const session = world.session(1)
    const { id } = await world.identify(person, session)
    await erase(world, id)
    const again = await identifyContact(world.node, world.propertyId, { by: 'token', identification: person, session })
    assert.notEqual(again.contact.id, id)
    assert.deepEqual([again.isLinked, again.contact.session_count], [false, 0])
    const byAddress = await identifyContact(world.node, world.propertyId, {
      by: 'visitor',
      identification: { email: person.email },
    })
    assert.equal(byAddress.contact.id, again.contact.id)
    const { email } = await shown(world, id)
    const redacted = await world.identify({ email })
    assert.notEqual(redacted.id, id, 'the address of a deleted contact is nobody’s')
  },
)

for (const home of homes.filter(({ kind }) => kind === 'sqlite'))
  testOnEach([home], 'no file holds a byte of a deleted contact', async (t) => {
    const world = await openContacts(t, home)
    const files = () =>
      readdirSync(world.options.dataDir).filter((file) =>
        traces.test(readFileSync(join(world.options.dataDir, file), 'latin1')),
      )
    const ids: string[] = []
    // Several people with long texts, changed several times: rows move between pages, and the index has to
    // forget all of it.
    for (let n = 0; n < 30; n++) {
      const said = { ...person, external_id: `${MARK}-${n}`, email: `${MARK}${n}@example.com` }
      const { id } = await world.identify(said, world.session(n + 1))
      ids.push(id)
      const note = `${MARK} `.repeat(n * 40 + 1).slice(0, 2000)
      await updateContact(world.node, world.propertyId, id, {
        company: `${MARK}${n}`.repeat(20),
        meta: [{ key: 'note', value: note }],
      })
    }
    assert.ok(files().length > 0, 'the search for traces finds some while they are there')
    for (const id of ids) await erase(world, id)
    assert.deepEqual(files(), [])
    await world.node.records.destroy()
    assert.deepEqual(files(), [])
  })
