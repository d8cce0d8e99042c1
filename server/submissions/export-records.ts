// All that was sent through a form, in batches that are small in rows and in bytes: whoever asks for the next one has never more than one
// in memory, and others have their turn in between.
import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Records } from '../stores/records.ts'
import { batchesOf, type SizedPlace } from './batches.ts'
import {
  answerBytes,
  conditionOf,
  type FormScope,
  ofForm,
  readRows,
  type Submission,
  type SubmissionFilter,
} from './list-records.ts'

/** Places that one statement measures, before the filter: some milliseconds. */
const MEASURED = 500

/** The next places of the list. Those that do not hold to the filter are not going to be read: they weigh nothing. */
async function placesAfter(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
  after: number,
): Promise<SizedPlace[]> {
  const { rows } =
    await sql<SizedPlace>`select seq, case when ${conditionOf(filter)} then ${answerBytes} else 0 end as bytes
    from submissions where ${ofForm(scope)} and seq > ${after} order by seq limit ${MEASURED}`.execute(records)
  return rows
}

/** Oldest first, read as they are asked for. */
export async function* submissionBatches(
  records: Records,
  scope: FormScope,
  filter: SubmissionFilter,
): AsyncGenerator<Submission[]> {
  for (let after = 0; ;) {
    const places = await placesAfter(records, scope, filter, after)
    for (const batch of batchesOf(places)) {
      const submissions = await readRows(records, scope, filter, batch, 'asc')
      if (submissions.length > 0) yield submissions
      await nextTurn()
    }
    const last = places.at(-1)
    if (!last) return
    after = last.seq
  }
}
