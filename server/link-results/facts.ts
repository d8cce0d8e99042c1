// What came of the clicks on a link or a group (docs/definitions.md): people by where, on what and when they
// clicked, who of them arrived, stayed, sent a form, is known by name, and paid. Each node of a cluster folds
// the sessions that it has.
import {
  amongClicked,
  ARRIVALS,
  bindClicked,
  type ClickedQuery,
  clickedSql,
  deedsSql,
  IS_ENGAGED,
  visitsSql,
} from '../clicks/arrival-facts.ts'
import { isWithin } from '../clicks/facts.ts'
import type { Bucket } from '../kernel/buckets.ts'
import { type Currency, inCurrency, ratesOf } from '../rates/rates.ts'
import { ofValidSession, onEachNode } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

/** What clicks are counted by; `all` has one row, `time` a row for each bucket, by its index from 1. */
export const groupings = ['all', 'time', 'country', 'device', 'referrer', 'rule', 'via'] as const
export type Grouping = (typeof groupings)[number]

/** Rows of one grouping; of more, those with the most clicks. */
const MOST_ROWS = 200
/** People who are listed: those who arrived last. */
export const MOST_PEOPLE = 50

type Reading = Pick<Facts, 'query' | 'hasMarks' | 'layout'>
type Layout = Facts['layout']

export interface ResultsQuery extends ClickedQuery {
  /** In which money is told; left out: US cents. */
  readonly money?: Currency | undefined
  readonly buckets: readonly Bucket[]
}

/** The value of each click in each grouping. */
const GROUPED = `arrayJoin([('all', ''),
    ('time', toString(arrayCount(begin -> begin <= toUnixTimestamp64Milli(at), {begins:Array(Int64)}))),
    ('country', toString(country_code)), ('device', toString(device)),
    ('referrer', toString(referrer_domain)), ('rule', toString(rule)),
    ('via', if(is_scan = 1, 'qr', 'link'))])`

const bindResults = (ask: ResultsQuery) => ({
  ...bindClicked(ask),
  ...ratesOf(ask),
  begins: ask.buckets.map(({ fromMs }) => fromMs),
})

export interface RowKey {
  readonly grouping: Grouping
  /** '' where it is not known. */
  readonly value: string
}

export interface ClickedRow extends RowKey {
  readonly clicks: number
  /** People, each once a day. */
  readonly visitors: number
  /** Where one of them was sent. */
  readonly destination: string
}

type Numbers<Row> = { readonly [Key in keyof Row]: Row[Key] extends number ? string : Row[Key] }

/** Of each grouping, the row with the most clicks first. */
export async function readClickedRows(facts: Reading, ask: ResultsQuery): Promise<ClickedRow[]> {
  const rows = await facts.query<Numbers<ClickedRow>>(
    'linkResults.clicked',
    `SELECT through.1 AS grouping, through.2 AS value, count() AS clicks, uniqExact((session_day, session)) AS visitors,
  any(destination) AS destination
FROM (SELECT ${GROUPED} AS through, session_day, session, destination FROM clicks FINAL
  WHERE property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date} AND ${isWithin('at')}
    AND link_group IN {groups:Array(String)}${ask.links ? ' AND link IN {links:Array(String)}' : ''} AND is_bot = 0
    AND ${ofValidSession(await facts.hasMarks(ask.propertyId), 'session_day')})
GROUP BY grouping, value ORDER BY clicks DESC, value LIMIT ${MOST_ROWS} BY grouping`,
    bindResults(ask),
  )
  return rows.map(({ clicks, visitors, ...row }) => ({ ...row, clicks: Number(clicks), visitors: Number(visitors) }))
}

/** What the sessions of those who clicked did, beside looking at pages. */
const doneSql = (layout: Layout): string => `deeds AS (${deedsSql(layout)}),
sent AS (SELECT session_day AS day, session, toUnixTimestamp64Milli(max(at)) AS last_sent
  FROM ${onEachNode('form_events', layout)} FINAL
  WHERE ${amongClicked('session_day')} AND kind = 'submit' GROUP BY day, session),
paid AS (SELECT day, session, groupArray((toUnixTimestamp64Milli(at), amount_usd)) AS payments
  FROM ${onEachNode('events', layout)} FINAL
  WHERE ${amongClicked('day')} AND kind = 'acquisition' AND amount IS NOT NULL GROUP BY day, session),
known AS (SELECT day, session, contact_id FROM ${onEachNode('sessions', layout)} FINAL
  WHERE ${amongClicked('day')} AND contact_id != '')`

