// All that was sent through a form, in batches that are small in rows and in bytes: whoever asks for the next
// one has never more than one in memory, and others have their turn in between.
import type { Records } from '../stores/records.ts'
import { batchesOf } from './batches.ts'
import { type FormScope, placesAfter, readRows, type Submission, type SubmissionFilter } from './list-records.ts'

/** Places that are measured at once. */
const MEASURED = 500

/** Oldest first, read as they are asked for. */
export async function* submissionBatches(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
): AsyncGenerator<Submission[]> {
  for (let after = 0; ;) {
    const places = await placesAfter(records, scope, filter, { after, limit: MEASURED })
    for (const batch of batchesOf(places)) yield await readRows(records, scope, filter, { ...batch, order: 'asc' })
    const last = places.at(-1)
    if (!last) return
    after = last.seq
  }
}
