// A form that is full: what goes first, and that its owner is told.
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { startFootfall } from '../../test/support/server.ts'
import { addForm, addSubmissions, SENT_MS, submissionIds } from '../../test/support/submissions.ts'
import { claimForm, findFullness } from './eviction-records.ts'
import { evictTooMany } from './evictions.ts'
import { removeForm } from '../forms/remove.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const flagged = { verdict: 'flagged' } as const
const dropped = { verdict: 'dropped' } as const
const [isSpam, isLead] = [{ mark: 'spam' } as const, { mark: 'not_spam' } as const]

/** What is logged, line by line. */
function listen() {
  const lines: Record<string, unknown>[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void): void => {
    lines.push(JSON.parse(String(chunk)) as Record<string, unknown>)
    done()
  }
  return { log: pino(new Writable({ write })), lines }
}

onEach(
  'junk goes first, whatever its age: dropped, marked as spam, flagged, and only then the oldest lead',
  async (_t, world) => {
    const { node, propertyId, clock } = world
    clock.ms = SENT_MS
    const formId = await addForm(node.records, propertyId)
    const scope = { propertyId, formId }
    const drafts = [{}, { ...dropped, ...isLead }, { ...flagged, ...isLead }, {}, flagged, isSpam, flagged, dropped]
    const sent = await addSubmissions(node.records, propertyId, formId, drafts)
    const { log, lines } = listen()
    const evictTo = async (all: number) => {
      const count = await evictTooMany({ ...node, log }, scope, { all, dropped: 100 })
      const left = new Set(await submissionIds(node.records, formId))
      return [count, sent.flatMap((id, at) => (left.has(id) ? [] : [at]))]
    }
    assert.deepEqual(await evictTo(8), [0, []])
    assert.deepEqual(await evictTo(7), [1, [7]], 'dropped')
    assert.deepEqual(await evictTo(6), [1, [5, 7]], 'marked as spam')
    assert.deepEqual(await evictTo(5), [1, [4, 5, 7]], 'the older flagged one')
    assert.deepEqual(
      await evictTo(3),
      [2, [0, 4, 5, 6, 7]],
      'the other, then the oldest lead; what was marked as no spam is one',
    )
    assert.deepEqual(
      lines.map(({ level, form, spam, flagged: doubtful, clean }) => [level, form, spam, doubtful, clean]),
      [
        [40, formId, 1, 0, 0],
        [40, formId, 1, 0, 0],
        [40, formId, 0, 1, 0],
        [40, formId, 0, 1, 1],
      ],
    )
    assert.ok(lines.every((line) => !JSON.stringify(line).includes('@')))
  },
)

onEach('of two nodes that look at the same time one removes what is too much, and no more', async (_t, world) => {
  const { node, propertyId, clock } = world
  clock.ms = SENT_MS
  const formId = await addForm(node.records, propertyId)
  await addSubmissions(
    node.records,
    propertyId,
    formId,
    Array.from({ length: 400 }, () => ({})),
  )
  const evict = () => evictTooMany(node, { propertyId, formId }, { all: 150, dropped: 100 })
  const removed = await Promise.all([evict(), evict(), evict()])
  assert.deepEqual(
    removed.toSorted((a, b) => a - b),
    [0, 0, 250],
  )
  assert.equal((await submissionIds(node.records, formId)).length, 150)
  assert.equal((await findFullness(node.records, formId))?.clean, 250)
  // One that was stopped in the middle holds nobody up for good.
  await addSubmissions(
    node.records,
    propertyId,
    formId,
    Array.from({ length: 50 }, () => ({})),
  )
  await claimForm(node.records, formId, clock.ms, clock.ms + 60_000)
  assert.equal(await evict(), 0)
  clock.ms += 60_000
  assert.equal(await evict(), 50)
})

onEach('what was removed is written down with it, added up, and goes with the form', async (_t, world) => {
  const { node, propertyId, clock } = world
  clock.ms = SENT_MS
  const formId = await addForm(node.records, propertyId)
  const scope = { propertyId, formId }
  assert.equal(await findFullness(node.records, formId), null)
  const drafts = Array.from({ length: 250 }, (_, n) => (n % 2 === 0 ? dropped : {}))
  await addSubmissions(node.records, propertyId, formId, drafts)
  await evictTooMany(node, scope, { all: 1_000, dropped: 10 })
  const counts = { spam: 115, flagged: 0, clean: 0, last_ts: Math.floor(SENT_MS / 1000), most: 500_000 }
  assert.deepEqual(await findFullness(node.records, formId), { ...counts, stored: null })
  clock.ms += 3_600_000
  await evictTooMany(node, scope, { all: 120, dropped: 10 })
  const later = { ...counts, spam: 125, clean: 5, last_ts: Math.floor(clock.ms / 1000) }
  assert.deepEqual(await findFullness(node.records, formId), { ...later, stored: 120 })
  await evictTooMany(node, scope, { all: 140, dropped: 10 })
  assert.deepEqual(await findFullness(node.records, formId), { ...later, stored: null }, 'there is room again')
  assert.equal(await removeForm(node, propertyId, formId), true)
  assert.equal(await findFullness(node.records, formId), null)
})

onEach(
  'a form that comes near its limit says so before anything goes, and nothing of another form',
  async (_t, world) => {
    const { node, propertyId } = world
    const [near, far] = [await addForm(node.records, propertyId), await addForm(node.records, propertyId)]
    for (const [formId, count] of [
      [near, 9],
      [far, 8],
    ] as const) {
      const drafts = Array.from({ length: count }, () => ({}))
      await addSubmissions(node.records, propertyId, formId, drafts)
      assert.equal(await evictTooMany(node, { propertyId, formId }, { all: 10, dropped: 5 }), 0)
    }
    const nothing = { spam: 0, flagged: 0, clean: 0, last_ts: null, most: 500_000 }
    assert.deepEqual(await findFullness(node.records, near), { ...nothing, stored: 9 })
    assert.equal(await findFullness(node.records, far), null)
  },
)

test('the owner reads it with the form', async (t) => {
  const footfall = await startFootfall(t, {})
  const { context, property } = footfall
  const path = `/manage/properties/${property.id}/forms`
  const { json } = await footfall.call('POST', path, { body: { name: 'Contact', kind: 'open' } })
  assert.equal(json.data.form.fullness, null)
  const formId: string = json.data.form.id
  await addSubmissions(context.records, property.id, formId, [{}, dropped, {}])
  await evictTooMany(context, { propertyId: property.id, formId }, { all: 1, dropped: 1 })
  const { fullness } = (await footfall.call('GET', `${path}/${formId}`)).json.data.form
  assert.deepEqual([fullness.spam, fullness.flagged, fullness.clean, fullness.stored], [1, 0, 1, 1])
  assert.ok(fullness.last_ts > 0)
})
