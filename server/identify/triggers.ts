// Contacts as automations see them: what became of one in a call. Deliveries name the changed fields, never
// their values.
import type { SessionRef } from '../kernel/ids.ts'
import type { Listener, Trigger, TriggerEvent, Triggers } from '../kernel/triggers.ts'
import type { Tx } from '../stores/records.ts'
import { type Contact, DEFAULT_LIFECYCLE_STAGE, textFields } from '../contacts/contact-model.ts'

/** What is known of an event of a contact. */
export interface Moment {
  readonly nowMs: number
  /** The visitor's session, when it belongs to the contact. */
  readonly session: SessionRef | undefined
}

const nowhere = { page_path: null, page_url: null, form_id: null, form_submit_id: null }

function triggerOf(
  contact: Contact,
  { nowMs, session }: Moment,
  event: Pick<TriggerEvent, 'type' | 'name' | 'value' | 'meta'>,
  subjects: readonly string[],
): Trigger {
  const meta = [{ key: 'contact_id', value: contact.id }, ...event.meta]
  const id = `${contact.id}-${nowMs}-${event.type}`
  const whole = { ...event, meta, ...nowhere, created_ts: Math.floor(nowMs / 1000), id }
  return { event: whole, subjects, session, contactId: contact.id }
}

export function identifyTrigger(contact: Contact, moment: Moment): Trigger {
  return triggerOf(contact, moment, { type: 'identify', name: null, value: null, meta: [] }, [])
}

function changedFields(before: Contact, after: Contact): string[] {
  const plain = [...textFields, 'lifecycle_stage', 'state'] as const
  const changed: string[] = plain.filter((field) => before[field] !== after[field])
  return JSON.stringify(before.meta) === JSON.stringify(after.meta) ? changed : [...changed, 'meta']
}

interface Transition {
  readonly name: string
  readonly value: string | null
}

/** The special ones first: the first gives the event its name. */
function specialTransitions(before: Contact, after: Contact): Transition[] {
  const found: Transition[] = []
  if (before.state !== after.state) {
    const name = { active: 'resubscribed', unsubscribed: 'unsubscribed', deleted: 'deleted' }[after.state]
    found.push({ name, value: after.state })
  }
  if (before.lifecycle_stage !== after.lifecycle_stage)
    found.push({ name: 'lifecycle_stage', value: after.lifecycle_stage })
  return found
}

const subjectsOf = (transitions: readonly Transition[]): string[] =>
  transitions.flatMap(({ name, value }) => (name === 'lifecycle_stage' ? [name, `${name}:${value}`] : [name]))

function createdTrigger(contact: Contact, moment: Moment): Trigger {
  const stage = { name: 'lifecycle_stage', value: contact.lifecycle_stage }
  const isUsual = contact.lifecycle_stage === DEFAULT_LIFECYCLE_STAGE
  const event = { type: 'contact', name: 'created', value: null, meta: [] } as const
  return triggerOf(contact, moment, event, ['created', ...(isUsual ? [] : subjectsOf([stage]))])
}

/** Undefined when the call has changed nothing. @param before undefined for one that is new. */
export function contactTrigger(before: Contact | undefined, after: Contact, moment: Moment): Trigger | undefined {
  if (!before) return createdTrigger(after, moment)
  const fields = changedFields(before, after)
  if (fields.length === 0) return undefined
  const transitions = specialTransitions(before, after)
  const { name, value } = transitions[0] ?? { name: 'updated', value: null }
  const meta = [{ key: 'changed', value: fields.join(',') }]
  const subjects = [...subjectsOf(transitions), ...(name === 'deleted' ? [] : ['updated'])]
  const trigger = triggerOf(after, moment, { type: 'contact', name, value, meta }, subjects)
  // The deletion itself is about nobody any more: a repeated erasure must not erase its delivery.
  return name === 'deleted' ? { ...trigger, contactId: undefined } : trigger
}

/** The automations that wait for changes of contacts, read before the transaction. */
export interface ContactListeners {
  readonly identify: readonly Listener[]
  readonly contact: readonly Listener[]
}

/** Whether anybody waits for either. */
export const isHeard = ({ identify, contact }: ContactListeners): boolean => identify.length + contact.length > 0

export async function listenersOf(triggers: Triggers, propertyId: string): Promise<ContactListeners> {
  return {
    identify: await triggers.listeners(propertyId, 'identify'),
    contact: await triggers.listeners(propertyId, 'contact'),
  }
}

/** What became of a contact, and when. */
export interface ContactChange {
  /** Undefined for one that is new. */
  readonly before: Contact | undefined
  readonly after: Contact
  readonly moment: Moment
}

/** Inside the transaction that changed the contact. */
export async function notifyOfChange(
  triggers: Triggers,
  tx: Tx,
  listeners: ContactListeners,
  { before, after, moment }: ContactChange,
): Promise<void> {
  if (listeners.contact.length === 0) return
  const trigger = contactTrigger(before, after, moment)
  if (trigger) await triggers.enqueue(tx, listeners.contact, trigger)
}
