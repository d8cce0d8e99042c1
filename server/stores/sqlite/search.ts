// The full-text index over contacts in SQLite: when a search goes by it, what it forgets at once, and how it
// is rid of what it only marked as gone. On PostgreSQL there is nothing to do: it chooses its index by
// itself, and its vacuum keeps it.
import { setTimeout as pause } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { recordsKind, type Records, type Tx } from '../records.ts'

/**
 * Pages of the index that one step of a merge writes. It holds the write lock for so long; writes of others
 * wait for it.
 */
const PAGES = 64
/** More than an index of millions of contacts has; one that grows meanwhile is not chased for ever. */
const MAX_STEPS = 20_000
/** Between two steps others may write. */
const REST_MS = 15

/** A property with fewer contacts is looked at row by row: the index would first find those of all others. */
const SMALL = 20_000
/** Finds at either end of the list by which it is guessed how many there are. */
const FINDS = 5_000
/** Where at least one contact in so many is found, looking at each is quicker than the index. */
const DENSE = 10

/** The index answers for words of three characters and more. */
const isIndexed = (word: string): boolean => [...word].length >= 3

/** Phrases in quotes: no word of a search is an operator of the index. */
const matchText = (words: readonly string[]): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' AND ')

interface Places {
  readonly first: number
  readonly last: number
}

/**
 * Between which places the contacts of a property are; undefined when they are few. Each end by itself:
 * together they would be a walk.
 */
async function placesOf(records: Records, propertyId: string): Promise<Places | undefined> {
  const place = (order: RawBuilder<unknown>, offset: number) =>
    sql`(select seq from contacts where property_id = ${propertyId} order by seq ${order} limit 1 offset ${offset})`
  const { rows } = await sql<{ first: number; last: number; beyond: number | null }>`
    select ${place(sql`asc`, 0)} as first, ${place(sql`desc`, 0)} as last, ${place(sql`asc`, SMALL)} as beyond`.execute(
    records,
  )
  return rows[0]?.beyond ? rows[0] : undefined
}

async function areDense(records: Records, match: RawBuilder<unknown>): Promise<boolean> {
  for (const order of [sql`desc`, sql`asc`]) {
    const { rows } = await sql<{ found: number; span: number }>`
      select count(*) as found, max(seq) - min(seq) as span
      from (select rowid as seq from contacts_search where ${match} order by rowid ${order} limit ${FINDS})`.execute(
      records,
    )
    if (rows[0]!.found === FINDS && rows[0]!.span < FINDS * DENSE) return true
  }
  return false
}

export interface IndexedSearch {
  /** Of `contacts_search`. */
  readonly match: RawBuilder<unknown>
  /** Words that the index does not know. */
  readonly others: readonly string[]
}

/** Undefined where each contact is to be looked at. */
export async function indexedSearch(
  records: Records,
  propertyId: string,
  words: readonly string[],
): Promise<IndexedSearch | undefined> {
  const indexed = words.filter(isIndexed)
  if (recordsKind(records) !== 'sqlite' || indexed.length === 0) return undefined
  const places = await placesOf(records, propertyId)
  if (!places) return undefined
  const match = sql`contacts_search match ${matchText(indexed)}
    and contacts_search.rowid between ${places.first} and ${places.last}`
  if (await areDense(records, match)) return undefined
  return { match, others: words.filter((word) => !isIndexed(word)) }
}

/**
 * A column whose index is not to be used. PostgreSQL counts how often its values are, and chooses by that.
 */
export const withoutIndex = (records: Records, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  recordsKind(records) === 'sqlite' ? sql`+${column}` : column

const command = (name: string, rank: number) =>
  sql`insert into contacts_search(contacts_search, rank) values (${name}, ${rank})`

/**
 * What `work` takes out of contacts leaves nothing in the index. Costs as much as a thousand other changes,
 * since every place of the index in which the text stands is written anew; without it a text that goes is
 * marked as gone, until the index is next merged.
 */
export async function forgetting<T>(records: Records, tx: Tx, work: () => Promise<T>): Promise<T> {
  if (recordsKind(records) !== 'sqlite') return work()
  await command('secure-delete', 1).execute(tx)
  const result = await work()
  await command('secure-delete', 0).execute(tx)
  return result
}

async function changesOf(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(tx)
  return rows[0]!.count
}

/** SQLite's documentation names fewer than two changed rows as the sign that there was nothing to merge. */
function didMerge(records: Records, pages: number): Promise<boolean> {
  return records.transaction().execute(async (tx) => {
    const before = await changesOf(tx)
    await command('merge', pages).execute(tx)
    return (await changesOf(tx)) - before >= 2
  })
}

/**
 * Merges the whole index, so that what was marked as gone is left out of it. Takes a while; others write in
 * between.
 */
export async function dropMarked(records: Records): Promise<void> {
  if (recordsKind(records) !== 'sqlite') return
  // The first step, by its minus, puts everything that there is into the merge; those after it carry it on.
  for (let step = 0; step < MAX_STEPS && (await didMerge(records, step === 0 ? -PAGES : PAGES)); step++)
    await pause(REST_MS)
}
