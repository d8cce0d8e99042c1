// The statements by which the identifications of one moment are stored together: each is about all of them,
// and names in its conditions what was known of each before, so that one which something came in between of
// is left out.
import { type RawBuilder, sql } from 'kysely'
import { dayFromText } from '../kernel/days.ts'
import { columns, type ContactRow, type SelectedRow, toRow } from '../contacts/records.ts'
import { searchText } from '../contacts/search.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import { jsonRows } from '../stores/json-rows.ts'
import { type Records, type Tx, writeAll } from '../stores/records.ts'

export interface PropertySession {
  readonly propertyId: string
  readonly key: SessionKey
}

/** A condition on `contact_sessions`: the link of one of these sessions. */
export function isOneOf(records: Records | Tx, sessions: readonly PropertySession[]): RawBuilder<boolean> {
  const places = sessions.map(({ propertyId, key }) => [propertyId, dayFromText(key.day), key.session])
  return sql<boolean>`(property_id, day, session) in
    (select value ->> 0, cast(value ->> 1 as integer), value ->> 2 from ${jsonRows(records, places)})`
}

/** A person as the owner names them. */
export interface Named {
  readonly propertyId: string
  readonly externalId: string
}

/** Of those that there are. */
export async function listNamed(records: Records, asked: readonly Named[]): Promise<ContactRow[]> {
  const names = asked.map(({ propertyId, externalId }) => [propertyId, externalId])
  const { rows } = await sql<SelectedRow>`select ${sql.join(columns.map((column) => sql.ref(column)))} from contacts
    where (property_id, external_id) in (select value ->> 0, value ->> 1 from ${jsonRows(records, names)})`.execute(
    records,
  )
  return rows.map(toRow)
}

/** A session that has no contact yet. */
export interface NewSession {
  readonly key: SessionKey
  /** When it began. */
  readonly entryTs: number
}

/** What is stored of one identification by an external id, when nothing came in between. */
export interface Sighted {
  readonly row: ContactRow
  readonly isNew: boolean
  readonly session: NewSession | undefined
  readonly atMs: number
}

/** As the contact stands afterwards. */
export type Stored = Pick<ContactRow, 'id' | 'last_seen_ms' | 'session_count' | 'first_seen_ts'>

const stored = sql`id, last_seen_ms, session_count, first_seen_ts`

const sessionOf = (session: NewSession | undefined) =>
  session && { day: dayFromText(session.key.day), session: session.key.session, entry: session.entryTs }

/** The session of `asked` has no contact, or there is none. */
const isFree = sql`not exists (select 1 from contact_sessions as held
  where held.property_id = value ->> 'property_id' and held.day = value ->> 'day' and held.session = value ->> 'session')`

/** The external id leads to nobody by a merge. */
const isNew = sql`not exists (select 1 from contact_aliases where contact_aliases.kind = 'external_id'
  and contact_aliases.property_id = value ->> 'property_id' and contact_aliases.alias = value ->> 'external_id')`

const newColumns = [...columns, 'search'] as const

/** Of those whose external id and claim nobody has by now. */
function insertNew(records: Records, people: readonly Sighted[]): RawBuilder<Stored> {
  const rows = people.map(({ row, session }) => ({
    ...row,
    ...(session && { session_count: 1, first_seen_ts: Math.min(row.first_seen_ts, session.entryTs) }),
    meta: JSON.stringify(row.meta),
    search: searchText(row),
    ...sessionOf(session),
  }))
  return sql<Stored>`insert into contacts (${sql.join(newColumns.map((column) => sql.ref(column)))})
    select ${sql.join(newColumns.map((column) => sql`value ->> ${sql.lit(column)}`))} from ${jsonRows(records, rows)}
    where ${isFree} and ${isNew} on conflict do nothing returning ${stored}`
}

const knownRows = (people: readonly Sighted[]) =>
  people.map(({ row, session, atMs }) => ({
    id: row.id,
    property_id: row.property_id,
    external_id: row.external_id,
    at: atMs,
    ...sessionOf(session),
  }))

/** Of those that still have the external id by which they were found. */
function touchKnown(records: Records, people: readonly Sighted[]): RawBuilder<Stored> {
  return sql<Stored>`update contacts set last_seen_ms = max(last_seen_ms, value ->> 'at')
    from ${jsonRows(records, knownRows(people))}
    where contacts.id = value ->> 'id' and property_id = value ->> 'property_id' and external_id = value ->> 'external_id'
    returning ${stored}`
}

/** The same, with one more session. */
function countKnown(records: Records, people: readonly Sighted[]): RawBuilder<Stored> {
  return sql<Stored>`update contacts set last_seen_ms = max(last_seen_ms, value ->> 'at'),
      session_count = session_count + 1, first_seen_ts = min(first_seen_ts, value ->> 'entry')
    from ${jsonRows(records, knownRows(people))}
    where contacts.id = value ->> 'id' and property_id = value ->> 'property_id' and external_id = value ->> 'external_id'
      and ${isFree}
    returning ${stored}`
}

/** After the statements before: where these have left one out, its session stays free. */
function insertLinks(records: Records, people: readonly Sighted[]): RawBuilder<Stored> {
  return sql<Stored>`insert into contact_sessions (property_id, day, session, contact_id, entry_ts, is_noted)
    select value ->> 'property_id', value ->> 'day', value ->> 'session', value ->> 'id', value ->> 'entry', 0
    from ${jsonRows(records, knownRows(people))}
    where exists (select 1 from contacts where contacts.id = value ->> 'id'
      and contacts.property_id = value ->> 'property_id' and contacts.external_id = value ->> 'external_id')
    on conflict (property_id, day, session) do nothing`
}

/**
 * SQLite alone: PostgreSQL would have those wait for each other who share a lock. One transaction.
 * @param people of different external ids and sessions.
 * @returns those that are stored, by id; of the others nothing is.
 */
export async function storeSighted(records: Records, people: readonly Sighted[]): Promise<Map<string, Stored>> {
  const known = people.filter(({ isNew }) => !isNew)
  const parts = [
    [insertNew, people.filter(({ isNew }) => isNew)],
    [touchKnown, known.filter(({ session }) => !session)],
    [countKnown, known.filter(({ session }) => session)],
    [insertLinks, people.filter(({ session }) => session)],
  ] as const
  const statements = parts.filter(([, some]) => some.length > 0).map(([make, some]) => make(records, some))
  const rows = (await writeAll(records, statements)).flatMap((result) => result.rows as Stored[])
  return new Map(rows.map((row) => [row.id, row]))
}
