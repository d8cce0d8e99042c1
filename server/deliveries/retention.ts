// Deliveries that are over go after DELIVERY_DAYS, and the oldest of an automation that has very many: a few
// rows at a time, so that a clean-up never holds up a delivery. Secrets go that were replaced and whose time
// is over.
import { DAY_MS } from '../kernel/days.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { type Records, scrubDeleted } from '../stores/records.ts'
import { inSteps, STEP_ROWS } from '../stores/steps.ts'
import { forgetOldSecrets } from '../automations/records.ts'
import { countFinished, listAutomationIds, removeOldest, removeSomeOld } from './retention-records.ts'

/** Finished deliveries of one automation: a busy day of page views must not fill the disk. */
export const MAX_FINISHED = 100_000

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
  for (const id of await listAutomationIds(records)) hasRemoved = (await removeSurplus(records, id, most)) || hasRemoved
  if (hasRemoved) await scrubDeleted(records)
}
