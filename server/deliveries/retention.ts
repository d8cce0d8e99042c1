// Deliveries that are over go after DELIVERY_DAYS, and the oldest of an automation that has very many: a few
// rows at a time, so that a clean-up never holds up a delivery. Secrets go that were replaced and whose time
// is over.
import { DAY_MS } from '../kernel/days.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { isForeignKeyViolation, type Records, scrubDeleted } from '../stores/records.ts'
import { inSteps, STEP_ROWS } from '../stores/steps.ts'
import { forgetOldSecrets } from '../automations/records.ts'

/** Finished deliveries of one automation: a busy day of page views must not fill the disk. */
export const MAX_FINISHED = 100_000

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
async function keepTold(records: Records, rows: readonly Some[]): Promise<void> {
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
  await keepTold(records, rows)
  const seqs = rows.map(({ seq }) => seq)
  const { numDeletedRows } = await records
    .deleteFrom('deliveries')
    .where('seq', 'in', seqs)
    .where('state', 'not in', unfinished)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function removeSomeOld(records: Records, beforeMs: number, most: number): Promise<number> {
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

async function removeOldest(records: Records, automationId: string, most: number): Promise<number> {
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

async function countFinished(records: Records, automationId: string): Promise<number> {
  const { count } = await records
    .selectFrom('deliveries')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('automation_id', '=', automationId)
    .where('state', 'in', finished)
    .executeTakeFirstOrThrow()
  return count
}

/** @returns whether anything went. */
async function removeSurplus(records: Records, automationId: string, most: number): Promise<boolean> {
  let surplus = (await countFinished(records, automationId)) - most
  const hasSurplus = surplus > 0
  while (surplus > 0) {
    const removed = await removeOldest(records, automationId, Math.min(surplus, STEP_ROWS))
    if (removed === 0) break // retried or removed meanwhile
    surplus -= removed
  }
  return hasSurplus
}

/** With the secrets that no delivery is signed with any more. @param most kept of each automation. */
export async function removeOldDeliveries(
  { records, config, now }: Pick<Deps, 'records' | 'config' | 'now'>,
  most = MAX_FINISHED,
): Promise<void> {
  const beforeMs = now() - config.deliveryDays * DAY_MS
  let hasRemoved = (await forgetOldSecrets(records, currentTs({ now }))) > 0
  if ((await inSteps((most) => removeSomeOld(records, beforeMs, most))) > 0) hasRemoved = true
  for (const { id } of await records.selectFrom('automations').select('id').execute())
    hasRemoved = (await removeSurplus(records, id, most)) || hasRemoved
  if (hasRemoved) await scrubDeleted(records)
}
