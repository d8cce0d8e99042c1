// The statements about lists, tags and notes of contacts. Every one names its property.
import type { EditorId } from '../kernel/edits.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { LabelKind, NoteTable } from '../stores/tables/contact-tables.ts'

export interface Label {
  /** By what labels are the same: capital letters do not count. */
  readonly key: string
  /** As it is shown. */
  readonly label: string
}

export type LabelRow = Readonly<RecordTables['contact_labels']>

const labelsOf = (records: Records, propertyId: string) =>
  records.selectFrom('contact_labels').where('property_id', '=', propertyId)

/** In the order of their keys. */
export async function listLabels(records: Records, propertyId: string, contactId: string) {
  return labelsOf(records, propertyId)
    .select(['kind', 'label', 'label_key'])
    .where('contact_id', '=', contactId)
    .orderBy('label_key')
    .execute()
}

/** How others write the same labels. */
export async function findSpellings(
  records: Records,
  propertyId: string,
  kind: LabelKind,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map()
  const rows = await labelsOf(records, propertyId)
    .select((of) => ['label_key', of.fn.min('label').as('label')])
    .where('kind', '=', kind)
    .where('label_key', 'in', keys)
    .groupBy('label_key')
    .execute()
  return new Map(rows.map(({ label_key, label }) => [label_key, label]))
}

/** All of a kind that a property uses, with how many contacts have each. */
export async function countLabels(records: Records, propertyId: string, limit: number) {
  return labelsOf(records, propertyId)
    .select((of) => ['kind', of.fn.min('label').as('label'), of.fn.countAll<number>().as('contacts')])
    .groupBy(['kind', 'label_key'])
    .orderBy('label_key')
    .limit(limit)
    .execute()
}

/** In the transaction that holds the contact: exactly these from now on; who stays keeps the time. */
export async function replaceLabels(
  tx: Tx,
  {
    propertyId,
    contactId,
    kind,
  }: { readonly propertyId: string; readonly contactId: string; readonly kind: LabelKind },
  labels: readonly Label[],
  atMs: number,
): Promise<void> {
  const keys = labels.map(({ key }) => key)
  await tx
    .deleteFrom('contact_labels')
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .where('kind', '=', kind)
    .$if(keys.length > 0, (rows) => rows.where('label_key', 'not in', keys))
    .execute()
  if (keys.length === 0) return
  const same = { property_id: propertyId, contact_id: contactId, kind, added_ms: atMs }
  await tx
    .insertInto('contact_labels')
    .values(labels.map(({ key, label }) => ({ ...same, label_key: key, label })))
    .onConflict((conflict) => conflict.columns(['contact_id', 'kind', 'label_key']).doNothing())
    .execute()
}

/** Those that the contact has already stay as they are. */
export async function insertLabels(tx: Tx, contactId: string, labels: readonly LabelRow[]): Promise<void> {
  if (labels.length === 0) return
  await tx
    .insertInto('contact_labels')
    .values(labels.map((label) => ({ ...label, contact_id: contactId })))
    .onConflict((conflict) => conflict.columns(['contact_id', 'kind', 'label_key']).doNothing())
    .execute()
}

/** From a list. */
export async function removeLabel(tx: Tx, contactId: string, listKey: string): Promise<void> {
  await tx
    .deleteFrom('contact_labels')
    .where('contact_id', '=', contactId)
    .where('kind', '=', 'list')
    .where('label_key', '=', listKey)
    .execute()
}

export type Note = Readonly<NoteTable>

/** Newest first. */
export async function listNoteRows(
  records: Records,
  propertyId: string,
  contactId: string,
): Promise<(Note & { edited_by: EditorId })[]> {
  return records
    .selectFrom('contact_notes')
    .selectAll()
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .orderBy('noted_ms', 'desc')
    .orderBy('id')
    .execute()
}

export async function insertNote(tx: Tx, note: Note): Promise<void> {
  await tx.insertInto('contact_notes').values(note).execute()
}

/** False when there is no such note. */
export async function deleteNote(
  records: Records,
  { propertyId, contactId, id }: { readonly propertyId: string; readonly contactId: string; readonly id: string },
): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('contact_notes')
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

const BATCH = 500

/** Of all contacts of a property, for whoever takes everything along. */
export async function* labelBatches(records: Records, propertyId: string) {
  for (let offset = 0; ; offset += BATCH) {
    const rows = await labelsOf(records, propertyId)
      .select(['contact_id', 'kind', 'label', 'added_ms'])
      .orderBy('kind')
      .orderBy('label_key')
      .orderBy('contact_id')
      .offset(offset)
      .limit(BATCH)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
  }
}

/** The same of notes. */
export async function* noteBatches(records: Records, propertyId: string) {
  for (let last = ''; ;) {
    const rows = await records
      .selectFrom('contact_notes')
      .select(['id', 'contact_id', 'text', 'noted_ms'])
      .where('property_id', '=', propertyId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (rows.length > 0) yield rows
    if (rows.length < BATCH) return
    last = rows.at(-1)!.id
  }
}

/** In the transaction that erases the person. */
export async function eraseNotesAndLabels(tx: Tx, propertyId: string, contactId: string): Promise<void> {
  for (const table of ['contact_notes', 'contact_labels'] as const)
    await tx.deleteFrom(table).where('property_id', '=', propertyId).where('contact_id', '=', contactId).execute()
}
