// The statements about contacts. Rows are parsed here: past this file meta is a list. Every statement names its property.
import { type RawBuilder, sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type PageAsk } from '../kernel/page.ts'
import { recordsKind, type Records, type Tx } from '../stores/records.ts'
import { type RecordTables } from '../stores/tables.ts'
import { type Contact, type MetaEntry, textFields } from './contact.ts'
import { type ContactFilter } from './contacts.ts'
import { searchText, searchWords } from './search.ts'

type StoredRow = Omit<RecordTables['contacts'], 'seq'> & { readonly seq: number }

/** A contact with what its matching goes by. */
export type ContactRow = Contact & Pick<StoredRow, 'property_id' | 'email_key' | 'email_by' | 'claimed_email'>

const columns = [
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

type SelectedRow = Pick<StoredRow, (typeof columns)[number]>

const toRow = (row: SelectedRow): ContactRow => ({ ...row, meta: JSON.parse(row.meta) as MetaEntry[] })

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

const contactsOf = (records: Records, propertyId: string) =>
  records.selectFrom('contacts').where('property_id', '=', propertyId)

export async function findContact(records: Records, propertyId: string, id: string): Promise<Contact | undefined> {
  const row = await contactsOf(records, propertyId).select(columns).where('id', '=', id).executeTakeFirst()
  return row && contactOf(toRow(row))
}

// ---------------------------------------------------------------- one contact, changed

/** How an identification finds its contact. */
export type MatchBy = { readonly external_id: string } | { readonly email_key: string }

type Giver = NonNullable<StoredRow['email_by']>

/** The one identified last among those whose address such a caller gave. */
async function findByAddress(tx: Tx, propertyId: string, emailKey: string, giver: Giver) {
  return contactsOf(tx, propertyId)
    .select(['id', 'last_seen_ms', 'seq'])
    .where('email_key', '=', emailKey)
    .where('email_by', '=', giver)
    .orderBy('last_seen_ms', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Of several with one address the one identified last. To a token one whose address a token gave comes before all others: what a
 * visitor wrote may be anybody's, and must not divert what the owner says. One look a giver: each is answered by the index alone,
 * however many have the address.
 */
async function matchAddress(tx: Tx, propertyId: string, emailKey: string, by: Giver): Promise<string | undefined> {
  const trusted = await findByAddress(tx, propertyId, emailKey, 'token')
  if (trusted && by === 'token') return trusted.id
  const other = await findByAddress(tx, propertyId, emailKey, 'visitor')
  if (!trusted || !other) return (trusted ?? other)?.id
  const isLater = other.last_seen_ms - trusted.last_seen_ms || other.seq - trusted.seq
  return isLater > 0 ? other.id : trusted.id
}

/** A deleted contact has neither id nor address any more. */
export async function findMatch(tx: Tx, propertyId: string, match: MatchBy, by: Giver): Promise<string | undefined> {
  if ('email_key' in match) return matchAddress(tx, propertyId, match.email_key, by)
  const found = contactsOf(tx, propertyId).select('id').where('external_id', '=', match.external_id)
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

/** What a statement of the list reads: from where, under which conditions, and what its order goes by. */
interface Source {
  readonly from: RawBuilder<unknown>
  readonly where: readonly RawBuilder<unknown>[]
  readonly place: RawBuilder<unknown>
}

/** Contacts by their place in the order, both ends included. */
interface Slice {
  readonly first: number
  readonly last: number
}

/** LIKE without its wildcards. */
const likeText = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

const like = (word: string) => sql`contacts.search like ${likeText(word)} escape '\\'`

function conditions(propertyId: string, filter: ContactFilter): RawBuilder<unknown>[] {
  return [
    sql`contacts.property_id = ${propertyId}`,
    ...(filter.state === undefined ? [] : [sql`contacts.state = ${filter.state}`]),
    ...(filter.lifecycle_stage === undefined ? [] : [sql`contacts.lifecycle_stage = ${filter.lifecycle_stage}`]),
  ]
}

/** Row by row; PostgreSQL itself goes to its trigram index where that is quicker. */
function rowSource(propertyId: string, filter: ContactFilter, words: readonly string[]): Source {
  return {
    from: sql`contacts`,
    where: [...conditions(propertyId, filter), ...words.map(like)],
    place: sql`contacts.seq`,
  }
}

/** SQLite's trigram index answers for words of three characters and more. */
const isIndexed = (word: string) => [...word].length >= 3

/** Phrases in quotes: no word of a search is an operator of the index. */
const matchText = (words: readonly string[]) => words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')

/** The index first, and of what it finds the rows: a cross join is kept in the order in which it is written. */
function indexSource(propertyId: string, filter: ContactFilter, words: readonly string[]): Source {
  const match = sql`contacts_search match ${matchText(words.filter(isIndexed))}`
  const rest = words.filter((word) => !isIndexed(word)).map(like)
  return {
    from: sql`contacts_search cross join contacts on contacts.seq = contacts_search.rowid`,
    where: [match, ...conditions(propertyId, filter), ...rest],
    place: sql`contacts_search.rowid`,
  }
}

const within = (source: Source, { first, last }: Slice): Source => ({
  ...source,
  where: [...source.where, sql`${source.place} between ${first} and ${last}`],
})

const whereOf = ({ where }: Source) => sql.join(where, sql` and `)

/** At most `most`, when that is given. */
async function countRows(records: Records, source: Source, most?: number): Promise<number> {
  const rows = sql`select 1 from ${source.from} where ${whereOf(source)}`
  const few = most === undefined ? rows : sql`${rows} limit ${most}`
  const answer = await sql<{ count: number }>`select count(*) as count from (${few}) as found`.execute(records)
  return answer.rows[0]?.count ?? 0
}

const columnList = sql.join(columns.map((column) => sql.ref(`contacts.${column}`)))

async function pageRows(records: Records, source: Source, offset: number, limit: number): Promise<Contact[]> {
  const answer = await sql<SelectedRow>`select ${columnList} from ${source.from} where ${whereOf(source)}
    order by ${source.place} desc limit ${limit} offset ${offset}`.execute(records)
  return answer.rows.map((row) => contactOf(toRow(row)))
}

export interface ContactPage {
  readonly rows: Contact[]
  readonly total: number
}

const offsetOf = (ask: PageAsk) => (ask.page - 1) * ask.perPage

/**
 * Places that one statement looks at: a statement holds up the whole process, for some 15 ms with as many as this. With fewer, the
 * beginning of each statement would be what costs.
 */
const SLICE = 25_000

async function endOf(records: Records, propertyId: string, direction: 'asc' | 'desc'): Promise<number> {
  const row = await contactsOf(records, propertyId).select('seq').orderBy('seq', direction).limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/** Newest first, cut by place and not by number: gaps and the contacts of other properties make slices smaller. */
async function slicesOf(records: Records, propertyId: string): Promise<Slice[]> {
  // One after the other: asked for both at once, SQLite would walk from end to end.
  const newest = await endOf(records, propertyId, 'desc')
  const oldest = await endOf(records, propertyId, 'asc')
  return Array.from({ length: Math.ceil((newest - oldest + 1) / SLICE) }, (_, i) => {
    const last = newest - i * SLICE
    return { first: Math.max(oldest, last - SLICE + 1), last }
  })
}

/** Slice by slice, and between two of them others have their turn. */
async function listInSlices(
  records: Records,
  source: Source,
  slices: readonly Slice[],
  ask: PageAsk,
): Promise<ContactPage> {
  const rows: Contact[] = []
  let total = 0
  for (const slice of slices) {
    const part = within(source, slice)
    const count = await countRows(records, part)
    const offset = Math.max(offsetOf(ask) - total, 0)
    const wanted = ask.perPage - rows.length
    if (wanted > 0 && offset < count) rows.push(...(await pageRows(records, part, offset, wanted)))
    total += count
    await nextTurn()
  }
  return { rows, total }
}

/** So many are looked at row by row in a few milliseconds; the index would first find those of all other properties. */
const SMALL = 20_000

async function isLarge(records: Records, propertyId: string): Promise<boolean> {
  const row = await contactsOf(records, propertyId)
    .select('seq')
    .orderBy('seq')
    .offset(SMALL)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Of fewer the index tells all in one statement; slice by slice it would begin anew each time. */
const FEW = 1_000

async function listOnSqlite(
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  ask: PageAsk,
): Promise<ContactPage> {
  const words = searchWords(filter.search ?? '')
  const slices = await slicesOf(records, propertyId)
  if (!words.some(isIndexed) || !(await isLarge(records, propertyId)))
    return listInSlices(records, rowSource(propertyId, filter, words), slices, ask)
  const source = indexSource(propertyId, filter, words)
  const count = await countRows(records, source, FEW + 1)
  if (count > FEW) return listInSlices(records, source, slices, ask)
  return { rows: await pageRows(records, source, offsetOf(ask), ask.perPage), total: count }
}

/** Newest first. The total is exact. */
export async function listContactRows(
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  ask: PageAsk,
): Promise<ContactPage> {
  if (recordsKind(records) === 'sqlite') return listOnSqlite(records, propertyId, filter, ask)
  const source = rowSource(propertyId, filter, searchWords(filter.search ?? ''))
  const [rows, total] = await Promise.all([
    pageRows(records, source, offsetOf(ask), ask.perPage),
    countRows(records, source),
  ])
  return { rows, total }
}
