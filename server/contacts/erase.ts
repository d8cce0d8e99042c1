// Erasing a person: the record stays with its times, its counts and the ids of its sessions, and nothing in
// it says who that was. What the person sent through forms goes in the same transaction; how, is handed in.
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Triggers } from '../kernel/triggers.ts'
import { randomText } from '../kernel/secrets.ts'
import { type Records, scrubDeleted, type Tx } from '../stores/records.ts'
import { forgetting } from '../stores/sqlite/search.ts'
import { type TextField, textFields } from './contact-model.ts'
import { eraseAliases } from './alias-records.ts'
import { holdContact, readContactKeys } from './contacts.ts'
import { eraseMemberships } from '../contact-lists/records.ts'
import { eraseMerges } from '../contact-merge/records.ts'
import { eraseConsents } from './consent-records.ts'
import { eraseNotesAndLabels } from './label-records.ts'
import { contactOf, type ContactRow, updateContactRow } from './records.ts'
import { listSessionKeys } from './session-records.ts'
import type { ReceiptJson } from './schema.ts'
import { type ContactListeners, listenersOf, notifyOfChange } from '../identify/triggers.ts'

/** By what other capabilities find what they know of a person. */
export interface PersonKeys {
  /** Theirs, and those of contacts that were merged into it. */
  readonly contact_ids: readonly string[]
  readonly email_keys: readonly string[]
  /** Days since 1970-01-01, and the session hash in decimal. */
  readonly sessions: readonly { readonly day: number; readonly session: string }[]
}

/** Removes what was sent through forms. @returns how much there was. */
export type ErasePerson = (tx: Tx, propertyId: string, person: PersonKeys) => Promise<number>

/**
 * What there may be very much of, a little at a time: before the transaction of ErasePerson, which finds
 * little left.
 */
export type ErasePersonAhead = (records: Records, propertyId: string, person: PersonKeys) => Promise<void>

export interface EraseDeps extends Pick<Deps, 'records' | 'now' | 'randomBytes'> {
  readonly triggers: Triggers
  readonly erasePerson: ErasePerson
  readonly erasePersonAhead: ErasePersonAhead
}

const RANDOM_LENGTH = 20

const noTexts = Object.fromEntries(textFields.map((field) => [field, null])) as Record<TextField, null>

/** Random, so that two deleted contacts never look like one person. */
function redaction(deps: Pick<Deps, 'randomBytes'>): Partial<ContactRow> {
  const email = `deleted_${randomText(deps.randomBytes, RANDOM_LENGTH)}@redacted.invalid`
  return { ...noTexts, email, email_key: null, email_by: null, claimed_email: null, meta: [], state: 'deleted' }
}

async function keysOf(tx: Tx, row: ContactRow): Promise<PersonKeys> {
  const sessions = await listSessionKeys(tx, row.property_id, row.id)
  // What stands in a deleted contact is nobody's email.
  const known = { id: row.id, email: row.email_key === null ? null : row.email }
  return { ...(await readContactKeys(tx, row.property_id, known)), sessions }
}

async function eraseAhead({ records, erasePersonAhead }: EraseDeps, propertyId: string, id: string): Promise<void> {
  const person = await records.transaction().execute(async (tx) => keysOf(tx, await holdContact(tx, propertyId, id)))
  await erasePersonAhead(records, propertyId, person)
}

interface Erased {
  /** As it was. */
  readonly row: ContactRow
  readonly submissions: number
}

/**
 * A deleted contact keeps its sessions, from which something may have been sent since.
 * @param row held by the transaction.
 */
async function redact(
  { records, erasePerson, triggers, now }: EraseDeps,
  tx: Tx,
  row: ContactRow,
  { change, listeners }: { change: Partial<ContactRow>; listeners: ContactListeners },
): Promise<Erased> {
  const person = await keysOf(tx, row)
  const submissions = await erasePerson(tx, row.property_id, person)
  await eraseMemberships(tx, row.property_id, person)
  await eraseConsents(tx, row.property_id, row.id)
  await eraseNotesAndLabels(tx, row.property_id, row.id)
  await eraseAliases(tx, row.property_id, row.id)
  await eraseMerges(tx, row.property_id, row.id)
  if (row.state === 'deleted') return { row, submissions }
  const after = await forgetting(records, tx, () => updateContactRow(tx, row, change))
  const moment = { nowMs: now(), session: undefined }
  await notifyOfChange(triggers, tx, listeners, { before: contactOf(row), after: contactOf(after), moment })
  return { row, submissions }
}

/**
 * In one transaction; a repeated call changes nothing. What the database keeps of overwritten rows is
 * scrubbed as well: at once, or as soon as no other process reads.
 * @throws Problem('not_found')
 */
export async function eraseContact(deps: EraseDeps, propertyId: string, id: string): Promise<ReceiptJson> {
  const change = redaction(deps)
  const listeners = await listenersOf(deps.triggers, propertyId)
  await eraseAhead(deps, propertyId, id)
  const { row, submissions } = await deps.records
    .transaction()
    .execute(async (tx) => redact(deps, tx, await holdContact(tx, propertyId, id), { change, listeners }))
  if (listeners.contact.length > 0) deps.triggers.wake()
  // Also when there was nothing to erase: the call before may have ended between the two.
  await scrubDeleted(deps.records)
  const was_deleted = row.state === 'deleted'
  return {
    contact_id: row.id,
    property_id: propertyId,
    erased_ts: currentTs(deps),
    was_deleted,
    fields: was_deleted ? [] : textFields.filter((field) => row[field] !== null),
    meta_entries: row.meta.length,
    sessions: row.session_count,
    submissions,
  }
}
