// The list of submissions on both databases: every filter, every page, the exact total, and nothing of another form or property.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { addForm, addSubmissions, SENT_MS, submissionRow, type SubmissionRow } from '../../test/support/submissions.ts'
import type { Mark, Verdict } from './form.ts'
import { findPlaceBeyond, listSubmissionRows, submissionBatches, type SubmissionFilter } from './list-records.ts'

const { homes } = await openHomes()
const onEach = (promise: string, check: (t: TestContext, world: ContactWorld) => Promise<void>) =>
  testOnEach(homes, promise, async (t, home) => check(t, await openContacts(t, home)))

const verdicts: readonly Verdict[] = ['clean', 'flagged', 'dropped']
const marks: readonly (Mark | null)[] = [null, 'spam', 'not_spam']
/** Each verdict with each mark, a second apart. */
const everyKind = verdicts.flatMap((verdict, v) =>
  marks.map((mark, m) => ({ verdict, mark, submitted_ms: SENT_MS + (v * 3 + m) * 1000 })),
)
const nameOf = ({ verdict, mark }: { verdict: Verdict; mark: Mark | null }) => `${verdict}/${mark ?? 'none'}`

const filters: readonly (readonly [SubmissionFilter, readonly string[]])[] = [
  [{ show: 'kept' }, ['dropped/not_spam', 'flagged/not_spam', 'flagged/none', 'clean/not_spam', 'clean/none']],
  [{ show: 'spam' }, ['dropped/spam', 'dropped/none', 'flagged/spam', 'clean/spam']],
  [{ show: 'all', verdict: 'dropped' }, ['dropped/not_spam', 'dropped/spam', 'dropped/none']],
  [{ show: 'kept', verdict: 'dropped' }, ['dropped/not_spam']],
  [{ show: 'all', fromMs: SENT_MS + 3000, toMs: SENT_MS + 5000 }, ['flagged/spam', 'flagged/none']],
  [{ show: 'spam', fromMs: SENT_MS + 7000 }, ['dropped/spam']],
]

onEach('the mark of the owner counts more than the verdict, and each filter finds its own', async (_t, world) => {
  const { node, propertyId } = world
  const formId = await addForm(node.records, propertyId)
  await addSubmissions(node.records, propertyId, formId, everyKind)
  await addSubmissions(node.records, propertyId, await addForm(node.records, propertyId), everyKind)
  const scope = { propertyId, formId }
  for (const [filter, names] of filters) {
    const { rows, total } = await listSubmissionRows(node.records, scope, filter, { page: 1, perPage: 100 })
    assert.deepEqual(rows.map(nameOf), names)
    assert.equal(total, names.length)
    const batches = (await Array.fromAsync(submissionBatches(node.records, scope, filter))).flat()
    assert.deepEqual(batches.map(nameOf).toReversed(), names)
  }
})

onEach('a form is not there for another property', async (_t, world) => {
  const { node, propertyId } = world
  const formId = await addForm(node.records, propertyId)
  await addSubmissions(node.records, propertyId, formId, everyKind)
  const scope = { propertyId: await world.addProperty(), formId }
  const ask = { page: 1, perPage: 10 }
  assert.deepEqual(await listSubmissionRows(node.records, scope, { show: 'all' }, ask), { rows: [], total: 0 })
  assert.deepEqual(await Array.fromAsync(submissionBatches(node.records, scope, { show: 'all' })), [])
})

/** More than one stretch and many batches, every third one spam, rows of another form in between. */
const MANY = 20_700

async function addMany(world: ContactWorld): Promise<string> {
  const { node, propertyId } = world
  const [formId, other] = [await addForm(node.records, propertyId), await addForm(node.records, propertyId)]
  await node.records.transaction().execute(async (tx) => {
    for (let from = 0; from < MANY; from += 300) {
      const rows: SubmissionRow[] = Array.from({ length: 300 }, (_, n) => {
        const number = from + n
        return submissionRow(propertyId, formId, {
          verdict: number % 3 === 0 ? 'dropped' : 'clean',
          submitted_ms: SENT_MS + number,
          fields: '[]',
        })
      })
      await tx.insertInto('submissions').values(rows).execute()
      await tx.insertInto('submissions').values(submissionRow(propertyId, other)).execute()
    }
  })
  return formId
}

onEach(
  'pages tile a list of more than one stretch, batches hold each once, and limits find their place',
  async (_t, world) => {
    const { node, propertyId } = world
    const scope = { propertyId, formId: await addMany(world) }
    const spam: SubmissionFilter = { show: 'spam' }
    const page = async (number: number, perPage: number, filter: SubmissionFilter) =>
      listSubmissionRows(node.records, scope, filter, { page: number, perPage })
    const times = async (number: number, perPage: number, filter: SubmissionFilter) =>
      (await page(number, perPage, filter)).rows.map(({ submitted_ms }) => submitted_ms - SENT_MS)

    assert.equal((await page(1, 10, spam)).total, MANY / 3)
    assert.deepEqual(await times(1, 3, spam), [MANY - 3, MANY - 6, MANY - 9])
    // The page across the end of the newest stretch of 20,000 places.
    const across = await times(200, 100, { show: 'all' })
    assert.deepEqual(
      across,
      Array.from({ length: 100 }, (_, n) => MANY - 1 - 19_900 - n),
    )
    assert.deepEqual(
      await times(4, 6_000, { show: 'all' }),
      Array.from({ length: 2_700 }, (_, n) => 2_699 - n),
    )
    assert.deepEqual(await times(5, 6_000, { show: 'all' }), [])

    const all = (await Array.fromAsync(submissionBatches(node.records, scope, spam))).flat()
    assert.deepEqual(
      all.map(({ submitted_ms }) => submitted_ms - SENT_MS),
      Array.from({ length: MANY / 3 }, (_, n) => n * 3),
    )
    const beyond = await findPlaceBeyond(node.records, scope, spam, MANY / 3 - 2)
    assert.equal(beyond, all[1]!.seq)
    assert.equal(await findPlaceBeyond(node.records, scope, spam, MANY / 3), undefined)
  },
)
