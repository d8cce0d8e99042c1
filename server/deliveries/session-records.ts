// Deliveries that tell of one session, for its story.
import type { SessionRef } from '../kernel/ids.ts'
import type { Records } from '../stores/records.ts'
import { triggerLabels } from '../automations/automation-model.ts'
import type { State } from './records.ts'
import type { TriggerType } from '../kernel/triggers.ts'

const MOST_DELIVERIES = 100

export interface SessionDelivery {
  readonly id: string
  readonly automationId: string
  /** Of the automation. */
  readonly name: string
  readonly url: string
  readonly state: State
  readonly atMs: number
}

/** In the order in which they were put down. */
export async function listSessionDeliveries(
  records: Records,
  propertyId: string,
  session: SessionRef,
): Promise<SessionDelivery[]> {
  const rows = await records
    .selectFrom('deliveries as delivery')
    .innerJoin('automations as automation', 'automation.id', 'delivery.automation_id')
    .select(['delivery.id', 'automation.name', 'delivery.event_type', 'delivery.url', 'delivery.state'])
    .select(['delivery.created_ms', 'delivery.automation_id'])
    .where('delivery.property_id', '=', propertyId)
    .where('delivery.session_day', '=', session.day)
    .where('delivery.session', '=', session.hash.toString())
    .where('delivery.is_test', '=', 0)
    .orderBy('delivery.seq')
    .limit(MOST_DELIVERIES)
    .execute()
  return rows.map(({ id, name, event_type, url, state, created_ms, automation_id }) => ({
    id,
    automationId: automation_id,
    name: name ?? triggerLabels[event_type as TriggerType],
    url,
    state,
    atMs: created_ms,
  }))
}
