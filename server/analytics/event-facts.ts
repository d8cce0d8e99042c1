// Custom events of the sessions of a window: how often each came, in how many sessions, and what these brought in.
import type { Facts } from '../stores/facts.ts'
import { sameDays } from './clause-sql.ts'
import { type Scope, sessionsOf } from './facts.ts'

export interface TopEvent {
  readonly name: string
  /** Events. */
  readonly count: number
  /** Sessions with at least one. */
  readonly sessions: number
  /** USD cents of these sessions. */
  readonly value_cents: number
}

/** Joined by session: in a cluster the rows of a session are on one node, and whichever node adds up gets the same. */
export async function readTopEvents(facts: Pick<Facts, 'query'>, scope: Scope, limit: number): Promise<TopEvent[]> {
  const where = sessionsOf(scope)
  const rows = await facts.query<Record<keyof TopEvent, string>>(
    'analytics.readTopEvents',
    `SELECT name, sum(happened.number) AS count, count() AS sessions, sum(whole.cents) AS value_cents
FROM (
  SELECT day, session, name, count() AS number FROM events FINAL WHERE ${sameDays} AND kind = 'event' GROUP BY day, session, name
) AS happened INNER JOIN (
  SELECT day, session, arraySum(mapValues(value_usd)) AS cents FROM sessions FINAL WHERE ${where.sql} AND has_event = 1
) AS whole ON happened.day = whole.day AND happened.session = whole.session
GROUP BY name ORDER BY count DESC, name LIMIT {limit:UInt32}`,
    { ...where.params, limit },
  )
  return rows.map(({ name, count, sessions, value_cents }) => ({
    name,
    count: Number(count),
    sessions: Number(sessions),
    value_cents: Number(value_cents),
  }))
}
