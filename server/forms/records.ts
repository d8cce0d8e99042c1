// The statements about forms themselves. Rows are parsed here: past this file fields, rules and presentation
// are objects. Their sessions and submissions are in other files.
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { FormTable } from '../stores/tables/form-tables.ts'
import type { ContactFields } from './lead-fields.ts'
import type { Form, FormField, Presentation, Validation } from './form-model.ts'

type FormRow = Omit<FormTable, 'seq' | 'creates_contacts' | 'contact_fields'> & {
  creates_contacts: number
  contact_fields: string
}

const columns = [
  'id',
  'property_id',
  'key',
  'name',
  'kind',
  'domains',
  'fields',
  'validation',
  'presentation',
  'success_html',
  'redirect_url',
  'is_plain_on',
  'language',
  'creates_contacts',
  'contact_fields',
  'is_published',
  'is_archived',
  'branding',
  'retention_days',
  'is_ip_kept',
  'ip_retention_days',
  'stored_ips_until_ts',
  'revision',
  'created_ts',
  'updated_ts',
] as const

const toForm = (row: FormRow): Form => ({
  ...row,
  domains: JSON.parse(row.domains) as string[],
  fields: JSON.parse(row.fields) as FormField[],
  validation: JSON.parse(row.validation) as Validation,
  presentation: JSON.parse(row.presentation) as Presentation,
  is_plain_on: row.is_plain_on === 1,
  creates_contacts: row.creates_contacts === 1,
  contact_fields: JSON.parse(row.contact_fields) as ContactFields,
  is_published: row.is_published === 1,
  is_archived: row.is_archived === 1,
  branding: row.branding === 1,
  is_ip_kept: row.is_ip_kept === 1,
})

const toRow = (form: Form): FormRow => ({
  ...form,
  domains: JSON.stringify(form.domains),
  fields: JSON.stringify(form.fields),
  validation: JSON.stringify(form.validation),
  presentation: JSON.stringify(form.presentation),
  is_plain_on: Number(form.is_plain_on),
  creates_contacts: Number(form.creates_contacts),
  contact_fields: JSON.stringify(form.contact_fields),
  is_published: Number(form.is_published),
  is_archived: Number(form.is_archived),
  branding: Number(form.branding),
  is_ip_kept: Number(form.is_ip_kept),
})

/** Every read for an owner starts here, so that none can forget its property. */
const formsOf = (records: Records, propertyId: string) =>
  records.selectFrom('forms').where('property_id', '=', propertyId)

/** By public key, of any property. */
export async function selectFormsByKey(records: Records, keys: readonly string[]): Promise<Map<string, Form>> {
  const rows = await records.selectFrom('forms').select(columns).where('key', 'in', keys).execute()
  return new Map(rows.map((row) => [row.key, toForm(row)]))
}

export async function findForm(records: Records, propertyId: string, id: string): Promise<Form | undefined> {
  const row = await formsOf(records, propertyId).select(columns).where('id', '=', id).executeTakeFirst()
  return row && toForm(row)
}

/** Newest first. */
export async function listFormRows(records: Records, propertyId: string, query: PageQuery): Promise<Form[]> {
  const rows = await formsOf(records, propertyId)
    .select(columns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return rows.map(toForm)
}

/** The names of all forms, newest first: a property has few enough to search them one by one. */
export const listFormNames = (records: Records, propertyId: string): Promise<Pick<Form, 'id' | 'name' | 'key'>[]> =>
  formsOf(records, propertyId).select(['id', 'name', 'key']).orderBy('seq', 'desc').execute()

/** Those with these ids, newest first. */
export async function selectFormRows(records: Records, propertyId: string, ids: readonly string[]): Promise<Form[]> {
  if (ids.length === 0) return []
  const rows = await formsOf(records, propertyId)
    .select(columns)
    .where('id', 'in', ids)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(toForm)
}

/** By id. */
export async function findFormNames(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<Form, 'name' | 'key'>>> {
  if (ids.length === 0) return new Map()
  const rows = await formsOf(records, propertyId).select(['id', 'name', 'key']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, ...form }) => [id, form]))
}

export async function countForms(records: Records, propertyId: string): Promise<number> {
  const { count } = await formsOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** @throws a foreign key violation when the property is gone. */
export async function insertForm(tx: Tx, form: Form): Promise<void> {
  await tx.insertInto('forms').values(toRow(form)).execute()
}

/**
 * Updates the form first, which locks it: a concurrent change waits, and then reads the result of this one.
 */
export async function findFormToChange(tx: Tx, propertyId: string, id: string): Promise<Form | undefined> {
  const row = await tx
    .updateTable('forms')
    .set((of) => ({ revision: of.ref('revision') }))
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toForm(row)
}

/** In the transaction that read it. */
export async function updateFormRow(tx: Tx, form: Form): Promise<void> {
  const { id, property_id, key: _key, kind: _kind, created_ts: _created, ...change } = toRow(form)
  await tx.updateTable('forms').set(change).where('property_id', '=', property_id).where('id', '=', id).execute()
}
