// The statements about contacts. Rows are parsed here: past this file meta is a list. Every statement names its property.
import { type ExpressionBuilder, sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PageAsk } from '../kernel/page.ts'
import { recordsKind, type Records, type Tx } from '../stores/records.ts'
import { type RecordTables } from '../stores/tables.ts'
import { type Contact, type MetaEntry, textFields } from './contact.ts'
import { type ContactFilter } from './contacts.ts'
import { searchText, searchWords } from './search.ts'

type StoredRow = Omit<RecordTables['contacts'], 'seq'> & { readonly seq: number }

/** A contact with what its matching goes by. */
export type ContactRow = Contact & Pick<StoredRow, 'property_id' | 'email_key' | 'claimed_email'>

const columns = [
  'id',
  'property_id',
  ...textFields,
  'email_key',
  'claimed_email',
  'lifecycle_stage',
  'state',
  'meta',
  'first_seen_ts',
  'identified_ts',
  'last_seen_ms',
  'session_count',
] as const

type SelectedRow = Pick<StoredRow, (typeof columns)[number]>

const toRow = (row: SelectedRow): ContactRow => ({ ...row, meta: JSON.parse(row.meta) as MetaEntry[] })

/** Without what belongs to the matching alone. */
export function contactOf({ property_id: _p, email_key: _k, claimed_email: _c, ...contact }: ContactRow): Contact {
  return contact
}

const contactsOf = (records: Records, propertyId: string) =>
  records.selectFrom('contacts').where('property_id', '=', propertyId)

export async function findContact(records: Records, propertyId: string, id: string): Promise<Contact | undefined> {
  const row = await contactsOf(records, propertyId).select(columns).where('id', '=', id).executeTakeFirst()
  return row && contactOf(toRow(row))
}

// ---------------------------------------------------------------- one contact, changed

/** How an identification finds its contact. */
export type MatchBy = { readonly external_id: string } | { readonly email_key: string }

/** Of several with one address the one that was seen last. A deleted contact has neither id nor address any more. */
export async function findMatch(tx: Tx, propertyId: string, by: MatchBy): Promise<string | undefined> {
  const own = contactsOf(tx, propertyId).select('id')
  const found =
    'external_id' in by
      ? own.where('external_id', '=', by.external_id)
      : own.where('email_key', '=', by.email_key).orderBy('last_seen_ms', 'desc').orderBy('seq', 'desc').limit(1)
  return (await found.executeTakeFirst())?.id
}

/**
 * Notes that the contact was seen, and holds the row for the rest of the transaction. Undefined when it does not match any more: somebody
 * else changed or deleted it since it was found.
 */
export async function touchContact(
  tx: Tx,
  propertyId: string,
  id: string,
  by: MatchBy,
  nowMs: number,
): Promise<ContactRow | undefined> {
  const [column, value] =
    'external_id' in by ? (['external_id', by.external_id] as const) : (['email_key', by.email_key] as const)
  const row = await tx
    .updateTable('contacts')
    .set({ last_seen_ms: sql<number>`case when last_seen_ms < ${nowMs} then ${nowMs} else last_seen_ms end` })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .where(column, '=', value)
    .returning(columns)
    .executeTakeFirst()
  return row && toRow(row)
}

/** Read and held for the rest of the transaction: the row is set to what it is, which locks it in either database. */
export async function lockContact(tx: Tx, propertyId: string, id: string): Promise<ContactRow | undefined> {
  const row = await tx
    .updateTable('contacts')
    .set((of) => ({ session_count: of.ref('session_count') }))
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toRow(row)
}

