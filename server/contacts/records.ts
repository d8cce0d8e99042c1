// The statements about contacts. Rows are parsed here: past this file meta is a list. Every statement names
// its property.
import { sql } from 'kysely'
import { type Records, type Tx, waitForTurn } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import { findByAlias, hasAlias, listByAliasOf } from './alias-records.ts'
import { type Contact, type MetaEntry, textFields } from './contact-model.ts'
import { searchText } from './search.ts'

type StoredRow = Omit<RecordTables['contacts'], 'seq'> & { readonly seq: number }

/** A contact with what its matching goes by. */
export type ContactRow = Contact & Pick<StoredRow, 'property_id' | 'email_key' | 'email_by' | 'claimed_email'>

/** Of every contact that is read. */
export const columns = [
  'id',
  'property_id',
  ...textFields,
  'email_key',
  'email_by',
  'claimed_email',
  'lifecycle_stage',
  'state',
  'meta',
  'first_seen_ts',
  'identified_ts',
  'last_seen_ms',
  'session_count',
] as const

export type SelectedRow = Pick<StoredRow, (typeof columns)[number]>

export const toRow = (row: SelectedRow): ContactRow => ({ ...row, meta: JSON.parse(row.meta) as MetaEntry[] })

/** Without what belongs to the matching alone. */
export function contactOf({
  property_id: _property,
  email_key: _key,
  email_by: _by,
  claimed_email: _claim,
  ...contact
}: ContactRow): Contact {
  return contact
}

/** Every look at contacts starts here or names the property itself. */
export const contactsOf = (records: Records, propertyId: string) =>
  records.selectFrom('contacts').where('property_id', '=', propertyId)

/** By the id of one that was merged into it, too. */
export async function findContact(records: Records, propertyId: string, id: string): Promise<Contact | undefined> {
  const row = await contactsOf(records, propertyId).select(columns).where('id', '=', id).executeTakeFirst()
  if (row) return contactOf(toRow(row))
  const kept = await findByAlias(records, propertyId, 'id', id)
  return kept === undefined ? undefined : findContact(records, propertyId, kept)
}

/** Those of the property. @param ids few enough for one statement. */
export async function findContactIds(records: Records, propertyId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await contactsOf(records, propertyId).select('id').where('id', 'in', ids).execute()
  return rows.map(({ id }) => id)
}

// ---------------------------------------------------------------- one contact, changed

/** How an identification finds its contact. */
export type MatchBy = { readonly external_id: string } | { readonly email_key: string }

/** Who gave a contact its address. */
export type Giver = NonNullable<StoredRow['email_by']>

/** One of the contacts that share an address. */
export type Sharer = Pick<StoredRow, 'id' | 'last_seen_ms' | 'seq'>

/** Few people share an address; whoever makes hundreds of contacts with one gains nothing by it. */
const MOST_SHARERS = 50

/**
 * Of the contacts that were given the address by such a caller those identified last, the latest first;
 * answered by the index alone.
 */
export async function listByAddress(
  records: Records,
  propertyId: string,
  emailKey: string,
  giver: Giver,
): Promise<Sharer[]> {
  return contactsOf(records, propertyId)
    .select(['id', 'last_seen_ms', 'seq'])
    .where('email_key', '=', emailKey)
    .where('email_by', '=', giver)
    .orderBy('last_seen_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(MOST_SHARERS)
    .execute()
}

export async function findIdByExternalId(
  records: Records,
  propertyId: string,
  externalId: string,
): Promise<string | undefined> {
  const found = contactsOf(records, propertyId).select('id').where('external_id', '=', externalId)
  return (await found.executeTakeFirst())?.id ?? findByAlias(records, propertyId, 'external_id', externalId)
}

/** By what and when a contact was recognised. */
export interface Sighting {
  readonly by: MatchBy
  readonly atMs: number
}

/**
 * Notes that the contact was seen, and holds the row for the rest of the transaction. Undefined when it does
 * not match any more: somebody else changed or deleted it since it was found.
 */
export async function touchContact(
  tx: Tx,
  propertyId: string,
  id: string,
  { by, atMs }: Sighting,
): Promise<ContactRow | undefined> {
  const [column, kind, value] =
    'external_id' in by
      ? (['external_id', 'external_id', by.external_id] as const)
      : (['email_key', 'email', by.email_key] as const)
  const row = await tx
    .updateTable('contacts')
    .set({ last_seen_ms: sql<number>`case when last_seen_ms < ${atMs} then ${atMs} else last_seen_ms end` })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .where((of) => of.or([of(column, '=', value), hasAlias(kind, value)]))
    .returning(columns)
    .executeTakeFirst()
  return row && toRow(row)
}

/**
 * Read and held for the rest of the transaction: the row is set to what it is, which locks it in either
 * database. By the id of one that was merged into it, too.
 */
export async function lockContact(tx: Tx, propertyId: string, id: string): Promise<ContactRow | undefined> {
  const row = await tx
    .updateTable('contacts')
    .set((of) => ({ session_count: of.ref('session_count') }))
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  if (row) return toRow(row)
  const kept = await findByAlias(tx, propertyId, 'id', id)
  return kept === undefined ? undefined : lockContact(tx, propertyId, kept)
}

/**
 * Two updates that swap external ids would wait for each other for ever: those of one property take turns.
 */
export const lockExternalIds = (tx: Tx, propertyId: string): Promise<void> => waitForTurn(tx, propertyId)

/** False when another contact has its external id or its claim: the unique indexes are the judges. */
export async function insertContact(tx: Tx, row: ContactRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('contacts')
    .values({ ...row, meta: JSON.stringify(row.meta), search: searchText(row) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('seq')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * @param row as it is now, held by this transaction.
 * @throws a unique violation when the external id is another one's.
 */
export async function updateContactRow(tx: Tx, row: ContactRow, change: Partial<ContactRow>): Promise<ContactRow> {
  if (Object.keys(change).length === 0) return row
  const changed = { ...row, ...change }
  const { meta, ...rest } = change
  await tx
    .updateTable('contacts')
    .set({ ...rest, ...(meta && { meta: JSON.stringify(meta) }), search: searchText(changed) })
    .where('property_id', '=', row.property_id)
    .where('id', '=', row.id)
    .execute()
  return changed
}

/** One more session, which began at `entryTs`. */
export async function countSession(
  tx: Tx,
  contact: Contact,
  entryTs: number,
): Promise<Pick<Contact, 'session_count' | 'first_seen_ts'>> {
  return tx
    .updateTable('contacts')
    .set((of) => ({
      session_count: of('session_count', '+', 1),
      first_seen_ts: sql<number>`case when first_seen_ts > ${entryTs} then ${entryTs} else first_seen_ts end`,
    }))
    .where('id', '=', contact.id)
    .returning(['session_count', 'first_seen_ts'])
    .executeTakeFirstOrThrow()
}

/** Of the contacts with an external id or under an address, the oldest first. */
export async function listContactIds(
  records: Records,
  propertyId: string,
  column: 'external_id' | 'email_key',
  value: string,
): Promise<string[]> {
  const rows = await records
    .selectFrom('contacts')
    .select('id')
    .where('property_id', '=', propertyId)
    .where(column, '=', value)
    .orderBy('seq')
    .execute()
  const merged = await listByAliasOf(records, propertyId, column === 'email_key' ? 'email' : column, value)
  return [...new Set([...rows.map(({ id }) => id), ...merged])]
}
