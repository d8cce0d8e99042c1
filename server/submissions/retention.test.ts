// What goes by itself: old form sessions, submissions past their time, and the oldest of too many, spam
// first. Nothing else does.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { addForm, addFormSession, addSubmissions, SENT_MS, submissionIds } from '../../test/support/submissions.ts'
import { removeForm, removeForms } from '../forms/remove.ts'
import { letFrozenGo, removeOldForms } from './retention.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const DAY = 86_400_000
const sessionsOf = async ({ node }: ContactWorld): Promise<number[]> =>
  (await node.records.selectFrom('form_sessions').select('opened_ms').orderBy('opened_ms').execute()).map(
    ({ opened_ms }) => opened_ms,
  )

onEach('form sessions go a day after they began, and not before', async (_t, world) => {
  const { node, propertyId, clock } = world
  const form = await addForm(node.records, propertyId)
  for (let n = 0; n < 230; n++)
    await addFormSession(node.records, propertyId, form, { opened_ms: SENT_MS - DAY - 1 - n })
  await addFormSession(node.records, propertyId, form, { opened_ms: SENT_MS - DAY })
  clock.ms = SENT_MS
  assert.deepEqual(await removeOldForms(node), { form_sessions: 230, submissions: 0 })
  assert.deepEqual(await sessionsOf(world), [SENT_MS - DAY])
  assert.deepEqual(await removeOldForms(node), { form_sessions: 0, submissions: 0 })
})

onEach('form sessions that are over keep nothing that was frozen, and stay for the score', async (_t, world) => {
  const { node, propertyId, clock } = world
  const form = await addForm(node.records, propertyId)
  const frozen = { fields: '[{}]', validation: '{"a":{}}', success_html: '<b>x</b>', frozen_bytes: 20 }
  const add = (expires_ms: number) => addFormSession(node.records, propertyId, form, { expires_ms, ...frozen })
  clock.ms = SENT_MS
  for (let n = 0; n < 230; n++) await add(SENT_MS - 60_001 - n)
  await add(SENT_MS - 60_000)
  await add(SENT_MS + 1)
  assert.equal(await letFrozenGo(node), 230)
  assert.equal(await letFrozenGo(node), 0)
  const rows = await node.records
    .selectFrom('form_sessions')
    .select(['fields', 'validation', 'success_html', 'frozen_bytes'])
    .orderBy('expires_ms', 'desc')
    .execute()
  assert.deepEqual(rows.slice(0, 2), [frozen, frozen])
  assert.equal(rows.length, 232)
  for (const row of rows.slice(2))
    assert.deepEqual({ ...row }, { fields: '[]', validation: '{}', success_html: null, frozen_bytes: 0 })
})

onEach('a form keeps submissions for as long as it says, and one that says nothing for good', async (_t, world) => {
  const { node, propertyId, clock } = world
  const [short, long, forGood] = [
    await addForm(node.records, propertyId, { retention_days: 1 }),
    await addForm(node.records, propertyId, { retention_days: 30 }),
    await addForm(node.records, propertyId),
  ]
  const ages = [...Array(230).fill(2 * DAY), DAY + 1, DAY, 0].map((age: number) => ({ submitted_ms: SENT_MS - age }))
  const sent = []
  for (const form of [short, long, forGood]) sent.push(await addSubmissions(node.records, propertyId, form, ages))
  clock.ms = SENT_MS
  assert.deepEqual(await removeOldForms(node), { form_sessions: 0, submissions: 231 })
  assert.deepEqual(await submissionIds(node.records, short), sent[0]!.slice(231))
  assert.deepEqual(await submissionIds(node.records, long), sent[1])
  assert.deepEqual(await submissionIds(node.records, forGood), sent[2])
})

onEach('of too many dropped ones the oldest go; what the owner called no spam stays', async (_t, world) => {
  const { node, propertyId } = world
  const form = await addForm(node.records, propertyId)
  const dropped = { verdict: 'dropped' } as const
  const sent = await addSubmissions(node.records, propertyId, form, [
    { ...dropped, mark: 'not_spam' },
    dropped,
    { mark: 'spam' },
    { ...dropped, mark: 'spam' },
    {},
    dropped,
    dropped,
  ])
  assert.equal((await removeOldForms(node, { all: 7, dropped: 2 })).submissions, 2)
  assert.deepEqual(
    await submissionIds(node.records, form),
    [0, 2, 4, 5, 6].map((at) => sent[at]),
  )
})

