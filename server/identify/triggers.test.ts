// What becomes of contacts is told of exactly once to whoever waits for it, and nothing that did not happen:
// whatever calls come in whatever order, also at the same moment on two nodes, on both databases.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { type ContactNode, type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { openOutbox } from '../automations/outbox.ts'
import { readConfig } from '../config.ts'
import type { Triggers } from '../kernel/triggers.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import { textFields } from '../contacts/contact-model.ts'
import { updateContact } from '../contacts/contacts.ts'
import { eraseContact } from '../contacts/erase.ts'
import { type Identification, identifyContact } from './identify.ts'
import type { ContactChangeJson as ContactChange } from '../contacts/schema.ts'

const { homes } = await openHomes()

const waitFor: readonly (readonly [TriggerType, string | null])[] = [
  ['identify', null],
  ['contact', null],
  ['contact', 'created'],
  ['contact', 'updated'],
  ['contact', 'unsubscribed'],
  ['contact', 'resubscribed'],
  ['contact', 'deleted'],
  ['contact', 'lifecycle_stage'],
  ['contact', 'lifecycle_stage:lead'],
]

const nameOf = ([type, value]: readonly [string, string | null]): string => `${type} ${value ?? 'any'}`

interface Told {
  readonly world: ContactWorld
  readonly node: ContactNode
  /** One more node with automations. */
  readonly another: () => Promise<ContactNode>
  /** For each delivery since the last look: what its automation waits for. Sorted. */
  readonly heard: () => Promise<string[]>
}

async function openTold(world: ContactWorld): Promise<Told> {
  const config = readConfig({ DATA_DIR: world.options.dataDir })
  const { records } = world.node
  for (const [event_type, event_value] of waitFor)
    await records
      .insertInto('automations')
      .values({
        id: `au_${randomBytes(10).toString('hex')}`,
        property_id: world.propertyId,
        event_type,
        event_value,
        actions: JSON.stringify([{ id: 'wa_1', type: 'webhook', url: 'https://hooks.example/', payload: 'envelope' }]),
        secret: '',
        is_active: 1,
        failures: 0,
        created_ts: 0,
        updated_ts: 0,
      })
      .execute()
  const withTriggers = (node: ContactNode): ContactNode => ({
    ...node,
    triggers: openOutbox({ config, records: node.records, now: node.now, randomBytes }),
  })
  let seen = 0
  return {
    world,
    node: withTriggers(world.node),
    another: async () => withTriggers(await world.another()),
    heard: async () => {
      const rows = await records.selectFrom('deliveries').selectAll().where('seq', '>', seen).orderBy('seq').execute()
      seen = rows.at(-1)?.seq ?? seen
      return rows.map(({ event_type, event_value }) => nameOf([event_type, event_value])).toSorted()
    },
  }
}

const onEach = (promise: string, check: (told: Told) => Promise<void>) =>
  testOnEach(homes, promise, async (t: TestContext, home) => check(await openTold(await openContacts(t, home))))

const identify = (node: ContactNode, identification: Identification, session?: ReturnType<ContactWorld['session']>) =>
  identifyContact(node, node.propertyId, { by: 'token', identification, session })

// ---------------------------------------------------------------- whatever the order

type Row = Readonly<Record<string, unknown>>

/** Written apart from the code: what a change of a stored row means. */
function meaningOf(before: Row | undefined, after: Row): string[] {
  const differs = (field: string) => JSON.stringify(before?.[field]) !== JSON.stringify(after[field])
  const transitions: string[] = []
  const isChanged = [...textFields, 'lifecycle_stage', 'state', 'meta'].some(differs)
  if (before && !isChanged) return []
  if (!before) transitions.push('created')
  else if (after.state !== 'deleted') transitions.push('updated')
  if (before && differs('state'))
    transitions.push({ active: 'resubscribed', unsubscribed: 'unsubscribed', deleted: 'deleted' }[String(after.state)]!)
  if (before ? differs('lifecycle_stage') : after.lifecycle_stage !== 'user') {
    transitions.push('lifecycle_stage')
    if (after.lifecycle_stage === 'lead') transitions.push('lifecycle_stage:lead')
  }
  const names = transitions.map((value) => nameOf(['contact', value]))
  return [nameOf(['contact', null]), ...names, ...(before ? [] : [nameOf(['identify', null])])].toSorted()
}

type Step =
  | { readonly does: 'identify'; readonly traits: NonNullable<Identification['traits']> }
  | { readonly does: 'update'; readonly change: ContactChange }
  | { readonly does: 'erase' }

