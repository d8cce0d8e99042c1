// Contacts that go out as a file and come in as one, over real records.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import fc from 'fast-check'
import { type ContactNode, type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { rounds } from '../../test/support/long.ts'
import { type Home, openHomes, testOnEach } from '../../test/support/records.ts'
import { Problem } from '../kernel/problem.ts'
import { anyCharacter } from '../../test/support/texts.ts'
import { textFields, textLimits, traitFields } from '../contacts/contact-model.ts'
import { updateContact } from '../contacts/contacts.ts'
import { eraseContact } from '../contacts/erase.ts'
import { exportContacts } from './export.ts'
import { checkIdentification, type Identification } from '../identify/identify.ts'
import {
  checkContacts,
  type Checked,
  type ImportLimits,
  type ImportRow,
  writeContacts,
  type Written,
} from './import.ts'
import { openSpool } from './import-spool.ts'
import { listContactRows } from '../contacts/list-records.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, home: Home) => Promise<void>) =>
  testOnEach(homes, promise, check)

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}

interface Asked {
  readonly isTrial?: boolean
  readonly limits?: ImportLimits
  readonly propertyId?: string
}

/** As the command does it: nothing is written when a row is bad. */
async function importText(
  node: ContactNode,
  text: string,
  { isTrial = false, limits, propertyId = node.propertyId }: Asked = {},
): Promise<Checked & Partial<Written>> {
  const spool = await openSpool<ImportRow>()
  try {
    const checked = await checkContacts(bytesOf(text), spool, limits)
    if (checked.bad_rows > 0) return checked
    return { ...checked, ...(await writeContacts(node, propertyId, { spool, isTrial })) }
  } finally {
    await spool.close()
  }
}

async function exportText(node: ContactNode, propertyId: string): Promise<string> {
  const parts = await Array.fromAsync(exportContacts(node.records, propertyId))
  return parts.map(({ text }) => text).join('')
}

/** The first thousand; oldest first. */
async function contactsOf(node: ContactNode, propertyId = node.propertyId) {
  return (await listContactRows(node.records, { propertyId, filter: {} }, { page: 1, perPage: 1000 })).rows.toReversed()
}

type Rows = Awaited<ReturnType<typeof contactsOf>>

/** What a file carries, in an order of its own; keys of meta that look like numbers come first in JSON. */
function carried(contacts: Rows): string[] {
  const shown = contacts.map((contact) => ({
    ...Object.fromEntries(textFields.map((name) => [name, contact[name]])),
    lifecycle_stage: contact.lifecycle_stage,
    state: contact.state,
    meta: contact.meta.map((entry) => JSON.stringify([entry.key, entry.value])).sort(),
  }))
  return shown.map((contact) => JSON.stringify(contact)).sort()
}

// ---------------------------------------------------------------- out and in

const signs = fc.constantFrom(
  ...String.raw`=1+1|+49|-1|@A1|'|''=| =x|;=x|"|""|,|;|ä|😀|{"a":1}|null|__proto__`.split('|'),
  ...'\t=x|\t|\r|\n|\r\n|＝x|\u00a0=x|\u2028|\u0000|\u001b[2J|\u202e|\ud800'.split('|'),
)
const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.array(fc.oneof(signs, fc.string({ maxLength: 3 })), { maxLength: 6 }).map((parts) => parts.join('')),
)
const email = fc
  .tuple(
    fc.constantFrom('a', '=a', '+b', '-c', "'d", "'=e", 'ä', 'Long.Name+tag'),
    fc.constantFrom('x.example', 'MÜNCHEN.example'),
  )
  .map((parts) => parts.join('@'))

const traitsOf = <Value>(value: Value) =>
  Object.fromEntries(traitFields.map((name) => [name, value])) as Record<(typeof traitFields)[number], Value>

const person = fc.record({
  identification: fc.record({
    external_id: fc.option(hostile),
    email: fc.option(email),
    traits: fc.record(
      {
        ...traitsOf(hostile),
        lifecycle_stage: hostile,
        meta: fc.array(
          fc.record({
            key: hostile.filter((key) => key.replaceAll('\0', '').trim() !== ''),
            value: fc.oneof(
              hostile,
              fc.integer(),
              fc.double({ noNaN: true, noDefaultInfinity: true }),
              fc.boolean(),
              fc.constant(null),
            ),
          }),
          { maxLength: 5 },
        ),
      },
      { requiredKeys: [] },
    ),
  }),
  isUnsubscribed: fc.boolean(),
})

