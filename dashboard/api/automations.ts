// Automations and the log of what they sent.
import { get, type OrderAsk, type Page, post, remove } from '../api.ts'
import type { Payload } from '../../server/automations/automation-model.ts'
import type { State } from '../../server/deliveries/delivery-model.ts'
import type {
  AttemptJson as Attempt,
  DeliveryJson as Delivery,
  WholeDeliveryJson as WholeDelivery,
} from '../../server/deliveries/schema.ts'
import type {
  AutomationChangeJson as AutomationChange,
  AutomationJson as Automation,
  ListedAutomationJson as ListedAutomation,
  WarningsJson as Warnings,
} from '../../server/automations/schema.ts'
import type { TriggerType } from '../../server/kernel/trigger-table.ts'

export type {
  Attempt,
  Automation,
  AutomationChange,
  Delivery,
  ListedAutomation,
  Payload,
  State,
  TriggerType,
  Warnings,
  WholeDelivery,
}
export type TriggerSpec = Automation['trigger']
type KnownAction = Automation['actions'][number]
/** Without an id while it is not saved. */
export type Action = Omit<KnownAction, 'id'> & Partial<Pick<KnownAction, 'id'>>
export const states = [
  'pending',
  'held',
  'delivered',
  'failed',
  'skipped',
  'erased',
] as const satisfies readonly State[]

const pathOf = (property: string, rest = ''): string =>
  `/manage/properties/${encodeURIComponent(property)}/automations${rest}`
const automationPath = (property: string, id: string, rest = ''): string =>
  pathOf(property, `/${encodeURIComponent(id)}${rest}`)
const deliveryPath = (property: string, automation: string, id: string, rest = ''): string =>
  automationPath(property, automation, `/deliveries/${encodeURIComponent(id)}${rest}`)

export interface AutomationsAsk extends OrderAsk {
  readonly page: number
  readonly per_page: number
}

export const listAutomations = (property: string, ask: AutomationsAsk, signal?: AbortSignal) =>
  get<Page<ListedAutomation>>(pathOf(property), { query: { ...ask }, signal })
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
