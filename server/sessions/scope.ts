// The sessions that a question is about, as SQL that other capabilities build in: they count their own facts,
// and need not know what was asked.

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
  /** Where the rows have `paths`: the days, YYYY-MM-DD, of which these say nothing. */
  readonly foldedDays?: readonly string[] | undefined
  /**
   * Also `property`, and the window in which the sessions began: `day_from`, `day_to`, `from_ms` and `to_ms`.
   */
  readonly params: Readonly<Record<string, unknown>>
  /** Whether the property has sessions that are marked as invalid; those of the scope are none of them. */
  readonly hasMarks: boolean
}

/**
 * What stands behind IN for the `day` and `session` of these sessions.
 * @param found SELECT of those that are looked up: without a set already, no others of the sessions are
 *   remembered. A set of all sessions of a year would take hundreds of megabytes.
 */
export const keysOf = ({ keys, inSet }: Pick<SessionScope, 'keys' | 'inSet'>, found: string): string =>
  keys ?? `(SELECT day, session FROM ${inSet}\n  AND (day, session) IN (${found}))`