function isAccepted(identification: Identification): boolean {
  try {
    return checkIdentification(identification, 'token') !== undefined
  } catch {
    return false
  }
}

/** The contacts that such people become. */
async function addPeople(
  world: ContactWorld,
  people: readonly { identification: Identification; isUnsubscribed: boolean }[],
) {
  for (const { identification, isUnsubscribed } of people) {
    if (!isAccepted(identification)) continue
    const { id } = await world.identify(identification)
    if (isUnsubscribed) await updateContact(world.node, world.propertyId, id, { state: 'unsubscribed' })
  }
}

onEach('what is exported and imported elsewhere is the same, whatever is in it', async (t, home) => {
  const world = await openContacts(t, home)
  const { node, propertyId } = world
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 8 }), async (people) => {
      await node.records.deleteFrom('contacts').execute()
      await addPeople(world, people)
      const before = await contactsOf(node)
      const other = await world.addProperty()
      const { created, updated } = await importText(node, await exportText(node, propertyId), { propertyId: other })
      assert.deepEqual([created, updated], [before.length, 0])
      assert.deepEqual(carried(await contactsOf(node, other)), carried(before))
    }),
    { numRuns: home.kind === 'sqlite' ? rounds(30, 1_000) : rounds(10, 300) },
  )
})

onEach('an export imported again changes nothing', async (t, home) => {
  const world = await openContacts(t, home)
  await world.identify({ external_id: 'a', email: 'x@x.example', traits: { meta: [{ key: 'n', value: 1 }] } })
  await world.identify({ email: 'y@x.example', traits: { first_name: '=1' } })
  const before = await contactsOf(world.node)
  const { created, updated } = await importText(world.node, await exportText(world.node, world.propertyId))
  assert.deepEqual([created, updated], [0, 2])
  assert.deepEqual(await contactsOf(world.node), before)
})

onEach('people who share an address stay apart when one of them has an external id', async (t, home) => {
  const world = await openContacts(t, home)
  // The second one came to the address later, so that it stands first in the file's usual order.
  await world.identify({ external_id: 'a', email: 'old@x.example' })
  await world.identify({ email: 'shared@x.example' })
  await world.identify({ external_id: 'a', email: 'shared@x.example' })
  const other = await world.addProperty()
  await importText(world.node, await exportText(world.node, world.propertyId), { propertyId: other })
  assert.deepEqual(carried(await contactsOf(world.node, other)), carried(await contactsOf(world.node)))
})

onEach('an export has neither deleted contacts nor those of another property', async (t, home) => {
  const world = await openContacts(t, home)
  const gone = await world.identify({ external_id: 'gone-1', email: 'gone@x.example' })
  await world.identify({ external_id: 'here-1' })
  await eraseContact(world.node, world.propertyId, gone.id)
  const other = await world.addProperty()
  await importText(world.node, 'external_id\nelsewhere-1\n', { propertyId: other })
  const text = await exportText(world.node, world.propertyId)
  assert.match(text, /here-1/)
  assert.doesNotMatch(text, /gone|redacted|elsewhere/)
})

onEach('an export is whole when it takes several batches, with and without external ids', async (t, home) => {
  const world = await openContacts(t, home)
  const rows = Array.from({ length: 2_100 }, (_, n) => (n % 2 ? `e${n},` : `,p${n}@x.example`))
  await importText(world.node, `external_id,email\n${rows.join('\n')}\n`)
  const lines = (await exportText(world.node, world.propertyId)).trimEnd().split('\r\n').slice(1)
  assert.deepEqual(lines.map((line) => line.split(',', 2).join(',')).sort(), rows.sort())
})

onEach(
  'a row of an export that names nobody is left out, and counted; without an id it is an error',
  async (t, home) => {
    const world = await openContacts(t, home)
    const { id } = await world.identify({ external_id: 'a' })
    await updateContact(world.node, world.propertyId, id, { external_id: null, first_name: 'Nobody' })
    const { rows, nameless_rows, created } = await importText(
      world.node,
      await exportText(world.node, world.propertyId),
    )
    assert.deepEqual([rows, nameless_rows, created], [1, 1, 0])
    const { bad_rows, faults } = await importText(world.node, 'email,first_name\n,Nobody\n')
    assert.deepEqual(
      [bad_rows, faults.map(({ line, field }) => [line, field])],
      [
        1,
        [
          [2, 'external_id'],
          [2, 'email'],
        ],
      ],
    )
  },
)

