// To which sessions the conversions of a goal are credited (docs/definitions.md, "Goals").
import { matchingAs } from '../conversions/conversions.ts'
import { DAY_MS, dayFromText } from '../kernel/days.ts'
import { countedBy } from '../kernel/trigger-table.ts'
import { type Currency, inCurrency, ratesOf } from '../rates/rates.ts'
import { boundsOf, contactRows, knownOf, type ScopeFacts, type SessionKey } from '../sessions/sessions.ts'
import { formDays } from '../stores/form-days.ts'
import { NEVER_MS } from '../stores/tables.ts'
import type { Fragment } from './clause-sql.ts'
import type { Goal } from './clauses.ts'

export const attributions = ['first', 'last'] as const
export type Attribution = (typeof attributions)[number]

/** A goal, and to which session of a contact its conversions are credited. */
export interface Credit {
  readonly goal: Goal
  readonly attribution: Attribution
}

/** Whose sessions conversions are credited to: of the days of the span. */
export type CreditScope = Parameters<typeof ratesOf>[0] & { readonly propertyId: string }

/** Whether conversions of the goal bring money. */
export const bringsMoney = ({ event_type }: Pick<Goal, 'event_type'>): boolean =>
  countedBy(event_type).isOfMoney === true

/** Sessions that may be linked to a contact: all of those that are. */
const identified = `SELECT day, session FROM events WHERE property = {property:String} AND kind = 'identify'`

/** Conditions on the day of a session, and on that of its facts where it may be another one: of forms. */
interface Within {
  readonly session: (day: string) => string
  readonly fact: string
}

/** Rows of `met_day`, `met_session`, `met_hits` and `met_cents`: one for each fact that meets the goal. */
function metSql({ goal }: Credit, money: Currency | undefined, within: Within): Fragment {
  const { table, day, sql, params } = matchingAs('goal', goal)
  const cents = bringsMoney(goal) ? inCurrency('toFloat64(amount_usd)', money) : 'toFloat64(0)'
  const met = `${day} AS met_day, session AS met_session, 1 AS met_hits, ${cents} AS met_cents`
  const isOfDays = day === 'day' ? within.session(day) : `${within.session(day)} AND ${within.fact}`
  const where = `property = {property:String} AND ${isOfDays} AND session != 0 AND ${sql}`
  return { sql: `SELECT ${met} FROM ${table} FINAL WHERE ${where}`, params }
}

