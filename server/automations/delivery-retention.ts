// Deliveries that are over go after DELIVERY_DAYS, and the oldest of an automation that has very many: a few rows at a time, so that a
// clean-up never holds up a delivery. Secrets go that were replaced and whose time is over.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { type Records, scrubDeleted } from '../stores/records.ts'
import { forgetOldSecrets } from './records.ts'

/** Finished deliveries of one automation: a busy day of page views must not fill the disk. */
export const MAX_FINISHED = 100_000
/** Rows of one statement, with their attempts: some milliseconds. */
const ROWS_AT_ONCE = 100

const finished = ['delivered', 'failed', 'skipped', 'erased'] as const

async function removeSomeOld(records: Records, beforeMs: number): Promise<number> {
  const { numDeletedRows } = await records
    .deleteFrom('deliveries')
    .where('seq', 'in', (of) =>
      of
        .selectFrom('deliveries')
        .select('seq')
        .where('finished_ms', '<', beforeMs)
        // Not `in`: the way is through the index by age, whatever the states.
        .where('state', 'not in', ['pending', 'held'])
        .orderBy('finished_ms')
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function removeOldest(records: Records, automationId: string, rows: number): Promise<number> {
  const { numDeletedRows } = await records
    .deleteFrom('deliveries')
    .where('seq', 'in', (of) =>
      of
        .selectFrom('deliveries')
        .select('seq')
        .where('automation_id', '=', automationId)
        .where('state', 'not in', ['pending', 'held'])
        .orderBy('seq')
        .limit(rows),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
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
    const removed = await removeOldest(records, automationId, Math.min(surplus, ROWS_AT_ONCE))
    if (removed === 0) break // retried or removed meanwhile
    surplus -= removed
    await nextTurn()
  }
  return hasSurplus
}

/** With the secrets that no delivery is signed with any more. @param most kept of each automation. */
export async function removeOldDeliveries(
  { records, config, now }: Pick<Deps, 'records' | 'config' | 'now'>,
  most = MAX_FINISHED,
): Promise<void> {
  const beforeMs = now() - config.deliveryDays * DAY_MS
  let hasRemoved = (await forgetOldSecrets(records, Math.floor(now() / 1000))) > 0
  while ((await removeSomeOld(records, beforeMs)) > 0) {
    hasRemoved = true
    await nextTurn()
  }
  for (const { id } of await records.selectFrom('automations').select('id').execute()) {
    hasRemoved = (await removeSurplus(records, id, most)) || hasRemoved
    await nextTurn()
  }
  if (hasRemoved) await scrubDeleted(records)
}
