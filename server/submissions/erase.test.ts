// Erasing a person takes along what they sent through forms, and nothing that somebody else sent.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { addForm, addSubmissions, submissionIds, type SubmissionRow } from '../../test/support/submissions.ts'
import { eraseContact } from '../contacts/erase.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const ann = { external_id: 'ann', email: 'Ann@Example.com' }

const of = ({ day, hash }: { day: number; hash: bigint }): Partial<SubmissionRow> => ({
  session_day: day,
  session: String(hash),
})

onEach('what a contact sent goes with it, by address and by session, whatever its verdict', async (_t, world) => {
  const { node, propertyId } = world
  const { records } = node
  const [mine, theirs] = [world.session(1), world.session(2)]
  const { id } = await world.identify(ann, mine)
  await world.identify({ external_id: 'bob', email: 'bob@example.com' }, theirs)
  const form = await addForm(records, propertyId)
  const sent = await addSubmissions(records, propertyId, form, [
    { email_keys: ['ann@example.com'] },
    { email_keys: ['ann@example.com'], verdict: 'dropped' },
    { email_keys: ['ann@example.com'], verdict: 'flagged', mark: 'not_spam', ...of(mine) },
    of(mine),
    { email_keys: ['bob@example.com'] },
    of(theirs),
    { ...of(mine), session_day: mine.day - 1 },
    {},
  ])
  const receipt = await eraseContact(node, propertyId, id)
  assert.equal(receipt.submissions, 4)
  assert.deepEqual(await submissionIds(records, form), sent.slice(4))
})

onEach('of another property nothing goes, also when address and session are the same', async (_t, world) => {
  const { node, propertyId } = world
  const session = world.session(1)
  const { id } = await world.identify(ann, session)
  const other = await world.addProperty()
  const form = await addForm(node.records, other)
  const sent = await addSubmissions(node.records, other, form, [{ email_keys: ['ann@example.com'] }, of(session)])
  assert.equal((await eraseContact(node, propertyId, id)).submissions, 0)
  assert.deepEqual(await submissionIds(node.records, form), sent)
})

onEach('what is sent from a session of a deleted contact goes with the next erasure', async (_t, world) => {
  const { node, propertyId } = world
  const session = world.session(1)
  const { id } = await world.identify(ann, session)
  const form = await addForm(node.records, propertyId)
  await eraseContact(node, propertyId, id)
  await addSubmissions(node.records, propertyId, form, [of(session)])
  const again = await eraseContact(node, propertyId, id)
  assert.deepEqual([again.was_deleted, again.submissions], [true, 1])
  assert.deepEqual(await submissionIds(node.records, form), [])
})

onEach('submissions of hundreds of sessions are found', async (_t, world) => {
  const { node, propertyId } = world
  const form = await addForm(node.records, propertyId)
  const sessions = Array.from({ length: 230 }, (_, n) => world.session(n + 1))
  const { id } = await world.identify(ann, sessions[0])
  for (const session of sessions.slice(1)) await world.identify({ external_id: 'ann' }, session)
  await addSubmissions(node.records, propertyId, form, sessions.map(of))
  assert.equal((await eraseContact(node, propertyId, id)).submissions, 230)
})

onEach('an erasure that fails half-way erases nothing', async (_t, world) => {
  const { node, propertyId } = world
  const { id } = await world.identify(ann)
  const form = await addForm(node.records, propertyId)
  await addSubmissions(node.records, propertyId, form, [{ email_keys: ['ann@example.com'] }])
  const failing = {
    ...node,
    erasePerson: async (...given: Parameters<typeof node.erasePerson>) => {
      await node.erasePerson(...given)
      throw new Error('the end')
    },
  }
  await assert.rejects(eraseContact(failing, propertyId, id), /the end/)
  assert.equal((await submissionIds(node.records, form)).length, 1)
})

for (const home of homes.filter(({ kind }) => kind === 'sqlite'))
  testOnEach([home], 'no file holds a byte of what an erased person sent', async (t) => {
    const world = await openContacts(t, home)
    const { node, propertyId } = world
    const { id } = await world.identify(ann)
    const form = await addForm(node.records, propertyId)
    const fields = JSON.stringify([{ type: 'textarea', name: 'm', label: 'M', value: 'zqxzqx '.repeat(900) }])
    await addSubmissions(
      node.records,
      propertyId,
      form,
      Array.from({ length: 20 }, () => ({ email_keys: ['ann@example.com'], fields })),
    )
    const traces = () =>
      readdirSync(world.options.dataDir).filter((file) =>
        readFileSync(join(world.options.dataDir, file)).includes('zqxzqx'),
      )
    assert.notDeepEqual(traces(), [])
    assert.equal((await eraseContact(node, propertyId, id)).submissions, 20)
    assert.deepEqual(traces(), [])
  })
