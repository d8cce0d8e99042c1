// All automations of a property with their conversions and deliveries, removed with it: a few rows at a time,
// so that nobody else waits.
import type { Records } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'

/**
 * The automations go first: nothing fires any more. What another node enqueues in the same moment goes with
 * the property itself.
 */
export async function removeAutomations(records: Records, propertyId: string): Promise<void> {
  await records.deleteFrom('automations').where('property_id', '=', propertyId).execute()
  await records.deleteFrom('conversions').where('property_id', '=', propertyId).execute()
  const deliveries = records.selectFrom('deliveries').select('seq').where('property_id', '=', propertyId)
  await inSteps((most) => changedBy(records.deleteFrom('deliveries').where('seq', 'in', deliveries.limit(most))))
}
