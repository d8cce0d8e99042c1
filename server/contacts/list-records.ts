// The list of contacts: its filters, its search, its orders, its pages and its total, which is exact. Each
// order has an index, with the place after its key (014_contact_orders), so that pages neither repeat nor
// lose anybody.
import { type RawBuilder, sql } from 'kysely'
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import { contains, fromNearerEnd, type Span } from '../stores/lists.ts'
import { scanning } from '../stores/records/scans.ts'
import { jsonRows } from '../stores/json-rows.ts'
import { indexedSearch, withoutIndex } from '../stores/sqlite/search.ts'
import { recordsKind, type Records } from '../stores/records.ts'
import type { Contact, StoredOrder } from './contact-model.ts'
import type { ContactFilter } from './contacts.ts'
import { columns, contactOf, contactsOf, toRow } from './records.ts'
import { searchWords } from './search.ts'

export interface ContactList {
  readonly propertyId: string
  readonly filter: ContactFilter
  /** Undefined: in which they were made, newest first. */
  readonly order?: StoredOrder | undefined
}

/**
 * What a statement of the list reads: from where, under which conditions, and which order it brings along.
 */
interface Source {
  readonly from: RawBuilder<unknown>
  readonly where: readonly RawBuilder<unknown>[]
  readonly place: RawBuilder<unknown>
}

const state = sql`contacts.state`
const stage = sql`contacts.lifecycle_stage`

const isLabelled = (kind: 'list' | 'tag', key: string): RawBuilder<unknown> =>
  sql`exists (select 1 from contact_labels where contact_labels.contact_id = contacts.id
    and contact_labels.kind = ${kind} and contact_labels.label_key = ${key})`

/** @param column as it is compared. */
function conditions(
  { propertyId, filter }: ContactList,
  column = (of: RawBuilder<unknown>): RawBuilder<unknown> => of,
): RawBuilder<unknown>[] {
  return [
    sql`contacts.property_id = ${propertyId}`,
    ...(filter.state === undefined ? [] : [sql`${column(state)} = ${filter.state}`]),
    ...(filter.lifecycle_stage === undefined ? [] : [sql`${column(stage)} = ${filter.lifecycle_stage}`]),
    ...(filter.list === undefined ? [] : [isLabelled('list', filter.list)]),
    ...(filter.tag === undefined ? [] : [isLabelled('tag', filter.tag)]),
  ]
}

const wordsOf = ({ filter }: ContactList): string[] => searchWords(filter.search ?? '')
const has = (word: string): RawBuilder<boolean> => contains(sql`contacts.search`, word)

/** By the index of a search, or row by row in the order of their places. */
async function sourceOf(records: Records, list: ContactList): Promise<Source> {
  const found = await indexedSearch(records, list.propertyId, wordsOf(list))
  if (!found) {
    const where = [...conditions(list), sql`contacts.seq > 0`, ...wordsOf(list).map(has)]
    return { from: sql`contacts`, where, place: sql`contacts.seq` }
  }
  return {
    // A cross join is kept in the order in which it is written.
    from: sql`contacts_search cross join contacts on contacts.seq = contacts_search.rowid`,
    where: [found.match, ...conditions(list), ...found.others.map(has)],
    place: sql`contacts_search.rowid`,
  }
}

/** Along the index of the order, whatever else there is an index of. */
const walkOf = (records: Records, list: ContactList): Source => ({
  from: sql`contacts`,
  where: [...conditions(list, (column) => withoutIndex(records, column)), ...wordsOf(list).map(has)],
  place: sql`contacts.seq`,
})

const whereOf = ({ where }: Source) => sql.join(where, sql` and `)

