// Contacts as their owner sees them: looked up, listed, searched and edited. A deleted one is shown and no
// longer edited.
import type { Deps } from '../kernel/deps.ts'
import { readEmail } from '../kernel/email.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import type { Triggers } from '../kernel/triggers.ts'
import { isUniqueViolation, type Records, type Tx } from '../stores/records.ts'
import { findByAlias, listAliases } from './alias-records.ts'
import {
  type Contact,
  type ContactOrder,
  type ContactSort,
  type ContactState,
  MAX_LIFECYCLE_STAGE,
  type RankedSort,
  rankedSorts,
  type TextField,
  textFields,
  textLimits,
} from './contact-model.ts'
import { requireId } from '../identify/draft.ts'
import { type FoundContacts, listContactRows, listRankedRows } from './list-records.ts'
import { cleanMeta } from './meta.ts'
import { listRanked } from './ranking-facts.ts'
import { contactOf, type ContactRow, findContact, lockContact, lockExternalIds, updateContactRow } from './records.ts'
import { withActivity } from '../identify/seen.ts'
import type { ContactChangeJson } from './schema.ts'
import { type ContactListeners, listenersOf, notifyOfChange } from '../identify/triggers.ts'

export { countSession, findContact, lockContact } from './records.ts'
export { aliasBatches } from './alias-records.ts'
export { insertLabels } from './label-records.ts'
export type { ContactRow } from './records.ts'
export { labelBatches, noteBatches } from './label-records.ts'
export { consentBatches, consentJson, insertConsent as noteConsent, listConsents } from './consent-records.ts'
export { shownContact } from './contact-model.ts'
export { findContactNames } from './named.ts'

/** What it takes to look at contacts. */
export type ContactReadDeps = Pick<Deps, 'records' | 'facts' | 'log'>

export type ContactDeps = ContactReadDeps & Pick<Deps, 'now' | 'randomBytes'> & { readonly triggers: Triggers }

export interface ContactFilter {
  /** Words that must all be somewhere in the texts of the contact. */
  readonly search?: string | undefined
  readonly state?: ContactState | undefined
  readonly lifecycle_stage?: string | undefined
  /** Keys (labels.ts) of a list and a tag. */
  readonly list?: string | undefined
  readonly tag?: string | undefined
}

export const contactNotFound = (): Problem => new Problem('not_found', 'The contact is not in this property.')

/** Of an address. PostgreSQL takes no NUL in a text, not even to look for it. @throws Problem('not_found') */
export function contactIdOf({ contact }: { readonly contact: string }): string {
  if (contact.includes('\0')) throw contactNotFound()
  return contact
}

/** @throws Problem('not_found') for an unknown one and one of another property. */
export async function getContact(deps: ContactReadDeps, propertyId: string, id: string): Promise<Contact> {
  const contact = await findContact(deps.records, propertyId, id)
  if (!contact) throw contactNotFound()
  return seenOne(deps, propertyId, contact)
}

const isRanked = (sort: ContactSort): sort is RankedSort => rankedSorts.some((one) => one === sort)

async function listOrdered(
  { records, facts }: ContactReadDeps,
  list: { readonly propertyId: string; readonly filter: ContactFilter },
  query: PageQuery & { readonly order?: ContactOrder | undefined },
): Promise<FoundContacts> {
  const { order } = query
  if (!order) return listContactRows(records, list, query)
  const { sort, isDescending } = order
  if (!isRanked(sort)) return listContactRows(records, { ...list, order: { sort, isDescending } }, query)
  const ids = await listRanked(facts, list.propertyId, sort)
  return listRankedRows(records, { ...list, ids, isDescending }, query)
}

/** Without an order of its own: newest first. */
export async function listContacts(
  deps: ContactReadDeps,
  propertyId: string,
  filter: ContactFilter,
  query: PageQuery & { readonly order?: ContactOrder | undefined },
): Promise<Listed<Contact>> {
  const { rows, total } = await listOrdered(deps, { propertyId, filter }, query)
  return { rows: await withActivity(deps, propertyId, rows), total }
}

async function seenOne(deps: ContactReadDeps, propertyId: string, contact: Contact): Promise<Contact> {
  const [shown = contact] = await withActivity(deps, propertyId, [contact])
  return shown
}

function changedText(field: TextField, value: string | null): string | null {
  const text = value?.trim() ?? ''
  if (field === 'external_id') requireId(text)
  return cleanText(text, textLimits[field]).trim() || null
}

