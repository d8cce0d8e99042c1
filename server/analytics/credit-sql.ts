// To which sessions the conversions of a goal are credited (docs/definitions.md, "Goals").
import { matchingAs } from '../conversions/conversions.ts'
import { countedBy } from '../kernel/trigger-table.ts'
import { type Currency, inCurrency, ratesOf } from '../rates/rates.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { isCounted, sessionColumns } from '../stores/session-columns.ts'
import type { Fragment } from './clause-sql.ts'
import type { Goal } from './clauses.ts'

export const attributions = ['first', 'last'] as const
export type Attribution = (typeof attributions)[number]

/** A goal, and to which session of a contact its conversions are credited. */
export interface Credit {
  readonly goal: Goal
  readonly attribution: Attribution
}

/** Whether conversions of the goal bring money. */
export const bringsMoney = ({ event_type }: Pick<Goal, 'event_type'>): boolean =>
  countedBy(event_type).isOfMoney === true

/** Sessions with facts that meet the goal, since the first day of the window. */
function metSql({ goal, attribution }: Credit, money: Currency | undefined): Fragment {
  const { table, day, sql, params } = matchingAs('goal', goal)
  // The rows of a view are folded by its number, which costs less than to fold all of them.
  const [from, times] = table === 'views' ? ['views', 'uniqExact(view)'] : [`${table} FINAL`, 'count()']
  const cents = bringsMoney(goal) ? `sum(${inCurrency('toFloat64(amount_usd)', money)})` : 'toFloat64(0)'
  const until = attribution === 'last' ? `AND ${day} <= {day_to:Date}` : ''
  return {
    sql: `SELECT ${day} AS met_day, session AS met_session, ${times} AS hits, ${cents} AS cents FROM ${from}
  WHERE property = {property:String} AND ${day} >= {day_from:Date} ${until} AND session != 0 AND ${sql}
  GROUP BY met_day, met_session`,
    params,
  }
}

const never = `fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`

/** Sessions of contacts, whenever they began. */
const linkedSql = (
  hasMarks: boolean,
): string => `SELECT day, session, entry_at, ${sessionColumns.contact_id} AS own_id FROM sessions FINAL
  WHERE property = {property:String} AND contact_id != '' AND entry_at < ${never} AND ${isCounted(hasMarks)}
    AND (day, session) IN (SELECT day, session FROM events WHERE property = {property:String} AND kind = 'identify')`

/**
 * Rows of `day`, `session`, `hits` and `cents`: sessions to which conversions are credited, how many, and
 * what these brought in. Of whatever sessions: bots and others are left out by joining those that count.
 * The statement also binds the property and the days of the window.
 */
export function creditedSql(credit: Credit, hasMarks: boolean, scope: Parameters<typeof ratesOf>[0]): Fragment {
  const { sql: ofFacts, params } = metSql(credit, scope.money)
  const met = { sql: ofFacts, params: { ...params, ...ratesOf(scope) } }
  if (credit.attribution === 'last')
    return { ...met, sql: `SELECT met_day AS day, met_session AS session, hits, cents FROM (${met.sql})` }
  return {
    ...met,
    sql: `SELECT tupleElement(first, 2) AS day, tupleElement(first, 3) AS session, hits, cents FROM (
  SELECT min((entry, seen_day, seen_session)) AS first, sum(own_hits) AS hits, sum(own_cents) AS cents FROM (
    SELECT seen_day, seen_session, max(own_contact) AS contact, min(began) AS entry, sum(met_hits) AS own_hits, sum(met_cents) AS own_cents
    FROM (
      SELECT met_day AS seen_day, met_session AS seen_session, '' AS own_contact, ${never} AS began, hits AS met_hits, cents AS met_cents FROM (${met.sql})
      UNION ALL
      SELECT day, session, own_id, entry_at, toUInt64(0), toFloat64(0) FROM (${linkedSql(hasMarks)})
    ) GROUP BY seen_day, seen_session
  ) GROUP BY contact, if(contact = '', (seen_day, seen_session), (toDate(0), toUInt64(0)))
) WHERE hits > 0 AND day >= {day_from:Date} AND day <= {day_to:Date}`,
  }
}
