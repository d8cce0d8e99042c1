// The sessions that a question is about, as SQL that other capabilities build in: they count their own facts,
// and need not know what was asked.
import type { FactTable } from '../stores/tables.ts'
import { ofValidSession } from './marked.ts'

/**
 * What stands behind FROM for these sessions: their rows, and a condition behind which more can follow after
 * AND.
 */
export interface SessionScope {
  readonly sql: string
  /**
   * The same for a set that facts of sessions are looked up in: in a cluster every node has the sessions of
   * its own facts.
   */
  readonly inSet: string
  /** A table of the engine Set with the `day` and `session` of each, where there is one. */
  readonly keys?: string
  /**
   * Also `property`, and the window in which the sessions began: `day_from`, `day_to`, `from_ms` and `to_ms`.
   */
  readonly params: Readonly<Record<string, unknown>>
  /** Whether the property has sessions that are marked as invalid; those of the scope are none of them. */
  readonly hasMarks: boolean
}

/** What a capability is asked for the overview: those of its things that were used most in a window. */
export interface TopQuery {
  readonly window: Pick<SessionScope, 'params' | 'hasMarks'>
  /**
   * Those alone whose visitors count, each with its `day` and `session`; undefined: everybody counts, also
   * people without a session.
   */
  readonly visitors: SessionScope | undefined
  readonly limit: number
}

/**
 * The condition on facts that have a time and name their session by `session_day` and `session`, of people or
 * bots, and all that it binds.
 * @param table theirs.
 */
export function factsOf(
  table: FactTable,
  { window: { params, hasMarks }, visitors, limit }: TopQuery,
): Pick<SessionScope, 'sql' | 'params'> {
  const { property, day_from, day_to, from_ms, to_ms } = params
  const within =
    "property = {property:String} AND at >= fromUnixTimestamp64Milli({at_from:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({at_to:Int64}, 'UTC')"
  const span = { property, at_from: from_ms, at_to: to_ms, first_day: day_from, last_day: day_to, limit }
  if (!visitors) return { sql: `${within} AND ${ofValidSession(hasMarks, 'session_day')}`, params: span }
  const sessions = keysOf(visitors, `SELECT session_day, session FROM ${table} WHERE ${within}`)
  return { sql: `${within} AND (session_day, session) IN ${sessions}`, params: { ...visitors.params, ...span } }
}

/**
 * What stands behind IN for the `day` and `session` of these sessions.
 * @param found SELECT of those that are looked up: without a set already, no others of the sessions are
 *   remembered. A set of all sessions of a year would take hundreds of megabytes.
 */
export const keysOf = ({ keys, inSet }: Pick<SessionScope, 'keys' | 'inSet'>, found: string): string =>
  keys ?? `(SELECT day, session FROM ${inSet}\n  AND (day, session) IN (${found}))`
