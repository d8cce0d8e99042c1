// The list of contacts: its filters, its search, its pages and its total. In SQLite a statement holds up the whole process, so each is kept small.
import { type RawBuilder, sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageAsk } from '../kernel/page.ts'
import { recordsKind, type Records } from '../stores/records.ts'
import type { Contact } from './contact-model.ts'
import type { ContactFilter } from './contacts.ts'
import { columns, contactOf, contactsOf, type SelectedRow, toRow } from './records.ts'
import { searchWords } from './search.ts'

/** What a statement of the list reads: from where, under which conditions, and what its order goes by. */
export interface Source {
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

export const like = (word: string) => sql`contacts.search like ${likeText(word)} escape '\\'`

export function conditions(propertyId: string, filter: ContactFilter): RawBuilder<unknown>[] {
  return [
    sql`contacts.property_id = ${propertyId}`,
    ...(filter.state === undefined ? [] : [sql`contacts.state = ${filter.state}`]),
    ...(filter.lifecycle_stage === undefined ? [] : [sql`contacts.lifecycle_stage = ${filter.lifecycle_stage}`]),
  ]
}

/** Row by row; PostgreSQL itself goes to its trigram index where that is quicker. */
export function rowSource(propertyId: string, filter: ContactFilter, words: readonly string[]): Source {
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

/** What the index answers, and what is asked of each row that it finds. */
interface Search {
  readonly match: RawBuilder<unknown>
  readonly rest: readonly RawBuilder<unknown>[]
}

function searchOf(propertyId: string, filter: ContactFilter, words: readonly string[]): Search {
  return {
    match: sql`contacts_search match ${matchText(words.filter(isIndexed))}`,
    rest: [...conditions(propertyId, filter), ...words.filter((word) => !isIndexed(word)).map(like)],
  }
}

/** The index first, and of what it finds the rows: a cross join is kept in the order in which it is written. */
const indexSource = ({ match, rest }: Search): Source => ({
  from: sql`contacts_search cross join contacts on contacts.seq = contacts_search.rowid`,
  where: [match, ...rest],
  place: sql`contacts_search.rowid`,
})

const within = (source: Source, { first, last }: Slice): Source => ({
  ...source,
  where: [...source.where, sql`${source.place} between ${first} and ${last}`],
})

export const whereOf = ({ where }: Source) => sql.join(where, sql` and `)

export async function countRows(records: Records, source: Source): Promise<number> {
  const answer = await sql<{ count: number }>`select count(*) as count from ${source.from}
    where ${whereOf(source)}`.execute(records)
  return answer.rows[0]?.count ?? 0
}

const columnList = sql.join(columns.map((column) => sql.ref(`contacts.${column}`)))

async function pageRows(records: Records, source: Source, offset: number, limit: number): Promise<Contact[]> {
  const answer = await sql<SelectedRow>`select ${columnList} from ${source.from} where ${whereOf(source)}
    order by ${source.place} desc limit ${limit} offset ${offset}`.execute(records)
  return answer.rows.map((row) => contactOf(toRow(row)))
}

/** Their places alone: for who has them in another order. */
async function pagePlaces(records: Records, source: Source, offset: number, limit: number): Promise<number[]> {
  const answer = await sql<{ seq: number }>`select ${source.place} as seq from ${source.from} where ${whereOf(source)}
    order by ${source.place} desc limit ${limit} offset ${offset}`.execute(records)
  return answer.rows.map(({ seq }) => seq)
}

/** A page, and what of it is read: the contacts, or where they are. */
interface Wanted<Row> extends PageAsk {
  readonly read: (records: Records, source: Source, offset: number, limit: number) => Promise<Row[]>
}

export interface Found<Row> {
  readonly rows: Row[]
  readonly total: number
}

export const offsetOf = (ask: PageAsk) => (ask.page - 1) * ask.perPage

/** A statement holds up the whole process: each slice is cut so that it takes about so long. */
const GOAL_MS = 8
/** Longer ones would tell too little of how long the next one takes. */
const SLICE = { least: 500, first: 4_000, most: 100_000 }

/** By the time that so many places took; a stretch that was quick says little about one many times as long. */
function nextSize(size: number, tookMs: number): number {
  const fitting = Math.round(size * Math.min(GOAL_MS / Math.max(tookMs, 0.01), 4))
  return Math.min(Math.max(fitting, SLICE.least), SLICE.most)
}

async function endOf(records: Records, propertyId: string, direction: 'asc' | 'desc'): Promise<number> {
  const row = await contactsOf(records, propertyId).select('seq').orderBy('seq', direction).limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

/** The page as it grows from the newest stretch of places to the oldest. */
interface Gathered<Row> extends Found<Row> {
  total: number
}

async function gather<Row>(
  records: Records,
  part: Source,
  count: number,
  ask: Wanted<Row>,
  page: Gathered<Row>,
): Promise<void> {
  const offset = Math.max(offsetOf(ask) - page.total, 0)
  const wanted = ask.perPage - page.rows.length
  if (wanted > 0 && offset < count) page.rows.push(...(await ask.read(records, part, offset, wanted)))
  page.total += count
  await nextTurn() // for others
}

/** Row by row, cut by place and not by number: gaps and the contacts of other properties make slices smaller. */
async function listBySlices<Row>(records: Records, source: Source, all: Slice, ask: Wanted<Row>): Promise<Found<Row>> {
  const page: Gathered<Row> = { rows: [], total: 0 }
  for (let { last } = all, size = SLICE.first; last >= all.first;) {
    const part = within(source, { first: Math.max(all.first, last - size + 1), last })
    const beganMs = performance.now()
    const count = await countRows(records, part)
    const next = nextSize(size, performance.now() - beganMs)
    await gather(records, part, count, ask, page)
    last -= size
    size = next
  }
  return page
}

/** Finds of the index that one statement looks at. A few milliseconds, and those that it takes to come to the first find. */
const FINDS = 5_000
/** Where at least one contact in so many is found, looking at each is quicker than the index. */
const DENSE = 10

interface Finds {
  readonly found: number
  /** The place of the last of them. */
  readonly first: number
  /** Those that hold to the other conditions too. */
  readonly count: number
}

/** The newest finds of a stretch. They are taken before any other condition is asked: however few hold to it, no more is looked at. */
async function newestFinds(records: Records, search: Search, { first, last }: Slice): Promise<Finds> {
  const answer = await sql<Finds>`select count(*) as found, coalesce(min(finds.seq), 0) as first,
    coalesce(sum(case when ${sql.join(search.rest, sql` and `)} then 1 else 0 end), 0) as count
    from (select rowid as seq from contacts_search where ${search.match} and rowid between ${first} and ${last}
      order by rowid desc limit ${FINDS}) as finds
    cross join contacts on contacts.seq = finds.seq`.execute(records)
  return answer.rows[0] ?? { found: 0, first, count: 0 }
}

/** @returns undefined when it finds too many for its way of finding them. */
async function listByFinds<Row>(
  records: Records,
  search: Search,
  all: Slice,
  ask: Wanted<Row>,
): Promise<Found<Row> | undefined> {
  const page: Gathered<Row> = { rows: [], total: 0 }
  for (let { last } = all; last >= all.first;) {
    const finds = await newestFinds(records, search, { first: all.first, last })
    const isAll = finds.found < FINDS
    if (!isAll && last - finds.first < FINDS * DENSE) return undefined
    const part = within(indexSource(search), { first: isAll ? all.first : finds.first, last })
    await gather(records, part, finds.count, ask, page)
    if (isAll) break
    last = finds.first - 1
  }
  return page
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

async function listOnSqlite<Row>(
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  ask: Wanted<Row>,
): Promise<Found<Row>> {
  const words = searchWords(filter.search ?? '')
  // One after the other: asked for both at once, SQLite would walk from end to end.
  const last = await endOf(records, propertyId, 'desc')
  if (last === 0) return { rows: [], total: 0 }
  const all = { first: await endOf(records, propertyId, 'asc'), last }
  const isSearched = words.some(isIndexed) && (await isLarge(records, propertyId))
  const found = isSearched && (await listByFinds(records, searchOf(propertyId, filter, words), all, ask))
  return found || listBySlices(records, rowSource(propertyId, filter, words), all, ask)
}

/** Where those are that match: of at most so many, the newest; and how many there are. */
export const listPlacesOnSqlite = (
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  most: number,
): Promise<Found<number>> => listOnSqlite(records, propertyId, filter, { page: 1, perPage: most, read: pagePlaces })

/** Newest first. The total is exact. */
export async function listContactRows(
  records: Records,
  propertyId: string,
  filter: ContactFilter,
  ask: PageAsk,
): Promise<Found<Contact>> {
  if (recordsKind(records) === 'sqlite') return listOnSqlite(records, propertyId, filter, { ...ask, read: pageRows })
  const source = rowSource(propertyId, filter, searchWords(filter.search ?? ''))
  const [rows, total] = await Promise.all([
    pageRows(records, source, offsetOf(ask), ask.perPage),
    countRows(records, source),
  ])
  return { rows, total }
}
