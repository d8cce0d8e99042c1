// The list of submissions on both databases: every filter, every page, the exact total, and nothing of
// another form or property.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { type ContactWorld, openContacts } from '../../test/support/contact-nodes.ts'
import { openHomes, testOnEach } from '../../test/support/records.ts'
import { addForm, addSubmissions, SENT_MS, submissionRow, type SubmissionRow } from '../../test/support/submissions.ts'
import type { Mark, Verdict } from '../forms/form-model.ts'
import { BATCH_BYTES, batchesOf } from './batches.ts'
import { submissionBatches } from './export-records.ts'
import { findPlaceBeyond, listSubmissionRows, type SubmissionFilter } from './list-records.ts'

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

onEach(
  'answers are searched as they were written, whatever their capitals, and nothing in them is a sign of the search',
  async (_t, world) => {
    const { node, propertyId } = world
    const formId = await addForm(node.records, propertyId)
    const texts = ['Ada at example.com', 'ÄRGER\nmit "Zitat"', '100% sure', String.raw`C:\temp_1`]
    const rows = texts.map((value, index) => ({
      submitted_ms: SENT_MS + index,
      fields: JSON.stringify([{ type: 'text', name: 'note', label: 'Note', value }]),
    }))
    await addSubmissions(node.records, propertyId, formId, rows)
    const scope = { propertyId, formId }
    const found = async (search: string) => {
      const filter: SubmissionFilter = { show: 'all', search }
      const page = await listSubmissionRows(node.records, scope, filter, { page: 1, perPage: 10 })
      const batches = (await Array.fromAsync(submissionBatches(node.records, scope, filter))).flat()
      assert.equal(page.total, page.rows.length)
      assert.deepEqual(
        batches.map(({ id }) => id).toReversed(),
        page.rows.map(({ id }) => id),
      )
      return page.rows.map(({ fields }) => fields[0]?.value)
    }
    assert.deepEqual(await found('ADA'), [texts[0]])
    assert.deepEqual(await found('ÄRGER'), [texts[1]])
    assert.deepEqual(await found('"zitat"'), [texts[1]])
    assert.deepEqual(await found('"ZITAT" ärger'), [texts[1]])
    assert.deepEqual(await found('%'), [texts[2]])
    assert.deepEqual(await found('_'), [texts[3]])
    assert.deepEqual(await found(String.raw`:\t`), [texts[3]])
    assert.deepEqual(await found('\0'), [])
    assert.equal((await found('note')).length, 4)
  },
)

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

// ---------------------------------------------------------------- large ones

const sizes = fc.array(fc.oneof(fc.nat(1000), fc.nat(BATCH_BYTES), fc.integer({ min: BATCH_BYTES, max: 9e6 })))

test('batches hold every place once, in both directions, and no more bytes than they may', () => {
  fc.assert(
    fc.property(sizes, fc.boolean(), (all, isDescending) => {
      const ascending = all.map((bytes, index) => ({ seq: index * 3 + 1, bytes }))
      const places = isDescending ? ascending.toReversed() : ascending
      const batches = [...batchesOf(places)].map(({ first, last }) =>
        places.filter(({ seq }) => seq >= first && seq <= last),
      )
      assert.deepEqual(batches.flat(), places)
      for (const batch of batches) {
        const bytes = batch.reduce((sum, place) => sum + place.bytes, 0)
        assert.ok(batch.length === 1 || bytes <= BATCH_BYTES)
      }
      // Nor are there more batches than that takes: two neighbours are too much for one.
      for (const [index, batch] of batches.slice(1).entries()) {
        const bytes = [...batches[index]!, batch[0]!].reduce((sum, place) => sum + place.bytes, 0)
        assert.ok(bytes > BATCH_BYTES)
      }
    }),
  )
})

const KIB = 1024

/** Answers of 1, 64, 128 and 300 KiB in turn, of two bytes a character. */
const largeRow = (n: number) => {
  const value = 'é'.repeat([KIB / 2, 32 * KIB, 64 * KIB, 150 * KIB][n % 4]!)
  return { fields: JSON.stringify([{ type: 'textarea', name: 'f', label: 'F', value }]), submitted_ms: SENT_MS + n }
}

onEach('the largest submissions are read a few at a time, and others have their turn in between', async (_t, world) => {
  const { node, propertyId } = world
  const scope = { propertyId, formId: await addForm(node.records, propertyId) }
  const numbers = Array.from({ length: 40 }, (_, n) => n)
  await addSubmissions(node.records, propertyId, scope.formId, numbers.map(largeRow))
  const numberOf = ({ submitted_ms }: { submitted_ms: number }) => submitted_ms - SENT_MS

  const batches = await Array.fromAsync(submissionBatches(node.records, scope, { show: 'all' }))
  assert.deepEqual(batches.flat().map(numberOf), numbers)
  for (const batch of batches) {
    const bytes = batch.reduce((sum, { fields }) => sum + Buffer.byteLength(JSON.stringify(fields)), 0)
    assert.ok(batch.length === 1 || bytes <= BATCH_BYTES, `${batch.length} with ${bytes} bytes`)
  }

  let turns = 0
  let isDone = false
  const takeTurn = (): void => {
    turns++
    if (!isDone) setImmediate(takeTurn)
  }
  takeTurn()
  const ask = { page: 1, perPage: 100 }
  const { rows } = await listSubmissionRows(node.records, scope, { show: 'all' }, ask).finally(() => (isDone = true))
  assert.deepEqual(rows.map(numberOf), numbers.toReversed())
  assert.ok(turns >= batches.length, `${turns} turns in ${batches.length} batches`)
})
