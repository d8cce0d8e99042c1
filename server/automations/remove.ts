// All automations of a property with their conversions and deliveries, removed with it: a few rows at a time, so that nobody else waits.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Records } from '../stores/records.ts'

/** Rows of one statement, with their attempts: some milliseconds. */
const ROWS_AT_ONCE = 100

async function removeSomeDeliveries(records: Records, propertyId: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('deliveries')
    .where('seq', 'in', (of) =>
      of.selectFrom('deliveries').select('seq').where('property_id', '=', propertyId).limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** The automations go first: nothing fires any more. What another node puts down in the same moment goes with the property itself. */
export async function removeAutomations(records: Records, propertyId: string): Promise<void> {
  await records.deleteFrom('automations').where('property_id', '=', propertyId).execute()
  await records.deleteFrom('conversions').where('property_id', '=', propertyId).execute()
  while (await removeSomeDeliveries(records, propertyId)) await nextTurn()
}
