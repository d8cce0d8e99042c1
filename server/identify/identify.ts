// Who a visitor is: finds or makes the contact of an identification, merges what it says, and links the
// session to it. Constraints decide between calls at the same moment: the one that comes second looks again
// and finds what the first one made.
import type { SessionRef } from '../kernel/ids.ts'
import { Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { sessionKey, type SessionKey } from '../sessions/sessions.ts'
import { orNotFound } from '../stores/gone.ts'
import { sharingCommit, type Tx } from '../stores/records.ts'
import { type Contact, DEFAULT_LIFECYCLE_STAGE, textFields } from '../contacts/contact-model.ts'
import type { ContactDeps } from '../contacts/contacts.ts'
import { checkIdentification, type Identification, type IdentificationDraft, type IdentifiedBy } from './draft.ts'
import { dayStartMs, readEntryMs } from './facts.ts'
import { findLink, insertLink, noteLink, type SessionLink } from './contact-sessions.ts'
import { findMatch, matchOf, readMatchActivity } from './matching.ts'
import { fillMeta, mergeMeta } from '../contacts/meta.ts'
import {
  contactOf,
  type ContactRow,
  countSession,
  findContact,
  insertContact,
  touchContact,
  updateContactRow,
} from '../contacts/records.ts'
import { type Activity, noActivity } from './seen.ts'
import { type ContactListeners, identifyTrigger, listenersOf, tellChange } from './triggers.ts'

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

/** Who makes or sees a contact, and when, and the id of one that is made. */
export interface Origin {
  readonly by: IdentifiedBy
  readonly nowMs: number
  readonly id: string
  /**
   * What the sessions of those who share its address did since they were identified. Left out: the last
   * identification decides.
   */
  readonly activity?: Activity
}

export interface Upserted {
  readonly contact: Contact
  /** As it was; undefined when it is new. */
  readonly before: Contact | undefined
}

type Writable = { -readonly [K in keyof ContactRow]?: ContactRow[K] }

/** The texts of a draft by the column that they go to. */
function textsOf(draft: IdentificationDraft, by: IdentifiedBy): Writable {
  const address = draft.email && { email: draft.email.text, email_key: draft.email.key, email_by: by }
  return { ...draft.traits, ...address }
}

function emptyRow(propertyId: string, origin: Origin): ContactRow {
  const nothing = Object.fromEntries(textFields.map((field) => [field, null])) as Record<
    (typeof textFields)[number],
    null
  >
  const nowTs = Math.floor(origin.nowMs / 1000)
  return {
    ...nothing,
    id: origin.id,
    property_id: propertyId,
    email_key: null,
    email_by: null,
    claimed_email: null,
    lifecycle_stage: DEFAULT_LIFECYCLE_STAGE,
    state: 'active',
    meta: [],
    first_seen_ts: nowTs,
    identified_ts: nowTs,
    last_seen_ms: origin.nowMs,
    session_count: 0,
  }
}

/**
 * One that is known by its address alone claims it: no second one is made of the same call at the same
 * moment.
 */
function newRow(propertyId: string, draft: IdentificationDraft, origin: Origin): ContactRow {
  return {
    ...emptyRow(propertyId, origin),
    ...textsOf(draft, origin.by),
    external_id: draft.external_id,
    claimed_email: draft.external_id === null ? (draft.email?.key ?? null) : null,
    ...(draft.lifecycle_stage !== null && { lifecycle_stage: draft.lifecycle_stage }),
    meta: draft.meta,
  }
}

const isChanged = (row: ContactRow, change: Writable, column: keyof ContactRow) => change[column] !== row[column]

/** What the owner says counts. An address that is replaced is no longer claimed. */
function tokenChange(row: ContactRow, draft: IdentificationDraft): Writable {
  const change = textsOf(draft, 'token')
  if (draft.lifecycle_stage !== null) change.lifecycle_stage = draft.lifecycle_stage
  if (change.email_key !== undefined && change.email_key !== row.email_key) change.claimed_email = null
  return change
}

/** What a visitor says fills blanks and changes nothing that stands. */
function visitorChange(row: ContactRow, draft: IdentificationDraft): Writable {
  const blanks = Object.entries(textsOf(draft, 'visitor')).filter(
    ([column]) => row[column as keyof ContactRow] === null,
  )
  return Object.fromEntries(blanks)
}

/** Only what differs: most identifications say what is known. */
function mergeChange(row: ContactRow, draft: IdentificationDraft, by: IdentifiedBy): Writable {
  const change = by === 'token' ? tokenChange(row, draft) : visitorChange(row, draft)
  const differing = Object.keys(change).filter((column) => isChanged(row, change, column as keyof ContactRow))
  const meta = by === 'token' ? mergeMeta(row.meta, draft.meta) : fillMeta(row.meta, draft.meta)
  const changed = Object.fromEntries(
    differing.map((column) => [column, change[column as keyof ContactRow]]),
  ) as Writable
  return JSON.stringify(meta) === JSON.stringify(row.meta) ? changed : { ...changed, meta }
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
  const contact = contactOf(await updateContactRow(tx, row, mergeChange(row, draft, by)))
  return { contact, before: contactOf(row) }
}

/** A session to be linked. */
interface Entry {
  readonly key: SessionKey
  readonly entryTs: number
}

/** Links a session that has no contact yet. Undefined when another call came first. */
async function linkEntry(tx: Tx, propertyId: string, contact: Contact, entry: Entry): Promise<Contact | undefined> {
  const { key, entryTs } = entry
  const isNew = await insertLink(tx, { property_id: propertyId, key, contact_id: contact.id, entry_ts: entryTs })
  return isNew ? { ...contact, ...(await countSession(tx, contact, entryTs)) } : undefined
}

/**
 * Read before the transaction, inside which the facts cannot be asked. A session whose page views are gone
 * began on its day.
 */
async function readEntry(deps: ContactDeps, propertyId: string, key: SessionKey): Promise<Entry> {
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
  readonly entry: Entry | undefined
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
): Promise<Contact | undefined> {
  const upserted = await upsertContact(tx, propertyId, draft, origin)
  if (!upserted) return undefined
  const { before, contact } = upserted
  const linked = entry && (await linkEntry(tx, propertyId, contact, entry))
  const isTheirs = linked !== undefined || known?.contact_id === contact.id
  const moment = { nowMs: origin.nowMs, session: isTheirs ? session : undefined }
  const isIdentified = session ? linked !== undefined : before === undefined
  if (isIdentified) await triggers.enqueue(tx, listeners.identify, identifyTrigger(contact, moment))
  await tellChange(triggers, tx, listeners, { before, after: contact, moment })
  return linked ?? contact
}

async function storePatiently(deps: ContactDeps, propertyId: string, work: Work): Promise<Contact> {
  const { by } = work
  const activity = await readMatchActivity(deps, propertyId, work.draft, by)
  const origin = { by, nowMs: deps.now(), id: newContactId(deps), activity }
  const listeners = await listenersOf(deps.triggers, propertyId)
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const contact = await sharingCommit(deps.records, (tx) =>
      storeOnce(deps, tx, propertyId, { ...work, origin, listeners }),
    )
    if (!contact) continue
    if (listeners.identify.length + listeners.contact.length > 0) deps.triggers.wake()
    return contact
  }
  throw new Problem('unavailable', 'Too many changes to this contact at once.', { retryAfterSeconds: 1 })
}

/** @throws Problem('not_found') when the property was removed while the call was under way. */
const store = (deps: ContactDeps, propertyId: string, work: Work): Promise<Contact> =>
  orNotFound(storePatiently(deps, propertyId, work), propertyNotFound)

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
  if (!session) {
    const work = { draft, by, session, known: undefined, entry: undefined }
    return { contact: await store(deps, propertyId, work), isLinked: false, ignored }
  }
  const key = sessionKey(session)
  const known = await findLink(deps.records, propertyId, key)
  const entry = known ? undefined : await readEntry(deps, propertyId, key)
  const contact = await store(deps, propertyId, { draft, by, session, known, entry })
  const link = known ?? (await findLink(deps.records, propertyId, key))
  const change = link ? await noteLink(deps, link) : 0
  const isLinked = link?.contact_id === contact.id
  const told = isLinked && change !== 0 ? await findContact(deps.records, propertyId, contact.id) : undefined
  return { contact: told ?? contact, isLinked, ignored }
}
