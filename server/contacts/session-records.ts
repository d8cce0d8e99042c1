// The statements about the sessions of contacts, which the table of links knows.
import { sql } from 'kysely'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

interface LateLinks {
  readonly contactId: string
  /** Sessions that began before are left out. */
  readonly fromTs: number
}

type LinkRow = Pick<RecordTables['contact_sessions'], 'contact_id' | 'day' | 'session'>

/**
 * The sessions of each contact that began last, invalid ones left out. By contact alone, whose ids come from
 * the property: with the property in the statement SQLite reads all of its links, by their primary key.
 */
export async function listLatestLinks(records: Records, asked: readonly LateLinks[], each: number): Promise<LinkRow[]> {
  const parts = asked.map(
    ({ contactId, fromTs }) => sql`select * from (select contact_id, day, session from contact_sessions
    where contact_id = ${contactId} and entry_ts >= ${fromTs} and mark % 2 = 0 order by entry_ts desc limit ${each}) as latest`,
  )
  return (await sql<LinkRow>`${sql.join(parts, sql` union all `)}`.execute(records)).rows
}

/** The session of each contact that began first, invalid ones left out. */
export async function listFirstLinks(records: Records, contactIds: readonly string[]): Promise<LinkRow[]> {
  const parts = contactIds.map(
    (id) => sql`select * from (select contact_id, day, session from contact_sessions
    where contact_id = ${id} and mark % 2 = 0 order by entry_ts limit 1) as first`,
  )
  return (await sql<LinkRow>`${sql.join(parts, sql` union all `)}`.execute(records)).rows
}

/** All of a contact: days since 1970-01-01, and the session hash in decimal. */
export async function listSessionKeys(tx: Tx, propertyId: string, contactId: string) {
  return tx
    .selectFrom('contact_sessions')
    .select(['day', 'session'])
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .execute()
}

// ---------------------------------------------------------------- page by page

export interface Link {
  readonly day: number
  /** The session hash in decimal. */
  readonly session: string
  readonly entry_ts: number
}

/**
 * Where a page begins: behind so many of the sessions that began in that second, or, with none, before the
 * second.
 */
export interface Place {
  readonly entryTs: number
  readonly passed: number
}

/**
 * In the order of the ids within a second: the text of an id sorts as the day and the hash in it, and that of
 * a number by its length first.
 */
const linksOf = (records: Records, contactId: string) =>
  records
    .selectFrom('contact_sessions')
    .select(['day', 'session', 'entry_ts'])
    .where('contact_id', '=', contactId)
    .where((of) => of(of('mark', '%', 2), '=', 0))
    .orderBy('entry_ts', 'desc')
    .orderBy('day')
    .orderBy((of) => of.fn('length', ['session']))
    .orderBy('session')

/**
 * At most so many from there on. What is left of a second is asked for by itself: fewer than were passed may
 * be there by now.
 */
export async function readFrom(
  records: Records,
  contactId: string,
  place: Place | undefined,
  most: number,
): Promise<Link[]> {
  const of = linksOf(records, contactId)
  if (!place) return of.limit(most).execute()
  const rest =
    place.passed === 0 ? [] : await of.where('entry_ts', '=', place.entryTs).limit(most).offset(place.passed).execute()
  if (rest.length === most) return rest
  const earlier = of.where('entry_ts', '<', place.entryTs).limit(most - rest.length)
  return [...rest, ...(await earlier.execute())]
}
