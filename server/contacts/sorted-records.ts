// The list of contacts in another order than that in which they were made: by an index each (014_contact_orders), equals by their place, so that
// pages neither repeat nor lose anybody. In SQLite a statement holds up the whole process, so each is kept small.
import { type RawBuilder, sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageAsk } from '../kernel/page.ts'
import { recordsKind, type Records } from '../stores/records.ts'
import type { Contact, ContactOrder, ContactSort } from './contact-model.ts'
import type { ContactFilter } from './contacts.ts'
import {
  conditions,
  countRows,
  type Found,
  like,
  listPlacesOnSqlite,
  offsetOf,
  rowSource,
  whereOf,
} from './list-records.ts'
import { columns, contactOf, contactsOf, toRow } from './records.ts'
import { searchWords } from './search.ts'

/** What is listed, of whom, and how. */
export interface SortedList {
  readonly propertyId: string
  readonly filter: ContactFilter
  readonly order: ContactOrder
}

/** Rows of an order, counted from its beginning. */
interface Stretch {
  readonly offset: number
  readonly limit: number
}

/** Word for word what 014_contact_orders has an index over. */
function shownName(records: Records): RawBuilder<unknown> {
  const nobody = sql.lit('\u{10ffff}')
  const name = sql`coalesce(first_name || ' ' || last_name, first_name, last_name, email, external_id, ${nobody})`
  const byBytes = recordsKind(records) === 'sqlite' ? name : sql`${name} collate "C"`
  return sql`(case when state = 'deleted' then ${nobody} else lower(${byBytes}) end)`
}

const keys: Readonly<Record<ContactSort, (records: Records) => RawBuilder<unknown>>> = {
  last_seen: () => sql`last_seen_ms`,
  first_seen: () => sql`first_seen_ts`,
  name: shownName,
  sessions: () => sql`session_count`,
}

const keyOf = (records: Records, { sort }: ContactOrder) => keys[sort](records)
const directionOf = ({ isDescending }: ContactOrder) => (isDescending ? sql`desc` : sql`asc`)

/** Of those under the conditions. */
async function sortedPlaces(
  records: Records,
  order: ContactOrder,
  where: RawBuilder<unknown>,
  { offset, limit }: Stretch,
): Promise<number[]> {
  const direction = directionOf(order)
  const { rows } = await sql<{ seq: number }>`select seq from contacts where ${where}
    order by ${keyOf(records, order)} ${direction}, seq ${direction} limit ${limit} offset ${offset}`.execute(records)
  return rows.map(({ seq }) => seq)
}

// ---------------------------------------------------------------- a filter, row by row along the index

/** Rows that one walks past at a time: a few milliseconds, with a search among the conditions. */
const STEP = 1_000

interface Passed {
  readonly seq: number
  readonly key: string | number
  readonly fits: number
}

/** The next rows of the order: those equal to the last one, then those beyond it. Each is one stretch of the index. */
async function step(records: Records, list: SortedList, fits: RawBuilder<unknown>, last?: Passed): Promise<Passed[]> {
  const key = keyOf(records, list.order)
  const direction = directionOf(list.order)
  const beyond = list.order.isDescending ? sql`<` : sql`>`
  const read = async (from: RawBuilder<unknown>, limit: number) => {
    const { rows } = await sql<Passed>`select seq, ${key} as key, case when ${fits} then 1 else 0 end as fits
      from contacts where property_id = ${list.propertyId} and ${from}
      order by ${key} ${direction}, seq ${direction} limit ${limit}`.execute(records)
    return rows
  }
  if (!last) return read(sql`1 = 1`, STEP)
  const equal = await read(sql`${key} = ${last.key} and seq ${beyond} ${last.seq}`, STEP)
  if (equal.length === STEP) return equal
  return [...equal, ...(await read(sql`${key} ${beyond} ${last.key}`, STEP - equal.length))]
}

async function placesByWalk(
  records: Records,
  list: SortedList,
  fits: RawBuilder<unknown>,
  { offset, limit }: Stretch,
): Promise<number[]> {
  const places: number[] = []
  let last: Passed | undefined
  do {
    const passed = await step(records, list, fits, last)
    places.push(...passed.filter((row) => row.fits === 1).map(({ seq }) => seq))
    last = passed.length === STEP ? passed.at(-1) : undefined
    await nextTurn() // for others
  } while (last && places.length < offset + limit)
  return places.slice(offset, offset + limit)
}

// ---------------------------------------------------------------- pages

/** The same rows from the other end of the order, where that is nearer: nobody walks past more than half of them. */
async function fromNearerEnd(
  order: ContactOrder,
  total: number,
  { offset, limit }: Stretch,
  read: (order: ContactOrder, stretch: Stretch) => Promise<number[]>,
): Promise<number[]> {
  const count = Math.min(limit, total - offset)
  if (count <= 0) return []
  const after = total - offset - count
  if (offset <= after) return read(order, { offset, limit: count })
  const turned = { ...order, isDescending: !order.isDescending }
  return (await read(turned, { offset: after, limit: count })).toReversed()
}

const stretchOf = (ask: PageAsk): Stretch => ({ offset: offsetOf(ask), limit: ask.perPage })

/** So many are put in order in a few milliseconds. Of more, one is met soon enough on a walk along the index. */
const FEW = 5_000

async function placesOnSqlite(records: Records, list: SortedList, ask: PageAsk): Promise<Found<number>> {
  const { propertyId, filter } = list
  const { rows: found, total } = await listPlacesOnSqlite(records, propertyId, filter, FEW)
  if (total <= FEW) {
    const where = sql`property_id = ${propertyId} and seq in (select value from json_each(${JSON.stringify(found)}))`
    return { rows: await sortedPlaces(records, list.order, where, stretchOf(ask)), total }
  }
  const [ofProperty, ...others] = [...conditions(propertyId, filter), ...searchWords(filter.search ?? '').map(like)]
  const rows = await fromNearerEnd(list.order, total, stretchOf(ask), (order, stretch) =>
    others.length === 0
      ? sortedPlaces(records, order, sql`${ofProperty}`, stretch)
      : placesByWalk(records, { ...list, order }, sql.join(others, sql` and `), stretch),
  )
  return { rows, total }
}

async function placesOnPostgres(records: Records, list: SortedList, ask: PageAsk): Promise<Found<number>> {
  const { propertyId, filter } = list
  const source = rowSource(propertyId, filter, searchWords(filter.search ?? ''))
  const total = await countRows(records, source)
  const rows = await fromNearerEnd(list.order, total, stretchOf(ask), (order, stretch) =>
    sortedPlaces(records, order, whereOf(source), stretch),
  )
  return { rows, total }
}

/** The total is exact. */
export async function listSortedRows(records: Records, list: SortedList, ask: PageAsk): Promise<Found<Contact>> {
  const find = recordsKind(records) === 'sqlite' ? placesOnSqlite : placesOnPostgres
  const { rows: places, total } = await find(records, list, ask)
  if (places.length === 0) return { rows: [], total }
  const rows = await contactsOf(records, list.propertyId)
    .select([...columns, 'seq'])
    .where('seq', 'in', places)
    .execute()
  const found = new Map(rows.map(({ seq, ...row }) => [seq, contactOf(toRow(row))]))
  return { rows: places.flatMap((place) => found.get(place) ?? []), total }
}
