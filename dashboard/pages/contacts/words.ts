// What a contact is called, and other words about it.
import type { Contact, MetaValue } from '../../api/contacts.ts'
import { isolated, shownAddress } from '../../address.ts'
import { contacts as text } from '../../texts/index.ts'

type Named = Pick<Contact, 'state' | 'full_name' | 'email' | 'external_id'>

/** The best there is to call somebody by. */
export function nameOf({ state, full_name, email, external_id }: Named): string {
  if (state === 'deleted') return text.erasedName
  return full_name ?? email ?? external_id ?? text.nameless
}

const stages: Readonly<Record<string, string>> = text.stages

/** Stages of the owner's own are shown as they are written. */
export const stageName = (stage: string): string => (Object.hasOwn(stages, stage) ? (stages[stage] ?? stage) : stage)

export function valueWords(value: MetaValue): string {
  if (value === null) return text.one.none
  if (typeof value === 'boolean') return value ? text.one.yes : text.one.no
  return String(value)
}

/** Of an address, what is worth a line; the whole of what is no address. */
export function shortAddress(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return isolated(shownAddress(host + pathname))
  } catch {
    return isolated(shownAddress(url))
  }
}