async function countRows(records: Records, source: Source): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${source.from}
    where ${whereOf(source)}`.execute(records)
  return rows[0]!.count
}

/** Word for word what 014_contact_orders has an index over. */
function shownName(records: Records): RawBuilder<unknown> {
  const nobody = sql.lit('\u{10ffff}')
  const name = sql`coalesce(first_name || ' ' || last_name, first_name, last_name, email, external_id, ${nobody})`
  const byBytes = recordsKind(records) === 'sqlite' ? name : sql`${name} collate "C"`
  return sql`(case when state = 'deleted' then ${nobody} else lower(${byBytes}) end)`
}

const keys: Readonly<Record<StoredOrder['sort'], (records: Records) => RawBuilder<unknown>>> = {
  last_seen: () => sql`last_seen_ms`,
  first_seen: () => sql`first_seen_ts`,
  name: shownName,
  sessions: () => sql`session_count`,
}

/** @param isTurned from the other end. */
function orderOf(records: Records, order: StoredOrder | undefined, { place }: Source, isTurned: boolean) {
  const direction = (order?.isDescending ?? true) === isTurned ? sql`asc` : sql`desc`
  return order ? sql`${keys[order.sort](records)} ${direction}, ${place} ${direction}` : sql`${place} ${direction}`
}

async function readPlaces(
  records: Records,
  source: Source,
  order: RawBuilder<unknown>,
  { offset, limit }: Span,
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`select ${source.place} as seq from ${source.from}
    where ${whereOf(source)} order by ${order} limit ${limit} offset ${offset}`.execute(records)
  return rows.map(({ seq }) => seq)
}

async function readContacts(records: Records, propertyId: string, places: readonly number[]): Promise<Contact[]> {
  if (places.length === 0) return []
  const rows = await contactsOf(records, propertyId)
    .select([...columns, 'seq'])
    .where('seq', 'in', places)
    .execute()
  const found = new Map(rows.map(({ seq, ...row }) => [seq, contactOf(toRow(row))]))
  return places.flatMap((place) => found.get(place) ?? [])
}

export interface FoundContacts {
  readonly rows: Contact[]
  readonly total: number
}

/**
 * So many are put in order in a few milliseconds. Of more, one is met soon enough on a walk along the index.
 */
const FEW = 5_000

export async function listContactRows(
  allRecords: Records,
  list: ContactList,
  query: PageQuery,
): Promise<FoundContacts> {
  const records = scanning(allRecords)
  const source = await sourceOf(records, list)
  const total = await countRows(records, source)
  const paged = list.order && total > FEW ? walkOf(records, list) : source
  const places = await fromNearerEnd(total, { offset: offsetOf(query), limit: query.perPage }, (span, isTurned) =>
    readPlaces(records, paged, orderOf(records, list.order, paged, isTurned), span),
  )
  return { rows: await readContacts(records, list.propertyId, places), total }
}

// ---------------------------------------------------------------- in an order of the facts

/** The places of those that match, in the order of the ids. */
async function placesOf(records: Records, list: ContactList, ids: readonly string[]): Promise<number[]> {
  if (ids.length === 0) return []
  const where = [...conditions(list), ...wordsOf(list).map(has)]
  const { rows } = await sql<{ id: string; seq: number }>`select id, seq from contacts
    where ${sql.join(where, sql` and `)} and id in (select value ->> 0 from ${jsonRows(
      records,
      ids.map((id) => [id]),
    )})`.execute(records)
  const places = new Map(rows.map(({ id, seq }) => [id, seq]))
  return ids.flatMap((id) => places.get(id) ?? [])
}

/** The others, newest first. */
async function otherPlaces(
  records: Records,
  source: Source,
  ranked: readonly number[],
  { offset, limit }: Span,
): Promise<number[]> {
  if (limit <= 0) return []
  const others = sql`${source.place} not in (select cast(value ->> 0 as bigint) from ${jsonRows(
    records,
    ranked.map((seq) => [seq]),
  )})`
  const without = ranked.length === 0 ? source : { ...source, where: [...source.where, others] }
  return readPlaces(records, without, sql`${source.place} desc`, { offset, limit })
}

/**
 * First those of the ids, then all others; the other way round when the least comes first. @param ids the
 * largest first.
 */
export async function listRankedRows(
  allRecords: Records,
  list: ContactList & { readonly ids: readonly string[]; readonly isDescending: boolean },
  query: PageQuery,
): Promise<FoundContacts> {
  const records = scanning(allRecords)
  const source = await sourceOf(records, list)
  const total = await countRows(records, source)
  const found = await placesOf(records, list, list.ids)
  const ranked = list.isDescending ? found : found.toReversed()
  const others = total - ranked.length
  const from = offsetOf(query)
  const to = from + query.perPage
  const [rankedFrom, othersFrom] = list.isDescending ? [0, ranked.length] : [others, 0]
  const own = ranked.slice(Math.max(0, from - rankedFrom), Math.max(0, to - rankedFrom))
  const span = {
    offset: Math.max(0, from - othersFrom),
    limit: Math.min(to, othersFrom + others) - Math.max(from, othersFrom),
  }
  const rest = await otherPlaces(records, source, found, span)
  const places = list.isDescending ? [...own, ...rest] : [...rest, ...own]
  return { rows: await readContacts(records, list.propertyId, places), total }
}
