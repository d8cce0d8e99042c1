// Who a visitor is: finds or makes the contact of an identification, merges what it says, and links the
// session to it. Constraints decide between calls at the same moment: the one that comes second looks again
// and finds what the first one made.
import type { SessionRef } from '../kernel/ids.ts'
import { Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { sessionKey, type SessionKey } from '../sessions/sessions.ts'
import { orNotFound } from '../stores/gone.ts'
import { sharingCommit, type Tx } from '../stores/records.ts'
import { listByAliasOf } from '../contacts/alias-records.ts'
import type { Contact } from '../contacts/contact-model.ts'
import type { ContactDeps } from '../contacts/contacts.ts'
import { checkIdentification, type Identification, type IdentificationDraft, type IdentifiedBy } from './draft.ts'
import { dayStartMs, readEntryMs } from './facts.ts'
import { findLink, findLinkTogether, insertLink, noteLink, type SessionLink } from './contact-sessions.ts'
import { findMatch, matchOf, readMatchActivity } from './matching.ts'
import { type Found, findNamed, storeWithOthers } from './moment.ts'
import type { NewSession } from './moment-records.ts'
import {
  contactOf,
  type ContactRow,
  countSession,
  findContact,
  insertContact,
  touchContact,
  updateContactRow,
} from '../contacts/records.ts'
import { mergeChange, newRow, type Origin } from './rows.ts'
import { noActivity } from './seen.ts'
import { type ContactListeners, identifyTrigger, isHeard, listenersOf, notifyOfChange } from './triggers.ts'

export {
  checkIdentification,
  type Identification,
  type IdentificationDraft,
  type IdentifiedBy,
  type Traits,
} from './draft.ts'
export { findLink, insertLink, listSessionsOf, markNoted } from './contact-sessions.ts'
export { identifyRow } from './facts.ts'

/** `ct_…` */
export const newContactId = (deps: Pick<ContactDeps, 'randomBytes'>): string => newId(deps, 'ct')

/** An email that leads to the contact since a merge is no new one: it would replace the one that stands. */
async function withoutAlias(tx: Tx, row: ContactRow, draft: IdentificationDraft): Promise<IdentificationDraft> {
  if (draft.email === null || draft.email.key === row.email_key) return draft
  const known = await listByAliasOf(tx, row.property_id, 'email', draft.email.key)
  return known.includes(row.id) ? { ...draft, email: null } : draft
}

export interface Upserted {
  readonly contact: Contact
  /** As it was; undefined when it is new. */
  readonly before: Contact | undefined
}

/**
 * Finds the contact of a checked identification and merges into it, or makes it; for identify and the import.
 * @returns undefined when another call came in between: call again in a new transaction.
 * @throws Problem('validation_failed') when a token would give the contact too many meta entries.
 */
export async function upsertContact(
  tx: Tx,
  propertyId: string,
  draft: IdentificationDraft,
  origin: Origin,
): Promise<Upserted | undefined> {
  const { by, nowMs, activity = noActivity } = origin
  const match = matchOf(draft)
  const id = await findMatch(tx, propertyId, match, { by, activity })
  if (id === undefined) {
    const row = newRow(propertyId, draft, origin)
    return (await insertContact(tx, row)) ? { contact: contactOf(row), before: undefined } : undefined
  }
  const row = await touchContact(tx, propertyId, id, { by: match, atMs: nowMs })
  if (!row) return undefined
  const said = await withoutAlias(tx, row, draft)
  const contact = contactOf(await updateContactRow(tx, row, mergeChange(row, said, by)))
  return { contact, before: contactOf(row) }
}

/** Links a session that has no contact yet. Undefined when another call came first. */
async function linkEntry(
  tx: Tx,
  propertyId: string,
  contact: Contact,
  entry: NewSession,
): Promise<Contact | undefined> {
  const { key, entryTs } = entry
  const isNew = await insertLink(tx, { property_id: propertyId, key, contact_id: contact.id, entry_ts: entryTs })
  return isNew ? { ...contact, ...(await countSession(tx, contact, entryTs)) } : undefined
}

/**
 * Read before the transaction, inside which the facts cannot be asked. A session whose page views are gone
 * began on its day.
 */
async function readEntry(deps: ContactDeps, propertyId: string, key: SessionKey): Promise<NewSession> {
  const entryMs = await readEntryMs(deps.facts, propertyId, key)
  return { key, entryTs: Math.floor((entryMs ?? dayStartMs(key)) / 1000) }
}

/**
 * Calls for one new contact at the same moment: each round settles at least one of them, and all but the
 * first find it at once.
 */
const MAX_TRIES = 5

/** What is stored of a call in the records: all of it or nothing. */
interface Work {
  readonly draft: IdentificationDraft
  readonly by: IdentifiedBy
  readonly session: SessionRef | undefined
  /** The contact that the session has already. */
  readonly known: SessionLink | undefined
  /** Undefined without a session, and for one that has its contact already. */
  readonly entry: NewSession | undefined
  readonly found: Found | undefined
}

interface StoredWork {
  readonly contact: Contact
  /** Whether the session got its contact by this call. */
  readonly isNewlyLinked: boolean
}

/** With what was read before the transaction. */
interface ReadyWork extends Work {
  readonly origin: Origin
  readonly listeners: ContactListeners
}

/** One try, in one transaction with all that follows from it. Undefined: call again. */
async function storeOnce(
  { triggers }: ContactDeps,
  tx: Tx,
  propertyId: string,
  { draft, session, known, entry, origin, listeners }: ReadyWork,
): Promise<StoredWork | undefined> {
  const upserted = await upsertContact(tx, propertyId, draft, origin)
  if (!upserted) return undefined
  const { before, contact } = upserted
  const linked = entry && (await linkEntry(tx, propertyId, contact, entry))
  const isTheirs = linked !== undefined || known?.contact_id === contact.id
  const moment = { nowMs: origin.nowMs, session: isTheirs ? session : undefined }
  const isIdentified = session ? linked !== undefined : before === undefined
  if (isIdentified) await triggers.enqueue(tx, listeners.identify, identifyTrigger(contact, moment))
  await notifyOfChange(triggers, tx, listeners, { before, after: contact, moment })
  return { contact: linked ?? contact, isNewlyLinked: linked !== undefined }
}

/** With the others of its moment, when nothing is to be decided and nobody is to be told of it. */
async function storeTogether(deps: ContactDeps, propertyId: string, work: Work): Promise<StoredWork | undefined> {
  const { draft, by, entry, found } = work
  if (!found) return undefined
  const { row } = found
  if (row && Object.keys(mergeChange(row, draft, by)).length > 0) return undefined
  const isNews = !row || entry !== undefined
  if (isNews && isHeard(await listenersOf(deps.triggers, propertyId))) return undefined
  const origin = { by, nowMs: deps.now(), id: newContactId(deps) }
  const sighted = { row: row ?? newRow(propertyId, draft, origin), isNew: !row, session: entry, atMs: origin.nowMs }
  const stored = await storeWithOthers(deps.records, sighted)
  return stored && { contact: contactOf({ ...sighted.row, ...stored }), isNewlyLinked: entry !== undefined }
}

async function storePatiently(deps: ContactDeps, propertyId: string, work: Work): Promise<StoredWork> {
  const { by } = work
  const activity = await readMatchActivity(deps, propertyId, work.draft, by)
  const origin = { by, nowMs: deps.now(), id: newContactId(deps), activity }
  const listeners = await listenersOf(deps.triggers, propertyId)
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const stored = await sharingCommit(deps.records, (tx) =>
      storeOnce(deps, tx, propertyId, { ...work, origin, listeners }),
    )
    if (!stored) continue
    if (isHeard(listeners)) deps.triggers.wake()
    return stored
  }
  throw new Problem('unavailable', 'Too many changes to this contact at once.', { retryAfterSeconds: 1 })
}