const few = (...texts: string[]) => fc.constantFrom(...texts)
const metas = fc.array(fc.record({ key: few('a', 'b'), value: few('1', '2') }), { maxLength: 2 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('identify' as const),
      traits: fc.record(
        { city: few('Bern', 'Basel'), lifecycle_stage: few('user', 'lead'), meta: metas },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('update' as const),
      change: fc.record(
        {
          city: fc.option(few('Bern', 'Basel')),
          state: fc.constantFrom('active' as const, 'unsubscribed' as const),
          lifecycle_stage: few('user', 'lead', 'customer'),
          meta: metas,
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ does: 'erase' as const }) },
)

onEach('a call is told of by what it changed, and one that changes nothing is not', async ({ node, world, heard }) => {
  let run = 0
  const stored = async (): Promise<Row[]> => node.records.selectFrom('contacts').selectAll().execute()
  const perform = async (step: Step, external_id: string): Promise<void> => {
    if (step.does === 'identify') return void (await identify(node, { external_id, traits: step.traits }))
    const found = (await stored()).find((row) => row.external_id === external_id)
    if (!found) return
    if (step.does === 'update') await updateContact(node, node.propertyId, String(found.id), step.change)
    else await eraseContact(node, node.propertyId, String(found.id))
  }
  const told = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 3, maxLength: 9 }), async (sequence) => {
      const external_id = `u${++run}`
      for (const step of sequence) {
        world.clock.ms += 1000
        const before = new Map((await stored()).map((row) => [row.id, row]))
        await perform(step, external_id)
        const expected = (await stored()).flatMap((row) => {
          const known = before.get(row.id)
          return known && JSON.stringify(known) === JSON.stringify(row) ? [] : meaningOf(known, row)
        })
        for (const name of expected) told.add(name)
        assert.deepEqual(await heard(), expected.toSorted(), JSON.stringify(step))
      }
    }),
    { numRuns: 25, seed: 6 },
  )
  assert.deepEqual([...told].toSorted(), waitFor.map(nameOf).toSorted(), 'each of them was seen')
})

// ---------------------------------------------------------------- at the same moment

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

onEach('of calls at the same moment one makes the contact and is told of', async ({ node, another, heard }) => {
  const nodes = [node, await another()]
  for (let round = 0; round < 4; round++) {
    const email = `race${round}@example.com`
    await Promise.all(times(6, (n) => identify(nodes[n % 2]!, { email })))
    assert.deepEqual(await heard(), ['contact any', 'contact created', 'identify any'])
  }
})

onEach('a session gets its contact once, whoever says so first', async ({ node, another, world, heard }) => {
  const nodes = [node, await another()]
  const people = await Promise.all(times(2, (n) => identify(node, { external_id: `p${n}` })))
  await heard()
  for (let round = 1; round <= 4; round++) {
    const session = world.session(round)
    await Promise.all(times(4, (n) => identify(nodes[n % 2]!, { external_id: `p${n >> 1}` }, session)))
    assert.deepEqual(await heard(), ['identify any'])
    const row = await node.records.selectFrom('deliveries').selectAll().orderBy('seq', 'desc').executeTakeFirstOrThrow()
    const link = await node.records
      .selectFrom('contact_sessions')
      .selectAll()
      .where('session', '=', String(session.hash))
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.session, row.contact_id], [String(session.hash), link.contact_id])
    assert.ok(people.some(({ contact }) => contact.id === row.contact_id))
    // Somebody new, at a session that has its contact.
    await identify(node, { external_id: `new${round}` }, session)
    assert.deepEqual(await heard(), ['contact any', 'contact created'])
  }
})

onEach(
  'changes at the same moment are each told of once, and the same change once',
  async ({ node, another, heard }) => {
    const nodes = [node, await another()]
    const { contact } = await identify(node, { external_id: 'u' })
    await heard()
    const change = (n: number, what: ContactChange) => updateContact(nodes[n % 2]!, node.propertyId, contact.id, what)
    await Promise.all(times(6, (n) => change(n, { city: `City ${n}` })))
    assert.deepEqual(
      await heard(),
      times(12, (n) => (n < 6 ? 'contact any' : 'contact updated')),
    )
    await Promise.all(times(6, (n) => change(n, { state: 'unsubscribed' })))
    assert.deepEqual(await heard(), ['contact any', 'contact unsubscribed', 'contact updated'])
    await Promise.all(times(4, (n) => eraseContact(nodes[n % 2]!, node.propertyId, contact.id)))
    assert.deepEqual(await heard(), ['contact any', 'contact deleted'])
  },
)

// ---------------------------------------------------------------- rolled back

onEach(
  'a call that fails is told of to nobody, and what cannot be put down does not happen',
  async ({ node, heard }) => {
    const { contact } = await identify(node, { external_id: 'u', traits: { city: 'Bern' } })
    await identify(node, { external_id: 'other' })
    await heard()
    const meta = times(60, (n) => ({ key: `k${n}`, value: n }))
    await assert.rejects(identify(node, { external_id: 'u', traits: { city: 'Basel', meta } }))
    await assert.rejects(updateContact(node, node.propertyId, contact.id, { city: 'Basel', external_id: 'other' }))
    const failing = { ...node, erasePerson: async () => Promise.reject(new Error('half-way')) }
    await assert.rejects(eraseContact(failing, node.propertyId, contact.id), /half-way/)
    assert.deepEqual(await heard(), [])
    const late: Triggers = {
      ...node.triggers,
      enqueue: async (records, listeners, trigger) => {
        await node.triggers.enqueue(records, listeners, trigger)
        throw new Error('afterwards')
      },
    }
    const broken = { ...node, triggers: late }
    await assert.rejects(identify(broken, { external_id: 'new' }), /afterwards/)
    await assert.rejects(updateContact(broken, node.propertyId, contact.id, { city: 'Basel' }), /afterwards/)
    await assert.rejects(eraseContact(broken, node.propertyId, contact.id), /afterwards/)
    assert.deepEqual(await heard(), [])
    const rows = await node.records
      .selectFrom('contacts')
      .select(['external_id', 'city', 'state'])
      .orderBy('seq')
      .execute()
    assert.deepEqual(rows, [
      { external_id: 'u', city: 'Bern', state: 'active' },
      { external_id: 'other', city: null, state: 'active' },
    ])
  },
)
