// What waits while its automation is switched off: put aside in steps, so that a hundred thousand of them hold up nobody, and taken up
// again in steps. Whatever is left over, by the end of the process or of a transaction, the worker puts right (worker.ts).
import type { Records, Tx } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'

/** Rows of one statement: some milliseconds. */
const ROWS_AT_ONCE = 200

/** The word of the automation is asked with each step: one that was switched on meanwhile ends the holding. */
const switched = (records: Records | Tx, automationId: string, isActive: 0 | 1) =>
  records.selectFrom('automations').select('id').where('id', '=', automationId).where('is_active', '=', isActive)

async function holdSome(records: Records | Tx, automationId: string): Promise<number> {
  const { numUpdatedRows } = await records
    .updateTable('deliveries')
    .set({ state: 'held' })
    .where('seq', 'in', (of) =>
      of
        .selectFrom('deliveries')
        .select('seq')
        .where('automation_id', '=', automationId)
        .where('state', '=', 'pending')
        // One that is under way ends as it ends; test sends and those asked for by hand go in any case.
        .where('claim', 'is', null)
        .where('finished_ms', 'is', null)
        .where('is_test', '=', 0)
        .limit(ROWS_AT_ONCE),
    )
    .where((of) => of.exists(switched(records, automationId, 0)))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

async function releaseSome(records: Records | Tx, automationId: string): Promise<number> {
  const { numUpdatedRows } = await records
    .updateTable('deliveries')
    .set({ state: 'pending' })
    .where('seq', 'in', (of) =>
      of
        .selectFrom('deliveries')
        .select('seq')
        .where('automation_id', '=', automationId)
        .where('state', '=', 'held')
        .orderBy('seq')
        .limit(ROWS_AT_ONCE),
    )
    .where((of) => of.exists(switched(records, automationId, 1)))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** A transaction keeps others from writing: it ends after so many steps, and the worker does the rest within seconds. */
const STEPS_IN_TRANSACTION = 5

async function inSomeSteps(records: Records | Tx, some: () => Promise<number>): Promise<void> {
  if (!records.isTransaction) return void (await inSteps(some))
  for (let step = 0; step < STEPS_IN_TRANSACTION; step++) if ((await some()) === 0) return
}

/** After its automation was switched off; nothing happens to one that is on. */
export async function holdDeliveries(records: Records | Tx, automationId: string): Promise<void> {
  await inSomeSteps(records, () => holdSome(records, automationId))
}

/** After it was switched on again: what was held goes when it would have gone, which is mostly at once. */
export async function releaseDeliveries(records: Records | Tx, automationId: string): Promise<void> {
  await inSomeSteps(records, () => releaseSome(records, automationId))
}

const withSome = (records: Records, isActive: 0 | 1, state: 'pending' | 'held') =>
  records
    .selectFrom('automations')
    .select('id')
    .where('is_active', '=', isActive)
    .where((of) =>
      of.exists(
        of
          .selectFrom('deliveries')
          .select('seq')
          .whereRef('deliveries.automation_id', '=', 'automations.id')
          .where('state', '=', state)
          .where('claim', 'is', null)
          .where('finished_ms', 'is', null)
          .where('is_test', '=', 0),
      ),
    )
    .execute()

/** What was left to do by the end of a transaction or of a process: deliveries held although their automation is on, or the reverse. */
export async function putRight(records: Records): Promise<void> {
  for (const { id } of await withSome(records, 1, 'held')) await releaseDeliveries(records, id)
  for (const { id } of await withSome(records, 0, 'pending')) await holdDeliveries(records, id)
}