/** @throws Problem('not_found') when the property was removed while the call was under way. */
const store = async (deps: ContactDeps, propertyId: string, work: Work): Promise<StoredWork> =>
  (await storeTogether(deps, propertyId, work)) ??
  (await orNotFound(storePatiently(deps, propertyId, work), propertyNotFound))

/** What somebody says about who a visitor is. */
export interface IdentifyCall {
  readonly by: IdentifiedBy
  readonly identification: Identification
  /** Undefined: of no visit. */
  readonly session?: SessionRef | undefined
}

export interface Identified {
  readonly contact: Contact
  /** Whether the session belongs to this contact now. */
  readonly isLinked: boolean
  /** What of the call was not taken, in sentences for the caller. */
  readonly ignored: readonly string[]
}

/**
 * Everything is stored when it returns: contact and link in the records, the link in the facts.
 * @throws Problem: validation_failed as checkIdentification does; unavailable, after which the same call may
 *   be sent again.
 */
export async function identifyContact(
  deps: ContactDeps,
  propertyId: string,
  { by, identification, session }: IdentifyCall,
): Promise<Identified> {
  const draft = checkIdentification(identification, by)
  const { ignored } = draft
  const finding = findNamed(deps.records, propertyId, draft)
  if (!session) {
    const work = { draft, by, session, known: undefined, entry: undefined, found: await finding }
    return { contact: (await store(deps, propertyId, work)).contact, isLinked: false, ignored }
  }
  const key = sessionKey(session)
  const [found, known] = await Promise.all([finding, findLinkTogether(deps.records, propertyId, key)])
  const entry = known ? undefined : await readEntry(deps, propertyId, key)
  const { contact, isNewlyLinked } = await store(deps, propertyId, { draft, by, session, known, entry, found })
  const made = { property_id: propertyId, key, contact_id: contact.id, moves: 0, is_noted: false }
  const link = known ?? (isNewlyLinked ? made : await findLink(deps.records, propertyId, key))
  const change = link ? await noteLink(deps, link) : 0
  const isLinked = link?.contact_id === contact.id
  const told = isLinked && change !== 0 ? await findContact(deps.records, propertyId, contact.id) : undefined
  return { contact: told ?? contact, isLinked, ignored }
}
