// The sessions that a question is about, as SQL that other capabilities build in: they count their own facts, and need not know what was asked.

/** A condition on rows of `sessions` read with FINAL. */
export interface SessionScope {
  readonly sql: string
  /** Also `property`, and the window in which the sessions began: `day_from`, `day_to`, `from_ms` and `to_ms`. */
  readonly params: Readonly<Record<string, unknown>>
}

/** What a capability is asked for the overview: those of its things that were used most. */
export interface TopAsk {
  readonly sessions: SessionScope
  /** True: only what the visitors of these sessions did. False: everything of the window, also of people without a session. */
  readonly isNarrowed: boolean
  readonly limit: number
}

/** The condition on facts that have a time and name their session by `session_day` and `session`. People or bots. */
export function factsOfScope({ sessions, isNarrowed }: TopAsk): string {
  const within =
    "property = {property:String} AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')"
  if (!isNarrowed) return within
  return `${within} AND (session_day, session) IN (SELECT day, session FROM sessions FINAL WHERE ${sessions.sql})`
}