/** A row for each visitor of each value of `by`, with what came after the arrival. */
const arrivedSql = (layout: Layout, ask: ResultsQuery, how: { readonly by: string; readonly hasMarks: boolean }) =>
  `WITH clicked AS (${clickedSql(layout, { ...ask, by: how.by }, how.hasMarks)}),
visits AS (${visitsSql(layout)}),
${doneSql(layout)}
SELECT through, day, session, arrival, began, contact_id, ${IS_ENGAGED} AS is_engaged, last_sent >= arrival AS has_sent,
  arraySum(payment -> if(payment.1 >= arrival, payment.2, 0), payments) AS value_usd
FROM (
  SELECT through, day, session, last_deed, last_sent, payments, contact_id, ${ARRIVALS}
  FROM clicked INNER JOIN visits USING (day, session) LEFT JOIN deeds USING (day, session)
    LEFT JOIN sent USING (day, session) LEFT JOIN paid USING (day, session) LEFT JOIN known USING (day, session)
)
WHERE arrival > 0`

const everywhere = ({ cluster }: Layout, sql: string): string =>
  cluster ? `cluster('${cluster}', view(${sql}))` : `(${sql})`

export interface ArrivedRow extends RowKey {
  readonly arrived: number
  readonly already_on_site: number
  readonly engaged: number
  readonly forms: number
  readonly contacts: number
  /** Minor units of the currency, not rounded. */
  readonly worth: number
}

/** In no order; without those of whom nobody arrived. */
export async function readArrivedRows(facts: Reading, ask: ResultsQuery): Promise<ArrivedRow[]> {
  const { layout } = facts
  const each = arrivedSql(layout, ask, { by: GROUPED, hasMarks: await facts.hasMarks(ask.propertyId) })
  const folded = `SELECT through, count() AS arrived, countIf(NOT began) AS already_on_site, countIf(is_engaged) AS engaged,
  countIf(has_sent) AS forms, countIf(contact_id != '') AS contacts, sum(${inCurrency('value_usd', ask.money)}) AS cents FROM (${each}) GROUP BY through`
  const rows = await facts.query<Numbers<ArrivedRow>>(
    'linkResults.arrived',
    `SELECT through.1 AS grouping, through.2 AS value, sum(arrived) AS arrived, sum(already_on_site) AS already_on_site,
  sum(engaged) AS engaged, sum(forms) AS forms, sum(contacts) AS contacts, sum(cents) AS worth
FROM ${everywhere(layout, folded)} GROUP BY grouping, value`,
    bindResults(ask),
  )
  return rows.map((row) => ({
    grouping: row.grouping,
    value: row.value,
    arrived: Number(row.arrived),
    already_on_site: Number(row.already_on_site),
    engaged: Number(row.engaged),
    forms: Number(row.forms),
    contacts: Number(row.contacts),
    worth: Number(row.worth),
  }))
}

export interface KnownPerson {
  readonly contact_id: string
  readonly sessions: number
  /** Unix milliseconds of the latest arrival, and the session of it. */
  readonly arrived_ms: number
  readonly day: string
  readonly session: string
  readonly has_sent: boolean
  /** Minor units of the currency, not rounded. */
  readonly value: number
}

/** Those known by name, who arrived last first. @returns also how many there are. */
export async function readKnownPeople(
  facts: Reading,
  ask: ResultsQuery,
): Promise<{ readonly people: readonly KnownPerson[]; readonly total: number }> {
  const { layout } = facts
  const each = arrivedSql(layout, ask, { by: "('all', '')", hasMarks: await facts.hasMarks(ask.propertyId) })
  const own = `SELECT contact_id, day, session, arrival, has_sent, value_usd FROM (${each}) WHERE contact_id != ''`
  const rows = await facts.query<
    Record<'contact_id' | 'sessions' | 'arrived_ms' | 'sent' | 'cents' | 'total', string> & {
      readonly latest: readonly [string, string]
    }
  >(
    'linkResults.people',
    `SELECT contact_id, count() AS sessions, max(arrival) AS arrived_ms, argMax((toString(day), toString(session)), arrival) AS latest,
  max(has_sent) AS sent, sum(${inCurrency('value_usd', ask.money)}) AS cents, count() OVER () AS total
FROM ${everywhere(layout, own)} GROUP BY contact_id ORDER BY arrived_ms DESC, contact_id LIMIT ${MOST_PEOPLE}`,
    bindResults(ask),
  )
  const people = rows.map(({ contact_id, sessions, arrived_ms, latest: [day, session], sent, cents }) => ({
    contact_id,
    sessions: Number(sessions),
    arrived_ms: Number(arrived_ms),
    day,
    session,
    has_sent: Number(sent) === 1,
    value: Number(cents),
  }))
  return { people, total: Number(rows[0]?.total ?? 0) }
}