onEach('of too many at all the dropped ones go first, then the oldest, and only of that form', async (_t, world) => {
  const { node, propertyId } = world
  const [form, other] = [await addForm(node.records, propertyId), await addForm(node.records, propertyId)]
  const kinds = Array.from({ length: 260 }, (_, n) => (n % 2 === 1 && n < 20 ? ({ verdict: 'dropped' } as const) : {}))
  const sent = await addSubmissions(node.records, propertyId, form, kinds)
  const theirs = await addSubmissions(node.records, propertyId, other, [{}, {}])
  assert.equal((await removeOldForms(node, { all: 253, dropped: 100 })).submissions, 7)
  const left = sent.filter((_, n) => !(n % 2 === 1 && n < 14))
  assert.deepEqual(await submissionIds(node.records, form), left)
  assert.equal((await removeOldForms(node, { all: 120, dropped: 100 })).submissions, 133)
  assert.deepEqual(await submissionIds(node.records, form), sent.slice(140))
  assert.deepEqual(await submissionIds(node.records, other), theirs)
})

onEach('a removed form takes along its form sessions and submissions, and no other form', async (_t, world) => {
  const { node, propertyId } = world
  const { records } = node
  const [gone, stays] = [await addForm(records, propertyId), await addForm(records, propertyId)]
  for (const form of [gone, stays]) {
    await addSubmissions(
      records,
      propertyId,
      form,
      Array.from({ length: 150 }, () => ({})),
    )
    for (let n = 0; n < 110; n++) await addFormSession(records, propertyId, form)
  }
  assert.equal(await removeForm(node, await world.addProperty(), gone), false)
  assert.equal((await submissionIds(records, gone)).length, 150)
  assert.equal(await removeForm(node, propertyId, gone), true)
  const forms = await records.selectFrom('forms').select(['id', 'is_published']).execute()
  assert.deepEqual(forms, [{ id: stays, is_published: 1 }])
  assert.equal((await sessionsOf(world)).length, 110)
  assert.equal((await submissionIds(records, stays)).length, 150)
  assert.equal(await removeForm(node, propertyId, gone), false)
})

onEach('with a property go its forms, and none of another one', async (_t, world) => {
  const { node, propertyId } = world
  const { records } = node
  const other = await world.addProperty()
  for (const property of [propertyId, propertyId, other]) {
    const form = await addForm(records, property)
    await addSubmissions(
      records,
      property,
      form,
      Array.from({ length: 120 }, () => ({})),
    )
  }
  await removeForms(node, propertyId)
  const left = await records.selectFrom('forms').select('property_id').execute()
  assert.deepEqual(left, [{ property_id: other }])
  assert.equal((await records.selectFrom('submissions').select('id').execute()).length, 120)
})

for (const home of homes.filter(({ kind }) => kind === 'sqlite'))
  testOnEach([home], 'no file holds a byte of what retention or a removal took', async (t) => {
    const world = await openContacts(t, home)
    const { node, propertyId, clock } = world
    const fields = JSON.stringify([{ type: 'text', name: 'm', label: 'M', value: 'zqxzqx' }])
    const traces = () =>
      readdirSync(world.options.dataDir).filter((file) =>
        readFileSync(join(world.options.dataDir, file)).includes('zqxzqx'),
      )
    clock.ms = SENT_MS + 3 * DAY
    const form = await addForm(node.records, propertyId, { retention_days: 1 })
    const rows = Array.from({ length: 30 }, () => ({ fields }))
    await addSubmissions(node.records, propertyId, form, rows)
    assert.notDeepEqual(traces(), [])
    await removeOldForms(node)
    assert.deepEqual(traces(), [])
    await addSubmissions(node.records, propertyId, form, rows)
    await removeForm(node, propertyId, form)
    assert.deepEqual(traces(), [])
  })
