// What automations wait for and conversions count: one declaration of each trigger, from which everything
// else derives. The texts of the dashboard and docs/api/automations.md name each one too; both are checked
// against this table.
import { NEVER_MS } from './days.ts'

/**
 * Lower goes first. From 2 on a delivery leaves the last slot of its lane to more urgent ones
 * (deliveries/slots.ts).
 */
export const priorities = [0, 1, 2, 3] as const
export type Priority = (typeof priorities)[number]

/**
 * What the value of a trigger names: a form by its id, an event by its name, pages by a pattern of their
 * path, or what becomes of a contact. Without a value an automation waits for all triggers of the type.
 */
export type ValueKind = 'form' | 'name' | 'path' | 'transition' | 'none'

interface Counted {
  readonly table: 'events' | 'views' | 'form_events'
  /** The condition on its rows. */
  readonly sql: string
  /** Its session is one that has events (`has_event` of session-columns.ts). */
  readonly hasEvent?: boolean
  /** An event without a value is not counted: tags of an order that brought no money. */
  readonly isOfMoney?: boolean
}

interface TriggerDefinition {
  /** Names an automation that has no name of its own. */
  readonly label: string
  readonly priority: Priority
  readonly value: ValueKind
  /** The facts that conversions count; null: the facts do not have it. */
  readonly counted: Counted | null
  /** What the example of a body shows where it differs from that of others. */
  readonly example: {
    readonly name?: string
    readonly value?: string
    readonly meta?: readonly { readonly key: string; readonly value: string }[]
    /** False: it happens on no page and in no session. */
    readonly isOfSession: boolean
  }
}

/** In the order of the documentation. */
export const triggers = {
  form_submit: {
    label: 'Form submission',
    priority: 0,
    value: 'form',
    counted: { table: 'form_events', sql: "kind = 'submit'", hasEvent: true },
    example: { isOfSession: true },
  },
  event: {
    label: 'Event',
    priority: 1,
    value: 'name',
    counted: { table: 'events', sql: "kind = 'event'", hasEvent: true },
    example: { name: 'signup', isOfSession: true },
  },
  page_view: {
    label: 'Page view',
    priority: 2,
    value: 'path',
    // Rows of pings have no path; they are known by their time, which is never.
    counted: { table: 'views', sql: `at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')` },
    example: { isOfSession: true },
  },
  acquisition: {
    label: 'Acquisition',
    priority: 1,
    value: 'none',
    counted: { table: 'events', sql: "kind = 'acquisition' AND amount IS NOT NULL", hasEvent: true, isOfMoney: true },
    example: { value: '4900', meta: [{ key: 'currency', value: 'USD' }], isOfSession: true },
  },
  identify: {
    label: 'Identification',
    priority: 1,
    value: 'none',
    counted: { table: 'events', sql: "kind = 'identify'" },
    example: { isOfSession: true },
  },
  contact: {
    label: 'Contact change',
    priority: 3,
    value: 'transition',
    counted: null,
    example: { name: 'created', isOfSession: false },
  },
} as const satisfies Readonly<Record<string, TriggerDefinition>>

type Triggers = typeof triggers
export type TriggerType = keyof Triggers

export const triggerTypes = Object.keys(triggers) as TriggerType[]

/** What conversions can count. */
export type CountedType = { [Type in TriggerType]: Triggers[Type]['counted'] extends null ? never : Type }[TriggerType]

export const isCounted = (type: TriggerType): type is CountedType => triggers[type].counted !== null

export const countedTypes = triggerTypes.filter(isCounted)

/** Without the literal types of the table. */
export const triggerOf = (type: TriggerType): TriggerDefinition => triggers[type]

export const countedBy = (type: CountedType): Counted => triggers[type].counted
