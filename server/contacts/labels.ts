// Lists, tags and notes of contacts, and contacts that are added by hand.
import type { Deps } from '../kernel/deps.ts'
import type { EditorId } from '../kernel/edits.ts'
import { readEmail } from '../kernel/email.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { cleanText } from '../kernel/text.ts'
import { scrubDeleted, type Tx } from '../stores/records.ts'
import { type ListDeps, requestMembership } from '../contact-lists/contact-lists.ts'
import { dropConfirmed, needsConfirmation } from '../contact-lists/records.ts'
import { identifyContact } from '../identify/identify.ts'
import type { Contact } from './contact-model.ts'
import { type ContactDeps, contactNotFound, holdContact, updateContact } from './contacts.ts'
import {
  countLabels,
  deleteNote,
  findSpellings,
  insertNote,
  type Label,
  listLabels,
  listNoteRows,
  replaceLabels,
} from './label-records.ts'
import { type ContactRow, findContact, listContactIds } from './records.ts'
import type { LabelsJson } from './label-schema.ts'
import { readLabel } from './label-text.ts'
import type { ContactChangeJson } from './schema.ts'

/** Of a kind, of one contact. */
export const MAX_LABELS = 50
/** Of a kind, of a property, in the lists of choices. */
const MOST_LABELS = 1_000
export const MAX_NOTE = 5_000
/** A thousand calls with a customer. */
const MAX_NOTES = 1_000

type LabelDeps = Pick<Deps, 'records' | 'now'>

function readLabels(path: string, written: readonly string[]): Label[] {
  if (written.length > MAX_LABELS) throw invalid(path, `${path} may name at most ${MAX_LABELS}.`)
  const read = written.map((label, at) => readLabel(`${path}.${at}`, label))
  // Of two that are the same the first.
  return [...new Map(read.toReversed().map((label) => [label.key, label])).values()].toReversed()
}

const named = (rows: readonly { readonly kind: string; readonly label: string }[]): LabelsJson => ({
  lists: rows.filter(({ kind }) => kind === 'list').map(({ label }) => label),
  tags: rows.filter(({ kind }) => kind === 'tag').map(({ label }) => label),
})

export async function readContactLabels({ records }: LabelDeps, propertyId: string, id: string): Promise<LabelsJson> {
  return named(await listLabels(records, propertyId, id))
}

/** With how many contacts have each. */
export async function listPropertyLabels({ records }: LabelDeps, propertyId: string) {
  const rows = await countLabels(records, propertyId, MOST_LABELS)
  const of = (kind: string) =>
    rows.filter((row) => row.kind === kind).map(({ label, contacts }) => ({ name: label, contacts }))
  return { lists: of('list'), tags: of('tag') }
}

const kinds = [
  ['lists', 'list'],
  ['tags', 'tag'],
] as const

/** Lists that the contact has yet to confirm are asked for, and left out. */
async function withoutPending(deps: ListDeps, tx: Tx, contact: ContactRow, wanted: readonly Label[]): Promise<Label[]> {
  const { property_id, id, email, email_key } = contact
  const has = new Set((await listLabels(tx, property_id, id)).map(({ kind, label_key }) => `${kind} ${label_key}`))
  const listed: Label[] = []
  for (const { key, label } of wanted) {
    if (has.has(`list ${key}`)) listed.push({ key, label })
    else if (email === null || email_key === null) {
      if (await needsConfirmation(tx, property_id, key))
        throw invalid('lists', `“${label}” asks for confirmation by email, and this contact has no email.`)
      listed.push({ key, label })
    } else {
      const request = { contact, email: { text: email, key: email_key }, list: { key, name: label } }
      const outcome = await requestMembership(deps, tx, property_id, { ...request, language: 'en', formId: null })
      if (outcome === 'listed') listed.push({ key, label })
    }
  }
  await dropConfirmed(
    tx,
    id,
    wanted.map(({ key }) => key),
  )
  return listed
}

/**
 * Each kind that is sent is replaced as a whole. One that others write otherwise takes their spelling.
 * @throws Problem: not_found; gone for an erased contact; validation_failed; conflict for a list that they
 * have
 *   left, or that they cannot be asked to confirm.
 */
