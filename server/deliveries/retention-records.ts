// The statements of retention.ts: which deliveries are over, and their removal. What was told of a submission
// is kept.
import { isForeignKeyViolation, type Records } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'

const finished = ['delivered', 'failed', 'skipped', 'erased'] as const

interface Some {
  readonly seq: number
  readonly automation_id: string
  readonly submission_id: string | null
  readonly event_type: string
  readonly event_id: string | null
}

const columns = ['seq', 'automation_id', 'submission_id', 'event_type', 'event_id'] as const
const unfinished = ['pending', 'held'] as const

/**
 * Of rows that are about to go: a submission that had been dropped may be marked again at any time, and
 * nobody is told of it twice. Those that were told of when they were sent never are, and their deliveries
 * have no id of the event.
 */
async function keepNotified(records: Records, rows: readonly Some[]): Promise<void> {
  for (const { submission_id, automation_id, event_type: type, event_id: eventId } of rows) {
    if (type !== 'form_submit' || submission_id === null || eventId === null) continue
    await records
      .insertInto('told_submissions')
      .values({ submission_id, automation_id })
      .onConflict((of) => of.doNothing())
      .execute()
      .catch((error: unknown) => {
        // The submission or the automation is gone itself: nothing can be told any more.
        if (!isForeignKeyViolation(error)) throw error
      })
  }
}

/** @returns how many went: one that is tried again meanwhile stays. */
async function removeRows(records: Records, rows: readonly Some[]): Promise<number> {
  if (rows.length === 0) return 0
  await keepNotified(records, rows)
  const seqs = rows.map(({ seq }) => seq)
  return changedBy(records.deleteFrom('deliveries').where('seq', 'in', seqs).where('state', 'not in', unfinished))
}

/** @returns how many went of those that were over before the moment. */
export async function removeSomeOld(records: Records, beforeMs: number, most: number): Promise<number> {
  const rows = await records
    .selectFrom('deliveries')
    .select(columns)
    .where('finished_ms', '<', beforeMs)
    // Not `in`: the way is through the index by age, whatever the states.
    .where('state', 'not in', unfinished)
    .orderBy('finished_ms')
    .limit(most)
    .execute()
  return removeRows(records, rows)
}

/** @returns how many went of those of the automation that are over, the oldest first. */
export async function removeOldest(records: Records, automationId: string, most: number): Promise<number> {
  const rows = await records
    .selectFrom('deliveries')
    .select(columns)
    .where('automation_id', '=', automationId)
    .where('state', 'not in', unfinished)
    .orderBy('seq')
    .limit(most)
    .execute()
  return removeRows(records, rows)
}

export async function countFinished(records: Records, automationId: string): Promise<number> {
  const { count } = await records
    .selectFrom('deliveries')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('automation_id', '=', automationId)
    .where('state', 'in', finished)
    .executeTakeFirstOrThrow()
  return count
}

export async function listAutomationIds(records: Records): Promise<string[]> {
  const rows = await records.selectFrom('automations').select('id').execute()
  return rows.map(({ id }) => id)
}
