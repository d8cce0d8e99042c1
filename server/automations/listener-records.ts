// The automations that wait for something, by property.
import type { Listener } from '../kernel/triggers.ts'
import type { TriggerType } from '../kernel/trigger-table.ts'
import type { Records } from '../stores/records.ts'
import type { Automation, WebhookAction } from './automation-model.ts'

/** What enqueuing needs of an automation. */
export const listenerOf = (automation: Automation): Listener => ({
  automationId: automation.id,
  propertyId: automation.property_id,
  eventType: automation.event_type,
  eventValue: automation.event_value,
  conversionId: automation.conversion_id,
  actions: automation.actions.map(({ id, url, payload }) => ({ id, url, payload })),
})

/** Each of the properties has an entry, most of them an empty list. */
export async function selectListeners(
  records: Records,
  propertyIds: readonly string[],
): Promise<Map<string, Listener[]>> {
  const rows = await records
    .selectFrom('automations')
    .select(['id', 'property_id', 'event_type', 'event_value', 'conversion_id', 'actions'])
    .where('property_id', 'in', propertyIds)
    .where('is_active', '=', 1)
    .orderBy('seq')
    .execute()
  const found = new Map<string, Listener[]>(propertyIds.map((id) => [id, []]))
  for (const row of rows) {
    found.get(row.property_id)?.push({
      automationId: row.id,
      propertyId: row.property_id,
      eventType: row.event_type as TriggerType,
      eventValue: row.event_value,
      conversionId: row.conversion_id,
      actions: (JSON.parse(row.actions) as WebhookAction[]).map(({ id, url, payload }) => ({ id, url, payload })),
    })
  }
  return found
}
