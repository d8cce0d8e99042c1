// Identifications of one moment are stored together, and each as if it had come alone.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { openChance } from '../../test/support/chance.ts'
import { type ContactWorld, NOON, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { eraseContact } from '../contacts/erase.ts'
import { updateContact } from '../contacts/contacts.ts'
import { Problem } from '../kernel/problem.ts'
import type { Records } from '../stores/records.ts'
import { Thread } from '../stores/threads/thread.ts'
import { identifyContact, type IdentifyCall } from './identify.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const call = (number: number, more: Partial<IdentifyCall> = {}): IdentifyCall => ({
  by: 'visitor',
  identification: { external_id: `u${number}`, email: `u${number}@example.com`, traits: { first_name: `N${number}` } },
  ...more,
})

/** Rows that do not depend on chance. */
async function rowsOf(records: Records, propertyId: string) {
  const rows = await records.selectFrom('contacts').selectAll().where('property_id', '=', propertyId).execute()
  const links = await records.selectFrom('contact_sessions').selectAll().where('property_id', '=', propertyId).execute()
  const names = new Map(rows.map(({ id, external_id }) => [id, external_id]))
  return {
    contacts: rows
      .map(({ id: _id, seq: _seq, property_id: _property, ...row }) => row)
      .toSorted((a, b) => (a.external_id! < b.external_id! ? -1 : 1)),
    links: links
      .map(({ contact_id, property_id: _property, ...link }) => ({ ...link, contact: names.get(contact_id) }))
      .toSorted((a, b) => a.day - b.day || Number(a.session) - Number(b.session)),
  }
}

onEach('people who are identified at once are stored as they would be one after the other', async (_t, world) => {
  const { node, propertyId } = world
  const otherId = await world.addProperty()
  const numbers = Array.from({ length: 60 }, (_, number) => number)
  const moments: IdentifyCall[][] = [
    numbers.map((number) => call(number, { session: number % 3 === 0 ? undefined : world.session(number) })),
    numbers.map((number) => call(number, { session: number % 3 === 0 ? undefined : world.session(number) })),
    numbers.map((number) => call(number, { by: 'token', session: world.session(1000 + number, number % 4) })),
    numbers.map((number) => call(number, { identification: { external_id: `u${number}`, traits: { city: 'Bonn' } } })),
  ]
  for (const calls of moments) {
    world.clock.ms += 1_000
    await Promise.all(calls.map((one) => identifyContact(node, propertyId, one)))
    for (const one of calls) await identifyContact(node, otherId, one)
  }
  const [together, alone] = [await rowsOf(node.records, propertyId), await rowsOf(node.records, otherId)]
  assert.deepEqual(together, alone)
  assert.equal(together.contacts.length, 60)
})

onEach('what several nodes say at once adds up, also while people are erased and renamed', async (_t, world) => {
  const nodes = [world.node, await world.another(), await world.another()]
  const chance = openChance(20261122)
  for (let round = 0; round < 8; round++) {
    world.clock.ms += 1_000
    const known = await world.node.records.selectFrom('contacts').select('id').where('state', '<>', 'deleted').execute()
    const work: Promise<unknown>[] = Array.from({ length: 40 }, async (_, i) =>
      identifyContact(
        nodes[i % nodes.length]!,
        world.propertyId,
        call(chance.below(12), {
          by: chance.is(0.5) ? 'token' : 'visitor',
          session: chance.is(0.7) ? world.session(chance.below(25), chance.below(2)) : undefined,
        }),
      ),
    )
    if (known.length > 0) {
      work.push(eraseContact(world.node, world.propertyId, chance.of(known).id))
      const renamed = updateContact(nodes[1]!, world.propertyId, chance.of(known).id, { external_id: `r${round}` })
      work.push(
        renamed.catch((error: unknown) => assert.ok(error instanceof Problem && error.kind === 'gone', String(error))),
      )
    }
    await Promise.all(work)
    await checkSums(world)
  }
})

/** Counts and first sights follow from the links, whoever wrote them in whatever order. */
async function checkSums({ node, clock }: ContactWorld): Promise<void> {
  const contacts = await node.records.selectFrom('contacts').selectAll().execute()
  const links = await node.records.selectFrom('contact_sessions').selectAll().execute()
  for (const contact of contacts.filter(({ state }) => state !== 'deleted')) {
    const own = links.filter(({ contact_id }) => contact_id === contact.id)
    const first = Math.min(contact.identified_ts, ...own.map(({ entry_ts }) => entry_ts))
    assert.deepEqual([contact.session_count, contact.first_seen_ts], [own.length, first])
    assert.ok(contact.last_seen_ms >= NOON && contact.last_seen_ms <= clock.ms)
  }
  const ids = contacts.flatMap(({ external_id }) => external_id ?? [])
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(links.every(({ is_noted }) => is_noted === 1))
}

onEach('one whose property is gone takes nobody else along', async (_t, world) => {
  const { node, propertyId } = world
  const numbers = Array.from({ length: 10 }, (_, number) => number)
  const others = numbers.map((number) =>
    identifyContact(node, propertyId, call(number, { session: world.session(number) })),
  )
  const lost = identifyContact(node, 'pr_00000000000000000000', call(1, { session: world.session(99) }))
  await assert.rejects(lost, (error) => error instanceof Problem && error.kind === 'not_found')
  const answers = await Promise.all(others)
  assert.ok(answers.every(({ isLinked }) => isLinked))
  await checkSums(world)
})

test('a hundred people of one moment are a few messages to the thread of SQLite', async (t) => {
  const world = await openContacts(
    t,
    homes.find(({ kind }) => kind === 'sqlite')!,
  )
  const { node, propertyId } = world
  const asked = t.mock.method(Thread.prototype, 'ask')
  const numbers = Array.from({ length: 100 }, (_, number) => number)
  const moment = () =>
    Promise.all(
      numbers.map((number) => identifyContact(node, propertyId, call(number, { session: world.session(number) }))),
    )
  for (const answers of [await moment(), await moment()]) assert.ok(answers.every(({ isLinked }) => isLinked))
  // For each moment who they are, their sessions, and what is stored; and once that these are noted.
  assert.ok(asked.mock.callCount() <= 12, `${asked.mock.callCount()} messages`)
})