export async function setContactLabels(
  deps: LabelDeps & ListDeps,
  propertyId: string,
  id: string,
  given: Partial<LabelsJson>,
): Promise<LabelsJson> {
  const read = kinds.flatMap(([member, kind]) =>
    given[member] === undefined ? [] : [{ kind, labels: readLabels(member, given[member]) }],
  )
  const { records, now } = deps
  return records.transaction().execute(async (tx) => {
    const contact = await holdContact(tx, propertyId, id)
    assertThere(contact)
    for (const { kind, labels } of read) {
      const keys = labels.map(({ key }) => key)
      const spelt = await findSpellings(tx, propertyId, kind, keys)
      const wanted = labels.map(({ key, label }) => ({ key, label: spelt.get(key) ?? label }))
      const own = kind === 'list' ? await withoutPending(deps, tx, contact, wanted) : wanted
      await replaceLabels(tx, { propertyId, contactId: contact.id, kind }, own, now())
    }
    return named(await listLabels(tx, propertyId, contact.id))
  })
}

function assertThere({ state }: Pick<Contact, 'state'>): void {
  if (state === 'deleted') throw new Problem('gone', 'The contact has been deleted and cannot be edited.')
}

// ---------------------------------------------------------------- notes

const noteShape = /^cn_[0-9A-Za-z]{20}$/

export async function listNotes({ records }: LabelDeps, propertyId: string, id: string) {
  return listNoteRows(records, propertyId, id)
}

interface NoteDeps extends LabelDeps, Pick<Deps, 'randomBytes'> {
  readonly editor: EditorId
}

/** @throws Problem: not_found; gone for an erased contact; validation_failed. */
export async function addNote(deps: NoteDeps, propertyId: string, id: string, written: string) {
  const text = cleanText(written, MAX_NOTE + 1).trim()
  if (text === '' || [...text].length > MAX_NOTE) throw invalid('text', `text must have 1 to ${MAX_NOTE} characters.`)
  const note = {
    id: newId(deps, 'cn'),
    property_id: propertyId,
    contact_id: id,
    text,
    noted_ms: deps.now(),
    edited_by: deps.editor,
  }
  await deps.records.transaction().execute(async (tx) => {
    const contact = await holdContact(tx, propertyId, id)
    assertThere(contact)
    if ((await listNoteRows(tx, propertyId, contact.id)).length >= MAX_NOTES)
      throw invalid('text', `A contact may have at most ${MAX_NOTES} notes: delete one first.`)
    await insertNote(tx, { ...note, contact_id: contact.id })
  })
  return note
}

/** For good. @throws Problem('not_found') */
export async function removeNote(
  { records }: LabelDeps,
  note: { readonly propertyId: string; readonly contactId: string; readonly id: string },
): Promise<void> {
  const isRemoved = noteShape.test(note.id) && (await deleteNote(records, note))
  await scrubDeleted(records)
  if (!isRemoved) throw new Problem('not_found', 'The note is not one of this contact.')
}

// ---------------------------------------------------------------- by hand

/** Somebody who is there already is shown, not changed unseen. */
async function refuseKnown(
  { records }: ContactDeps,
  propertyId: string,
  { email, external_id }: ContactChangeJson,
): Promise<void> {
  const key = readEmail(email ?? '')?.key
  const sameEmail = key === undefined ? [] : await listContactIds(records, propertyId, 'email_key', key)
  const id = external_id?.trim() ?? ''
  const sameId = id === '' ? [] : await listContactIds(records, propertyId, 'external_id', id)
  const refuse = (field: string, words: string): never => {
    throw new Problem('conflict', words, { errors: { [field]: [words] } })
  }
  if (sameEmail.length > 0) refuse('email', 'There is a contact with this email already.')
  if (sameId.length > 0) refuse('external_id', 'There is a contact with this ID already.')
}

/** By a member, who knows: at the trust of a token. @throws Problem: conflict; validation_failed. */
export async function addContact(deps: ContactDeps, propertyId: string, body: ContactChangeJson): Promise<Contact> {
  await refuseKnown(deps, propertyId, body)
  const { email, external_id, state, ...traits } = body
  const external = external_id?.trim() ? { external_id } : {}
  const { contact } = await addIdentified(deps, propertyId, { email, ...external, traits })
  if (state !== 'unsubscribed') return contact
  await updateContact(deps, propertyId, contact.id, { state })
  const changed = await findContact(deps.records, propertyId, contact.id)
  if (!changed) throw contactNotFound()
  return changed
}

type Identifying = Parameters<typeof identifyContact>[2]['identification']

/** A token has to name an id where it names one; by hand an address is enough. */
function addIdentified(deps: ContactDeps, propertyId: string, identification: Identifying) {
  return identifyContact(deps, propertyId, { by: 'token', identification })
}
