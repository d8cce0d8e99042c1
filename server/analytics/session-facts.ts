// Sessions one by one: which of them stand on a page of the list, and what is known of each. The page is
// found by counting days first, so that a page far back sorts the sessions of its own days and no others.
import type { DayCount } from '../kernel/page.ts'
import type { Facts } from '../stores/facts.ts'
import { bindSessions, keyText, ofSessions, type SessionKey } from '../sessions/sessions.ts'
import { renamedColumns } from '../stores/session-columns.ts'
import type { DimensionField } from './dimensions.ts'
import { fieldColumns } from './session-schema.ts'
import { type Scope, sessionsOf } from './facts.ts'

const columns = renamedColumns({
  day: 'day',
  session: 'session',
  entry_ms: 'entry_ms',
  last_ms: 'last_ms',
  time_on_site: 'seconds_sum',
  views: 'view_count',
  bounced: 'bounced',
  scroll: 'scroll_mean',
  re_entries: 're_entries',
  tags: 'sorted_tags',
  entry_url: 'entry_url',
  entry_title: 'entry_title',
  method: 'method',
  link: 'entry_link',
  ...fieldColumns,
})

/** By the keys of a document that are as they are stored: '' where nothing is known. */
type Texts = Readonly<Record<DimensionField | 'entry_url' | 'entry_title', string>>

export interface SessionRow extends SessionKey, Texts {
  readonly entry_ms: string
  readonly last_ms: string
  readonly time_on_site: string
  readonly views: string
  readonly bounced: number
  readonly scroll: number
  readonly re_entries: string
  readonly tags: readonly string[]
  readonly method: string
  /** The short link through which the session began; '' without one. */
  readonly link: string
}

export interface PageRow extends SessionKey {
  readonly url: string
  readonly path: string
  readonly count: string
}

export interface EventRow extends SessionKey {
  readonly name: string
  readonly value: string | null
  readonly number: number | null
}

export interface FormRow extends SessionKey {
  readonly form_id: string
  readonly name: string
  readonly at_ms: string
}

/**
 * Pages, custom events and form submissions listed with one session, each. A person has fewer; those of a
 * script would fill the answer.
 */
const LISTED_PER_SESSION = 100

/** Sessions of the scope by day, the latest day first. */
export async function countDays(facts: Facts, scope: Scope): Promise<DayCount[]> {
  const where = await sessionsOf(facts, scope)
  const rows = await facts.query<{ day: string; sessions: string }>(
    'analytics.countDays',
    `SELECT day, count() AS sessions FROM sessions FINAL WHERE ${where.sql} GROUP BY day ORDER BY day DESC`,
    where.params,
  )
  return rows.map((row) => ({ day: row.day, count: Number(row.sessions) }))
}

/** Newest first by second of entry, then by id: the text of an id sorts like the day and hash in it. */
export async function listKeys(
  facts: Facts,
  scope: Scope,
  page: { days: readonly string[]; offset: number; limit: number },
): Promise<SessionKey[]> {
  const where = await sessionsOf(facts, scope)
  return facts.query<SessionKey>(
    'analytics.listKeys',
    `SELECT day, session FROM sessions FINAL WHERE ${where.sql} AND day IN {days:Array(Date)}
ORDER BY toUnixTimestamp(entry_at) DESC, day, session LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    { ...where.params, ...page },
  )
}

/** What is known of each of the sessions, by keyText. */
export async function readSessions(
  facts: Facts,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, SessionRow>> {
  const rows = await facts.query<SessionRow>(
    'analytics.readSessions',
    `SELECT ${columns} FROM sessions FINAL WHERE ${ofSessions}`,
    bindSessions(propertyId, keys),
  )
  return new Map(rows.map((row) => [keyText(row), row]))
}

/** Pages of each session in the order of the first visit, by keyText. */
export async function readPages(
  facts: Facts,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, PageRow[]>> {
  const rows = await facts.query<PageRow>(
    'analytics.readPages',
    `SELECT day, session, url, path, count() AS count FROM views FINAL WHERE ${ofSessions}
GROUP BY day, session, url, path ORDER BY min((at, view)) LIMIT ${LISTED_PER_SESSION} BY day, session`,
    bindSessions(propertyId, keys),
  )
  return Map.groupBy(rows, keyText)
}

/** Custom events of each session in the order of time, by keyText. */
export async function readEvents(
  facts: Facts,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, EventRow[]>> {
  const rows = await facts.query<EventRow>(
    'analytics.readEvents',
    `SELECT day, session, name, value, number FROM events FINAL WHERE ${ofSessions} AND kind = 'event'
ORDER BY at, id LIMIT ${LISTED_PER_SESSION} BY day, session`,
    bindSessions(propertyId, keys),
  )
  return Map.groupBy(rows, keyText)
}

/** What each session sent by forms in the order of time, by keyText. */
export async function readForms(
  facts: Facts,
  propertyId: string,
  keys: readonly SessionKey[],
): Promise<Map<string, FormRow[]>> {
  const rows = await facts.query<FormRow>(
    'analytics.readForms',
    `SELECT session_day AS day, session, form AS form_id, form_name AS name, toUnixTimestamp64Milli(at) AS at_ms
FROM form_events FINAL
WHERE property = {property:String} AND kind = 'submit' AND session_day IN {days:Array(Date)} AND session IN {sessions:Array(UInt64)}
ORDER BY at, id LIMIT ${LISTED_PER_SESSION} BY session_day, session`,
    bindSessions(propertyId, keys),
  )
  return Map.groupBy(rows, keyText)
}
