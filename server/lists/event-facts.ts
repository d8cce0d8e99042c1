// Custom events of the sessions of a window: how often each came, in how many sessions, and what these
// brought in.
import { inCurrency, ratesOf } from '../rates/rates.ts'
import { safeSum } from '../kernel/money.ts'
import { sameDays } from '../analytics/clause-sql.ts'
import { type RowFacts, rowsOf, type Scope } from '../analytics/facts.ts'

export interface TopEvent {
  readonly name: string
  /** Events. */
  readonly count: number
  /** Sessions with at least one. */
  readonly sessions: number
  /** Of these sessions, in minor units of the currency that is asked for, not rounded. */
  readonly value_cents: number
}

/** What is read of a session. */
export const eventColumns = ['day', 'session', 'value_usd_sum', 'has_event'] as const

/**
 * Joined by session: in a cluster the rows of a session are on one node, and whichever node adds up gets the
 * same.
 */
export async function readTopEvents(facts: RowFacts, scope: Scope, limit: number): Promise<TopEvent[]> {
  const from = await rowsOf(facts, scope, eventColumns)
  // Of the sessions that are kept some may be outside of the scope: these are left out by the join.
  const isKept = scope.held ? `AND (day, session) IN ${scope.held.tables.keys}` : ''
  const rows = await facts.query<Record<keyof TopEvent, string>>(
    'analytics.readTopEvents',
    `SELECT name, sum(happened.number) AS count, count() AS sessions, sum(whole.cents) AS value_cents
FROM (
  SELECT day, session, name, count() AS number FROM events FINAL WHERE ${sameDays} AND kind = 'event' ${isKept} GROUP BY day, session, name
) AS happened INNER JOIN (
  SELECT day, session, ${inCurrency('toFloat64(value_usd_sum)', scope.money)} AS cents FROM ${from.sql} AND has_event = 1
) AS whole ON happened.day = whole.day AND happened.session = whole.session
GROUP BY name ORDER BY count DESC, name LIMIT {limit:UInt32}`,
    { ...from.params, ...ratesOf(scope), limit },
  )
  return rows.map(({ name, count, sessions, value_cents }) => ({
    name,
    count: Number(count),
    sessions: Number(sessions),
    value_cents: safeSum([Number(value_cents)]),
  }))
}
