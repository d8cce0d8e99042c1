// What an automation is: its parts with their limits, and its words. No rule is carried out here.
import { triggers, type TriggerType } from '../kernel/trigger-table.ts'
import type { AutomationJson } from './schema.ts'

export const MAX_AUTOMATIONS = 200
export const MAX_NAME = 120
/** Endpoints that one automation calls. */
export const MAX_ACTIONS = 5
/** An event name, a path pattern, a form id or a contact transition. */
export const MAX_EVENT_VALUE = 255
export const MAX_URL = 2048

export { type Payload, payloads } from '../kernel/payloads.ts'

export type WebhookAction = AutomationJson['actions'][number]

/** What an automation goes by: its name, or else the label of its trigger. */
export const nameOf = ({ name, event_type }: Pick<Automation, 'name' | 'event_type'>): string =>
  name ?? triggers[event_type].label

export interface Automation {
  readonly id: string
  readonly property_id: string
  readonly name: string | null
  readonly event_type: TriggerType
  readonly event_value: string | null
  readonly conversion_id: string | null
  readonly actions: readonly WebhookAction[]
  readonly is_active: boolean
  readonly disabled_reason: string | null
  readonly disabled_ts: number | null
  readonly failures: number
  /** Unix seconds. */
  readonly created_ts: number
  readonly updated_ts: number
}