/** By what what is kept elsewhere is known to be theirs: what was merged into them counts. */
export async function readContactKeys(
  records: Records | Tx,
  propertyId: string,
  { id, email }: Pick<Contact, 'id' | 'email'>,
): Promise<{ readonly contact_ids: string[]; readonly email_keys: string[] }> {
  const aliases = await listAliases(records, propertyId, id)
  const of = (wanted: string) => aliases.flatMap(({ kind, alias }) => (kind === wanted ? alias : []))
  const own = readEmail(email ?? '')?.key
  const email_keys = [...(own === undefined ? [] : [own]), ...of('email')]
  return { contact_ids: [...new Set([id, ...of('id')])], email_keys: [...new Set(email_keys)] }
}

type RowChange = Partial<ContactRow>

/** The address with what goes by it: the claim is that of an address which no longer stands. */
function changedEmail(row: ContactRow, email: string | null): RowChange {
  if (email === null) return { email: null, email_key: null, email_by: null, claimed_email: null }
  const address = readEmail(email)
  if (!address) throw invalid('email', 'email is not an email address.')
  const claimed_email = row.claimed_email === address.key ? row.claimed_email : null
  return { email: address.text, email_key: address.key, email_by: 'token', claimed_email }
}

function changedStage(stage: string): string {
  const text = cleanText(stage, MAX_LIFECYCLE_STAGE).trim()
  if (text === '') throw invalid('lifecycle_stage', 'lifecycle_stage may not be empty.')
  return text
}

function rowChange(row: ContactRow, change: ContactChangeJson): RowChange {
  const given = textFields.filter((field) => change[field] !== undefined)
  const { email, ...texts } = Object.fromEntries(
    given.map((field) => [field, changedText(field, change[field] ?? null)]),
  ) as Partial<Record<TextField, string | null>>
  return {
    ...texts,
    ...(email !== undefined && changedEmail(row, email)),
    ...(change.lifecycle_stage !== undefined && { lifecycle_stage: changedStage(change.lifecycle_stage) }),
    ...(change.state !== undefined && { state: change.state }),
    ...(change.meta !== undefined && { meta: cleanMeta('meta', change.meta ?? []) }),
  }
}

/** @throws Problem('validation_failed') for one that leads to a contact by a merge. */
async function reserveExternalId(tx: Tx, propertyId: string, id: string | null): Promise<void> {
  await lockExternalIds(tx, propertyId)
  const written = id?.trim() ?? ''
  if (written === '') return
  requireId(written)
  if ((await findByAlias(tx, propertyId, 'external_id', written)) !== undefined)
    throw invalid('external_id', 'This external_id belonged to a contact that was merged into another.')
}

/** Held for the rest of the transaction. @throws Problem('not_found') */
export async function holdContact(tx: Tx, propertyId: string, id: string): Promise<ContactRow> {
  const row = await lockContact(tx, propertyId, id)
  if (!row) throw contactNotFound()
  return row
}

/** @param row held by the transaction. */
async function updateInside(
  deps: ContactDeps,
  tx: Tx,
  row: ContactRow,
  { change, listeners }: { change: ContactChangeJson; listeners: ContactListeners },
): Promise<Contact> {
  if (row.state === 'deleted') throw new Problem('gone', 'The contact was deleted and cannot be edited.')
  const after = contactOf(await updateContactRow(tx, row, rowChange(row, change)))
  const moment = { nowMs: deps.now(), session: undefined }
  await notifyOfChange(deps.triggers, tx, listeners, { before: contactOf(row), after, moment })
  return after
}

/**
 * @throws Problem: not_found; gone for a deleted one; validation_failed for what may not be stored and for an
 *   external id that another contact has.
 */
export async function updateContact(
  deps: ContactDeps,
  propertyId: string,
  id: string,
  change: ContactChangeJson,
): Promise<Contact> {
  const listeners = await listenersOf(deps.triggers, propertyId)
  const contact = await deps.records
    .transaction()
    .execute(async (tx) => {
      if (change.external_id !== undefined) await reserveExternalId(tx, propertyId, change.external_id)
      return updateInside(deps, tx, await holdContact(tx, propertyId, id), { change, listeners })
    })
    .catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
      throw invalid('external_id', 'Another contact of this property has this external_id.')
    })
  if (listeners.contact.length > 0) deps.triggers.wake()
  return seenOne(deps, propertyId, contact)
}