// ---------------------------------------------------------------- merging

onEach('rows about one contact are applied in order, and empty cells leave what stands', async (t, home) => {
  const { node } = await openContacts(t, home)
  const text = [
    'external_id,email,first_name,company,meta,meta.plan,state',
    'a,a@x.example,Ada,One,"{""n"":1}",,',
    ',b@x.example,Bea,,,,unsubscribed',
    'a,,,Two,"{""m"":2}",pro,',
    ',B@X.example,,Three,,,',
  ].join('\n')
  const { created, updated } = await importText(node, text)
  assert.deepEqual([created, updated], [2, 2])
  const [a, b] = await contactsOf(node)
  assert.deepEqual([a!.email, a!.first_name, a!.company, a!.state], ['a@x.example', 'Ada', 'Two', 'active'])
  assert.deepEqual(a!.meta, [
    { key: 'n', value: 1 },
    { key: 'm', value: 2 },
    { key: 'plan', value: 'pro' },
  ])
  assert.deepEqual([b!.email, b!.first_name, b!.company, b!.state], ['B@X.example', 'Bea', 'Three', 'unsubscribed'])
})

onEach('the file says who is subscribed, and says nothing with an empty cell', async (t, home) => {
  const { node } = await openContacts(t, home)
  const state = async () => (await contactsOf(node)).map((contact) => contact.state)
  await importText(node, 'email,state\na@x.example, UNSUBSCRIBED \n')
  assert.deepEqual(await state(), ['unsubscribed'])
  await importText(node, 'email,state\na@x.example,\n')
  assert.deepEqual(await state(), ['unsubscribed'])
  await importText(node, 'email,state\na@x.example,active\n')
  assert.deepEqual(await state(), ['active'])
})

onEach('an unknown external id is a new contact, also when its address is known', async (t, home) => {
  const world = await openContacts(t, home)
  await world.identify({ external_id: 'one', email: 'shared@x.example' })
  const { created } = await importText(world.node, 'external_id,email\ntwo,shared@x.example\n')
  assert.equal(created, 1)
})

// ---------------------------------------------------------------- all or nothing

const SECRET = 'zqx-secret'

type Expected = readonly [field: string, reason: RegExp]

const badRows: readonly (readonly [header: string, row: string, expected: readonly Expected[]])[] = [
  ['email', `${SECRET}@`, [['email', /not an email address/]]],
  [
    'email,first_name',
    ',x',
    [
      ['external_id', /requires/],
      ['email', /requires/],
    ],
  ],
  ['external_id', 'null', [['external_id', /names nobody/]]],
  ['external_id', '{{user.id}}', [['external_id', /names nobody/]]],
  ['external_id', SECRET.repeat(26), [['external_id', /at most 255/]]],
  ...Object.entries(textLimits)
    .filter(([name]) => name !== 'external_id' && name !== 'email')
    .map(
      ([name, max]) =>
        [`external_id,${name}`, `a,${SECRET}${'x'.repeat(max)}`, [[name, new RegExp(`at most ${max}`)]]] as const,
    ),
  ['external_id,lifecycle_stage', `a,${SECRET}${'x'.repeat(64)}`, [['lifecycle_stage', /at most 64/]]],
  ['external_id,state', `a,deleted`, [['state', /^must be one of: active, unsubscribed$/]]],
  [
    'external_id,email,state',
    `0,${SECRET}@,${SECRET}`,
    [
      ['external_id', /nobody/],
      ['state', /must be one of/],
    ],
  ],
  ['external_id,meta', `a,${SECRET}`, [['meta', /JSON object/]]],
  ['external_id,meta', `a,"{""k"":[""${SECRET}""]}"`, [['meta', /must be a text or a number/]]],
  ['external_id,meta', `a,"[{""value"":""${SECRET}""}]"`, [['meta', /required/]]],
  ['external_id,meta', `a,"{"""":1}"`, [['meta', /./]]],
  ['external_id,meta', `a,"[1]"`, [['meta', /must be an object/]]],
  ['external_id,meta', `a,"{""${SECRET}"":${'['.repeat(100_000)}${']'.repeat(100_000)}}"`, [['meta', /plain values/]]],
  ['external_id,meta.k', `a,${SECRET.repeat(300)}`, [['meta', /at most 2048/]]],
  [`external_id,meta.${'k'.repeat(121)}`, `a,${SECRET}`, [['meta', /at most 120/]]],
  [
    'external_id,meta',
    `a,"${JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, 1]))).replaceAll('"', '""')}"`,
    [['meta', /at most 50/]],
  ],
  ['external_id,phone', `a,1,${SECRET}`, [['row', /as many cells/]]],
]