/** Beside another fragment, which binds the same names to other values. */
function renamed({ sql, params }: Fragment, prefix: string): Fragment {
  return {
    sql: sql.replaceAll(/\{(\w+):/g, `{${prefix}_$1:`),
    params: Object.fromEntries(Object.entries(params).map(([name, value]) => [`${prefix}_${name}`, value])),
  }
}

/** A session that is not the first one of its contact, and the one that is. */
export interface FirstRow {
  readonly seen_day: string
  readonly seen_session: string
  readonly first_day: string
  readonly first_session: string
}

/** It is not told which day that would be. */
const noneRuns: ScopeFacts['runningDay'] = async () => undefined

/**
 * Rows of `seen_day`, `seen_session`, `first_day` and `first_session`: sessions that are not the first one of
 * their contact, each beside the one that is, whenever they were.
 * @param today as CreditOptions has it.
 */
async function firstsSql(facts: ScopeFacts, propertyId: string, today: string | undefined): Promise<Fragment> {
  const known =
    today === undefined
      ? await knownOf({ ...facts, runningDay: noneRuns }, propertyId, { fromMs: 0, toMs: NEVER_MS })
      : await knownOf(facts, propertyId, { fromMs: 0, toMs: (dayFromText(today) + 1) * DAY_MS })
  const { sql, params } = contactRows(known)
  const linked = `SELECT day, session, entry_at, contact_id FROM ${sql}`
  const firsts = {
    sql: `SELECT day AS seen_day, session AS seen_session, tupleElement(first, 2) AS first_day, tupleElement(first, 3) AS first_session
  FROM (SELECT day, session, min((entry_at, day, session)) OVER (PARTITION BY contact_id) AS first FROM (${linked}))
  WHERE (seen_day, seen_session) != (first_day, first_session)`,
    params,
  }
  return renamed(firsts, 'linked')
}

const isOfSpan = (day: string): string => `${day} BETWEEN {day_from:Date} AND {day_to:Date}`

const withinSpan: Within = { session: isOfSpan, fact: formDays('{day_from:Date}', '{day_to:Date}') }

/** Of facts that are credited to one session. */
const counted = 'sum(met_hits) AS hits, sum(met_cents) AS cents'
/** The same apart for facts of sessions until a day, and of later ones. */
const countedApart = `sumIf(met_hits, met_day > {past_until:Date}) AS hits, sumIf(met_cents, met_day > {past_until:Date}) AS cents,
  sumIf(met_hits, met_day <= {past_until:Date}) AS past_hits, sumIf(met_cents, met_day <= {past_until:Date}) AS past_cents`

interface CreditOptions {
  /**
   * YYYY-MM-DD: what is met by sessions until then is told apart, as `past_hits` and `past_cents`; left out:
   * all is in one.
   */
  readonly pastUntil?: string
  /** YYYY-MM-DD, that of now: there are no facts of later days. */
  readonly today?: string
}

/**
 * Rows of `day`, `session`, `hits` and `cents`: sessions to which conversions are credited, how many, and
 * what these brought in. Of whatever sessions: bots and others are left out by joining those that count.
 * The statement also binds the property and the days of the span.
 */
export async function creditedSql(
  facts: ScopeFacts,
  scope: CreditScope,
  credit: Credit,
  { pastUntil, today }: CreditOptions = {},
): Promise<Fragment> {
  const own = metSql(credit, scope.money, withinSpan)
  const params = { ...own.params, ...ratesOf(scope), ...(pastUntil !== undefined && { past_until: pastUntil }) }
  const sums = pastUntil === undefined ? counted : countedApart
  if (credit.attribution === 'last')
    return {
      sql: `SELECT met_day AS day, met_session AS session, ${sums} FROM (${own.sql}) GROUP BY day, session`,
      params,
    }
  // Who comes on a later day counts for the span only if known to have been there.
  const isLater = {
    session: (day: string) => `${day} > {day_to:Date} AND (${day}, session) IN (${identified} AND day > {day_to:Date})`,
    fact: 'day >= {day_to:Date}',
  }
  const isOver = today === undefined || boundsOf(scope.propertyId, scope.span).day_to < today
  const met = isOver ? `${own.sql} UNION ALL ${metSql(credit, scope.money, isLater).sql}` : own.sql
  const firsts = await firstsSql(facts, scope.propertyId, today)
  return {
    sql: `SELECT if(first_session = 0, met_day, first_day) AS day, if(first_session = 0, met_session, first_session) AS session,
  ${sums}
FROM (${met}) AS met LEFT JOIN (${firsts.sql}) AS firsts ON seen_day = met_day AND seen_session = met_session
GROUP BY day, session HAVING ${isOfSpan('day')}`,
    params: { ...params, ...firsts.params },
  }
}

const namedFirsts = `SELECT tupleElement(known, 1) AS seen_day, tupleElement(known, 2) AS seen_session, tupleElement(known, 3) AS first_day, tupleElement(known, 4) AS first_session
FROM (SELECT arrayJoin(arrayZip({seen_days:Array(Date)}, {seen_sessions:Array(UInt64)}, {first_days:Array(Date)}, {first_sessions:Array(UInt64)})) AS known)`

/** Rows are sorted by both, so that only those around the sessions are read. */
const ofNamed: Within = {
  session: (day) => `(${day}, session) IN arrayZip({days:Array(Date)}, {sessions:Array(UInt64)})`,
  fact: formDays('arrayMin({days:Array(Date)})', 'arrayMax({days:Array(Date)})'),
}

const named = (keys: readonly SessionKey[]) => ({
  days: keys.map(({ day }) => day),
  sessions: keys.map(({ session }) => BigInt(session)),
})

/**
 * The same as `creditedSql` where it is known who was there before.
 * @param firsts of all contacts who had a session in the days of the span; none for `last`.
 */
export function creditedAmong(scope: CreditScope, credit: Credit, firsts: readonly FirstRow[]): Fragment {
  const own = metSql(credit, scope.money, withinSpan)
  const { day_to } = boundsOf(scope.propertyId, scope.span)
  const later = firsts.flatMap(({ seen_day: day, seen_session: session }) => (day > day_to ? [{ day, session }] : []))
  const met = later.length > 0 ? `${own.sql} UNION ALL ${metSql(credit, scope.money, ofNamed).sql}` : own.sql
  const params = { ...own.params, ...ratesOf(scope), ...named(later) }
  if (firsts.length === 0)
    return {
      sql: `SELECT met_day AS day, met_session AS session, ${counted} FROM (${met}) GROUP BY day, session`,
      params,
    }
  return {
    sql: `SELECT if(first_session = 0, met_day, first_day) AS day, if(first_session = 0, met_session, first_session) AS session, ${counted}
FROM (${met}) AS met LEFT JOIN (${namedFirsts}) AS firsts ON seen_day = met_day AND seen_session = met_session
GROUP BY day, session HAVING ${isOfSpan('day')}`,
    params: {
      ...params,
      seen_days: firsts.map(({ seen_day }) => seen_day),
      seen_sessions: firsts.map(({ seen_session }) => BigInt(seen_session)),
      first_days: firsts.map(({ first_day }) => first_day),
      first_sessions: firsts.map(({ first_session }) => BigInt(first_session)),
    },
  }
}

/** The facts of these sessions that meet the goal, by session. */
export function metBySession(scope: CreditScope, credit: Credit, keys: readonly SessionKey[]): Fragment {
  const { sql, params } = metSql(credit, scope.money, ofNamed)
  return {
    sql: `SELECT met_day AS day, met_session AS session, ${counted} FROM (${sql}) GROUP BY day, session`,
    params: { ...params, ...ratesOf(scope), ...named(keys) },
  }
}
