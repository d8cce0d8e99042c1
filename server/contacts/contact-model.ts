// What a contact is: its fields with their limits, and how it is shown (docs/api/contacts.md).

import { type TextField, textFields, textLimits, traitFields } from '../kernel/contact-fields.ts'

export { type TextField, textFields, textLimits, traitFields }

export const MAX_LIFECYCLE_STAGE = 64
export const DEFAULT_LIFECYCLE_STAGE = 'user'
export const MAX_META_KEY = 120
/** Limits without a model elsewhere: a field of a form, and more fields than a form has. */
export const MAX_META_VALUE = 2048
export const MAX_META_ENTRIES = 50
export const MAX_SEARCH = 255
/** Of one part of a file. One transaction that others wait for: about a second. */
export const MAX_PART_ROWS = 5_000

export type MetaValue = string | number | boolean | null

export interface MetaEntry {
  readonly key: string
  readonly value: MetaValue
}

export const states = ['active', 'unsubscribed', 'deleted'] as const

export type ContactState = (typeof states)[number]

/**
 * By what the list can be ordered. `name`: what somebody is called by; `last_seen`: the last identification.
 */
export const storedSorts = ['last_seen', 'first_seen', 'name', 'sessions'] as const

/** Those that the facts alone know: what came of them. */
export const rankedSorts = ['value', 'orders'] as const

export const sorts = [...storedSorts, ...rankedSorts] as const

export type RankedSort = (typeof rankedSorts)[number]

export type ContactSort = (typeof sorts)[number]

/** One that the records have an index of. */
export interface StoredOrder {
  readonly sort: (typeof storedSorts)[number]
  readonly isDescending: boolean
}

export interface ContactOrder {
  readonly sort: ContactSort
  readonly isDescending: boolean
}

/** Times are unix seconds but for `last_seen_ms`. */
export interface Contact extends Readonly<Record<TextField, string | null>> {
  readonly id: string
  readonly lifecycle_stage: string
  readonly state: ContactState
  readonly meta: readonly MetaEntry[]
  readonly first_seen_ts: number
  readonly identified_ts: number
  readonly last_seen_ms: number
  readonly session_count: number
}

const shownStates: Readonly<Record<ContactState, { label: string; color: string }>> = {
  active: { label: 'Active', color: 'success' },
  unsubscribed: { label: 'Unsubscribed', color: 'warning' },
  deleted: { label: 'Deleted', color: 'danger' },
}

function fullName({ first_name, last_name }: Contact): string | null {
  return [first_name, last_name].filter((name) => name !== null).join(' ') || null
}

const textsOf = (contact: Contact) =>
  Object.fromEntries(textFields.map((field) => [field, contact[field]])) as Record<TextField, string | null>

/** As docs/api/contacts.md shows it. */
export function shownContact(contact: Contact) {
  const { id, lifecycle_stage, state, meta, first_seen_ts, identified_ts, last_seen_ms, session_count } = contact
  const { external_id, email, first_name, last_name, ...others } = textsOf(contact)
  return {
    id,
    external_id,
    email,
    first_name,
    last_name,
    full_name: fullName(contact),
    ...others,
    lifecycle_stage,
    state,
    state_label: shownStates[state].label,
    state_color: shownStates[state].color,
    meta,
    first_seen_ts,
    identified_ts,
    last_seen_ts: Math.floor(last_seen_ms / 1000),
    session_count,
  }
}