/** Two updates that swap external ids would wait for each other for ever: those of one property take turns. */
export async function lockExternalIds(records: Records, tx: Tx, propertyId: string): Promise<void> {
  if (recordsKind(records) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${propertyId}, 0))`.execute(tx)
}

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

// ---------------------------------------------------------------- the list

/** Contacts by their place in the order, both ends included. */
interface Slice {
  readonly from: number
  readonly to: number
}

type Of = ExpressionBuilder<RecordTables, 'contacts'>

/** LIKE without its wildcards. */
const likeText = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

const like = (word: string) => sql<boolean>`search like ${likeText(word)} escape '\\'`

/** The trigram index answers for words of three characters and more; of the rest every row is looked at. */
const MIN_INDEXED = 3

const isIndexed = (word: string) => [...word].length >= MIN_INDEXED

/** Phrases in quotes: no word of a search is an operator of the index. */
const matchText = (words: readonly string[]) => words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')

function sqliteSearch(words: readonly string[], slice: Slice) {
  const indexed = words.filter(isIndexed)
  const found = sql<boolean>`seq in (select rowid from contacts_search
    where contacts_search match ${matchText(indexed)} and rowid between ${slice.from} and ${slice.to})`
  return [...(indexed.length > 0 ? [found] : []), ...words.filter((word) => !isIndexed(word)).map(like)]
}

function filtered(records: Records, propertyId: string, filter: ContactFilter, slice?: Slice) {
  const words = searchWords(filter.search ?? '')
  const conditions = (of: Of) => [
    of.lit(true),
    ...(filter.state === undefined ? [] : [of('state', '=', filter.state)]),
    ...(filter.lifecycle_stage === undefined ? [] : [of('lifecycle_stage', '=', filter.lifecycle_stage)]),
    ...(slice ? [of('seq', '>=', slice.from), of('seq', '<=', slice.to)] : []),
    ...(slice ? sqliteSearch(words, slice) : words.map(like)),
  ]
  return contactsOf(records, propertyId).where((of) => of.and(conditions(of)))
}

async function countRows(query: ReturnType<typeof filtered>): Promise<number> {
  const row = await query.select((of) => of.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}

async function pageRows(query: ReturnType<typeof filtered>, offset: number, limit: number): Promise<Contact[]> {
  const rows = await query.select(columns).orderBy('seq', 'desc').offset(offset).limit(limit).execute()
  return rows.map((row) => contactOf(toRow(row)))
}

export interface ContactPage {
  readonly rows: Contact[]
  readonly total: number
}

const offsetOf = (ask: PageAsk) => (ask.page - 1) * ask.perPage

/** Contacts that one statement looks at. A statement holds up the whole process: of the widest search one takes some 20 ms. */
const SLICE = 20_000

/** Newest first, cut by place and not by number: gaps and the contacts of other properties make slices smaller. */
async function slicesOf(records: Records, propertyId: string): Promise<Slice[]> {
  const { first, last } = await contactsOf(records, propertyId)
    .select((of) => [of.fn.min<number | null>('seq').as('first'), of.fn.max<number | null>('seq').as('last')])
    .executeTakeFirstOrThrow()
  if (first === null || last === null) return []
  return Array.from({ length: Math.ceil((last - first + 1) / SLICE) }, (_, i) => {
    const to = last - i * SLICE
    return { from: Math.max(first, to - SLICE + 1), to }
  })
}

/** SQLite: slice by slice, and between two of them others have their turn. */
async function listInSlices(
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  ask: PageAsk,
): Promise<ContactPage> {
  const rows: Contact[] = []
  let total = 0
  for (const slice of await slicesOf(records, propertyId)) {
    const query = filtered(records, propertyId, filter, slice)
    const count = await countRows(query)
    const offset = Math.max(offsetOf(ask) - total, 0)
    const wanted = ask.perPage - rows.length
    if (wanted > 0 && offset < count) rows.push(...(await pageRows(query, offset, wanted)))
    total += count
    await nextTurn()
  }
  return { rows, total }
}

/** Newest first. The total is exact. */
export async function listContactRows(
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  ask: PageAsk,
): Promise<ContactPage> {
  if (recordsKind(records) === 'sqlite') return listInSlices(records, propertyId, filter, ask)
  const query = filtered(records, propertyId, filter)
  const [rows, total] = await Promise.all([pageRows(query, offsetOf(ask), ask.perPage), countRows(query)])
  return { rows, total }
}
