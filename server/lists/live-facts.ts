// Sessions of the last five minutes: the latest of them, and what most of them look at and come from.
import type { Facts } from '../stores/facts.ts'
import { foldedColumn, type SessionColumn } from '../stores/session-columns.ts'
import type { DimensionId } from '../analytics/dimensions.ts'
import type { Scope, TopRow } from '../analytics/facts.ts'
import { liveSessionsOf } from '../analytics/live-facts.ts'
import type { SessionKey } from '../sessions/sessions.ts'

/** Sessions shown one by one. */
const SHOWN_SESSIONS = 20
export const SHOWN_ROWS = 10

/** The lists of the view: what they are called, the list whose ids they share, and their column. */
export const lists = {
  pages: { id: 'exit_path_full', column: 'exit_path' },
  countries: { id: 'country', column: 'country' },
  sources: { id: 'source', column: 'entry_source' },
} as const satisfies Record<string, { readonly id: DimensionId; readonly column: SessionColumn }>

export type ListName = keyof typeof lists

/** The latest activity first. */
export async function listLiveKeys(facts: Pick<Facts, 'query' | 'hasMarks'>, scope: Scope): Promise<SessionKey[]> {
  const where = await liveSessionsOf(facts, scope)
  return facts.query<SessionKey>(
    'analytics.listLiveKeys',
    `SELECT day, session FROM sessions FINAL WHERE ${where.sql} ORDER BY last_at DESC, day, session LIMIT ${SHOWN_SESSIONS}`,
    where.params,
  )
}

export async function readLiveList(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  scope: Scope,
  name: ListName,
): Promise<TopRow[]> {
  const where = await liveSessionsOf(facts, scope)
  const code = name === 'countries' ? 'country_code' : "''"
  const rows = await facts.query<{ listed: string; code: string; sessions: string }>(
    'analytics.readLiveList',
    `SELECT toString(${foldedColumn(lists[name].column)}) AS listed, toString(${code}) AS code, count() AS sessions FROM sessions FINAL
WHERE ${where.sql} AND listed != '' GROUP BY listed, code ORDER BY sessions DESC, listed, code LIMIT ${SHOWN_ROWS}`,
    where.params,
  )
  return rows.map((row) => ({ value: row.listed, countryCode: row.code, sessions: Number(row.sessions) }))
}
