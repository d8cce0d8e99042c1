// Custom events of the sessions of a window: how often each came, in how many sessions, and what these
// brought in.
import { inCurrency, ratesOf } from '../rates/rates.ts'
import { safeSum } from '../kernel/money.ts'
import { type Fragment, sameDays } from '../analytics/clause-sql.ts'
import { type RowFacts, rowsOf, type Scope } from '../analytics/facts.ts'
import { sumsOf } from '../analytics/summed.ts'
import { bindCut, type InParts, inParts, isRecentByDay } from '../sessions/sessions.ts'

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
 * Rows of one name and part each, of sessions of the scope one by one.
 * @param keys of those that are kept: some may be outside of the scope, and are left out by the join.
 */
const eventsOf = ({ money }: Scope, ofDays: string, sessions: string, keys?: string): string => {
  const isKept = keys ? `AND (day, session) IN ${keys}` : ''
  return `SELECT ${isRecentByDay('happened.day')}, name, sum(happened.number) AS events, count() AS had, sum(whole.cents) AS cents
FROM (
  SELECT day, session, name, count() AS number FROM events FINAL WHERE ${ofDays} AND kind = 'event' ${isKept} GROUP BY day, session, name
) AS happened INNER JOIN (
  SELECT day, session, ${inCurrency('toFloat64(value_usd_sum)', money)} AS cents FROM ${sessions} AND has_event = 1
) AS whole ON happened.day = whole.day AND happened.session = whole.session
GROUP BY is_recent, name`
}

/** The same of all sessions of settled days, from their sums. @returns undefined when there are none. */
async function summedEvents(facts: RowFacts, scope: Scope): Promise<Fragment | undefined> {
  const sums = await sumsOf(facts, scope, eventColumns)
  if (!sums) return undefined
  const stored = sums.sql('settled_events', ['name', 'day', 'events', 'sessions', 'value'])
  const ofSums = `SELECT ${isRecentByDay('settled.day')}, name, sum(settled.events) AS events, sum(settled.sessions) AS had, sum(${inCurrency('value', scope.money)}) AS cents
FROM ${stored} AS settled GROUP BY is_recent, name`
  const ofRows = eventsOf(scope, 'property = {property:String} AND day IN {open_days:Array(Date)}', sums.rows.sql)
  return { sql: sums.joined(ofRows, ofSums), params: { ...sums.params, open_days: sums.openDays } }
}

/**
 * Joined by session: in a cluster the rows of a session are on one node, and whichever node adds up gets the
 * same.
 */
async function storedEvents(facts: RowFacts, scope: Scope): Promise<Fragment> {
  const { sql, params } = await rowsOf(facts, scope, eventColumns)
  return { sql: eventsOf(scope, sameDays, sql, await scope.held?.tables.keys), params }
}

/**
 * The most frequent first.
 * @param cutMs in each part of the window that is cut then.
 */
export async function readTopEvents(
  facts: RowFacts,
  scope: Scope,
  limit: number,
  cutMs?: number,
): Promise<InParts<TopEvent>> {
  const { sql, params } = (await summedEvents(facts, scope)) ?? (await storedEvents(facts, scope))
  const rows = await facts.query<Record<keyof TopEvent, string> & { is_recent: number }>(
    'analytics.readTopEvents',
    `SELECT is_recent, name, sum(events) AS count, sum(had) AS sessions, sum(cents) AS value_cents FROM (
${sql}
) GROUP BY is_recent, name ORDER BY count DESC, name LIMIT {limit:UInt32} BY is_recent`,
    { ...params, ...ratesOf(scope), ...bindCut(cutMs), limit },
  )
  return inParts(rows, ({ name, count, sessions, value_cents }) => ({
    name,
    count: Number(count),
    sessions: Number(sessions),
    value_cents: safeSum([Number(value_cents)]),
  }))
}