onEach(
  'a bad row is named by line, field and reason, never by its content, and nothing is written',
  async (t, home) => {
    const { node } = await openContacts(t, home)
    for (const [header, row, expected] of badRows) {
      const good = (header.startsWith('email') ? 'g@x.example' : 'good-1') + ','.repeat(header.split(',').length - 1)
      const { bad_rows, faults, created } = await importText(node, `${header}\n${good}\n${row}\n`)
      assert.deepEqual([bad_rows, created], [1, undefined], header + row)
      assert.deepEqual(
        faults.map(({ line, field }) => [line, field]),
        expected.map(([field]) => [3, field]),
        row.slice(0, 80),
      )
      for (const [index, [, reason]] of expected.entries()) assert.match(faults[index]!.reason, reason)
      assert.doesNotMatch(JSON.stringify(faults), new RegExp(SECRET))
    }
    assert.deepEqual(await contactsOf(node), [])
  },
)

onEach('every bad row is counted, and the first fifty faults are told', async (t, home) => {
  const { node } = await openContacts(t, home)
  const { rows, bad_rows, faults, more_faults } = await importText(node, `email\n${'nope\n'.repeat(70)}a@x.example\n`)
  assert.deepEqual([rows, bad_rows, faults.length, more_faults], [71, 70, 50, 20])
  assert.deepEqual([faults[0]!.line, faults[49]!.line], [2, 51])
})

onEach('what only shows while writing takes everything back and names its line', async (t, home) => {
  const { node } = await openContacts(t, home)
  const meta = (prefix: string) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [prefix + n, 1]))).replaceAll('"', '""')
  const text = `external_id,meta\nfirst,\nfull,"${meta('a')}"\nfull,"${meta('b')}"\n`
  await assert.rejects(importText(node, text), (error: unknown) => {
    assert.ok(error instanceof Problem)
    assert.match(error.message, /^Line 4: meta: .*at most 50.*Nothing was written\.$/)
    return error.kind === 'validation_failed'
  })
  assert.deepEqual(await contactsOf(node), [])
})

onEach('a trial says exactly what would be done and does nothing', async (t, home) => {
  const world = await openContacts(t, home)
  await world.identify({ external_id: 'known-1', traits: { first_name: 'Before' } })
  const before = await contactsOf(world.node)
  const text = 'external_id,first_name,state\nknown-1,After,unsubscribed\nnew-1,New,\nnew-1,Again,\n'
  const trial = await importText(world.node, text, { isTrial: true })
  assert.deepEqual([trial.created, trial.updated], [1, 2])
  assert.deepEqual(await contactsOf(world.node), before)
  const done = await importText(world.node, text)
  assert.deepEqual(done, trial)
})

onEach('a file above the limits is refused', async (t, home) => {
  const { node } = await openContacts(t, home)
  const text = 'external_id\na\nb\nc\n'
  const limits = { rows: 3, bytes: text.length }
  assert.equal((await importText(node, text, { limits, isTrial: true })).created, 3)
  await assert.rejects(importText(node, text, { limits: { ...limits, rows: 2 } }), /more than 2 rows/)
  await assert.rejects(importText(node, text, { limits: { ...limits, bytes: text.length - 1 } }), /larger than/)
  assert.deepEqual(await contactsOf(node), [])
})

onEach('an empty file is refused, one with a header alone is not', async (t, home) => {
  const { node } = await openContacts(t, home)
  await assert.rejects(importText(node, ''), /file is empty/)
  assert.equal((await importText(node, 'email\n')).created, 0)
})

onEach('an import beside others who write the same contacts makes each of them once', async (t, home) => {
  const world = await openContacts(t, home)
  const other = await world.another()
  const rows = Array.from({ length: 200 }, (_, n) => (n % 2 ? `e${n},` : `,p${n}@x.example`)).join('\n')
  const text = `external_id,email\n${rows}\n`
  const two = await Promise.all([importText(world.node, text), importText(other, text)])
  assert.equal(two[0].created! + two[1].created!, 200)
  assert.equal((await contactsOf(world.node)).length, 200)
})
