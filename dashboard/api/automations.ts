// Automations and the log of what they sent.
import { get, type Page, post, remove } from '../api.ts'
import type { Payload } from '../../server/automations/automation.ts'
import type { TriggerType } from '../../server/kernel/triggers.ts'

export type { Payload, TriggerType }

export interface TriggerSpec {
  readonly event_type: TriggerType
  readonly event_value: string | null
}

export interface Action {
  readonly id?: string
  readonly type: 'webhook'
  readonly url: string
  readonly payload: Payload
}

export const states = ['pending', 'held', 'delivered', 'failed', 'skipped', 'erased'] as const
export type State = (typeof states)[number]

export interface Automation {
  readonly id: string
  readonly name: string | null
  /** Its name, or else that of its trigger. */
  readonly label: string
  readonly trigger: TriggerSpec
  readonly conversion_id: string | null
  readonly actions: readonly (Action & { readonly id: string })[]
  readonly is_active: boolean
  /** Why the service switched it off. */
  readonly disabled_reason: string | null
  readonly disabled_ts: number | null
  readonly failures: number
  readonly has_previous_secret_until: number | null
  readonly created_ts: number
  readonly updated_ts: number
}

export interface ListedAutomation extends Automation {
  readonly last_delivery: { readonly state: State; readonly created_ts: number } | null
}

/** What was saved all the same, by field. */
export type Warnings = Readonly<Record<string, readonly string[]>>

export interface AutomationChange {
  readonly name?: string | null
  readonly trigger?: TriggerSpec
  readonly conversion_id?: string | null
  readonly actions?: readonly Action[]
  readonly is_active?: boolean
}

export interface Delivery {
  readonly id: string
  readonly url: string
  readonly payload: string
  readonly trigger: { readonly event_type: string; readonly event_value: string | null }
  readonly session_id: string | null
  readonly contact_id: string | null
  readonly is_test: boolean
  readonly state: State
  readonly attempts: number
  readonly max_attempts: number
  /** Null: there was no answer. */
  readonly last_status: number | null
  readonly last_error: string | null
  readonly next_attempt_ts: number | null
  readonly created_ts: number
  readonly finished_ts: number | null
}

export interface Attempt {
  readonly number: number
  readonly is_manual: boolean
  readonly started_ts: number
  readonly duration_ms: number
  readonly status: number | null
  /** Null: it arrived. */
  readonly error: string | null
  readonly request_headers: Readonly<Record<string, string>>
  readonly response_headers: Readonly<Record<string, string>>
  readonly response_body: string
}

export interface WholeDelivery extends Delivery {
  readonly body: string | null
  readonly body_sha256: string | null
  readonly attempts_made: readonly Attempt[]
}

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/automations${rest}`
const automationPath = (property: string, id: string, rest = ''): string =>
  pathOf(property, `/${encodeURIComponent(id)}${rest}`)
const deliveryPath = (property: string, automation: string, id: string, rest = ''): string =>
  automationPath(property, automation, `/deliveries/${encodeURIComponent(id)}${rest}`)

export const listAutomations = (property: string, page: number, perPage: number, signal?: AbortSignal) =>
  get<Page<ListedAutomation>>(pathOf(property), { query: { page, per_page: perPage }, signal })
export const readAutomation = (property: string, id: string, signal?: AbortSignal) =>
  get<{ automation: Automation }>(automationPath(property, id), { signal })
export const createAutomation = (property: string, asked: AutomationChange) =>
  post<{ automation: Automation; signing_secret: string; warnings?: Warnings }>(pathOf(property), asked)
export const changeAutomation = (property: string, id: string, asked: AutomationChange) =>
  post<{ automation: Automation; warnings?: Warnings }>(automationPath(property, id), asked)
export const deleteAutomation = (property: string, id: string) => remove(automationPath(property, id))
export const enableAutomation = (property: string, id: string) =>
  post<{ automation: Automation }>(automationPath(property, id, '/enable'))
export const rotateSecret = (property: string, id: string, overlapHours: number) =>
  post<{ automation: Automation; signing_secret: string }>(automationPath(property, id, '/secret'), {
    overlap_hours: overlapHours,
  })
export const testAutomation = (property: string, id: string) =>
  post<{ deliveries: readonly string[] }>(automationPath(property, id, '/test'))

export const listDeliveries = (
  property: string,
  automation: string,
  ask: { state: State | null; page: number; per_page: number },
  signal?: AbortSignal,
) =>
  get<Page<Delivery> & { readonly is_sending: boolean }>(automationPath(property, automation, '/deliveries'), {
    query: { ...ask },
    signal,
  })
export const readDelivery = (property: string, automation: string, id: string, signal?: AbortSignal) =>
  get<{ delivery: WholeDelivery; is_sending: boolean }>(deliveryPath(property, automation, id), { signal })
export const retryDelivery = (property: string, automation: string, id: string) =>
  post<{ delivery: WholeDelivery }>(deliveryPath(property, automation, id, '/retry'))
