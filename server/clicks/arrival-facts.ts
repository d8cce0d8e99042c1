// Visitors who saw a page within a minute of a click, whether or not they had been on the site before, and
// those who stayed from there on (docs/definitions.md). A session and its clicks are on one node of a
// cluster, so each node computes its own share, and the shares are added up.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import { ofValidSession, onEachNode } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { type ClickOwner, daysOf, isWithin } from './facts.ts'

/**
 * From the click to the page view: redirect, connection, loading. The migration 002_clicks has the same time.
 */
const ARRIVAL_MS = 60_000
/** The largest difference between the clocks of two nodes. */
const SKEW_MS = 2_000
/** A session with so many seconds on its pages is no bounce. */
const ENGAGED_SECONDS = 10

export interface ArrivalFigures {
  /** Visitors of the window's clicks who saw a page within a minute, each counted once a day. */
  readonly arrived: number
  /** Those of them whose session had begun before the click. */
  readonly already_on_site: number
  /** Those whose visit from there on was no bounce. */
  readonly engaged: number
}

export const noArrivals: ArrivalFigures = { arrived: 0, already_on_site: 0, engaged: 0 }

/** Clicks that are asked about. */
export interface ClickedQuery {
  readonly propertyId: string
  /** Left out: every group. */
  readonly groups?: readonly string[]
  /** Undefined: all links of the groups. */
  readonly links?: readonly string[]
  /** The window of the clicks. */
  readonly span: Span
}

export interface ArrivalQuery extends ClickedQuery {
  /** The column by which arrivals are grouped. */
  readonly by: ClickOwner
}

type Layout = Facts['layout']

/**
 * Sessions of people who clicked, with the times of their clicks in milliseconds. A repeated row changes
 * nothing. `c.day` is the day of the click: `day` alone would be that of the session.
 * @param by an expression over the columns of `clicks`, by which they are grouped.
 */
export const clickedSql = (
  layout: Layout,
  { by, groups, links }: Pick<ClickedQuery, 'groups' | 'links'> & { readonly by: string },
  hasMarks: boolean,
): string => `
  SELECT ${by} AS through, session_day AS day, session, groupArray(toUnixTimestamp64Milli(at)) AS clicks
  FROM ${onEachNode('clicks', layout)} AS c
  WHERE property = {property:String} AND c.day BETWEEN {day_from:Date} AND {day_to:Date} AND ${isWithin('at')}
    ${groups ? 'AND link_group IN {groups:Array(String)}' : ''} ${links ? 'AND link IN {links:Array(String)}' : ''} AND is_bot = 0 AND session != 0
    AND ${ofValidSession(hasMarks, 'session_day', onEachNode('marks', layout))}
  GROUP BY through, day, session`

export const amongClicked = (
  day: string,
) => `property = {property:String} AND ${day} BETWEEN {first_day:Date} AND {day_to:Date}
      AND (${day}, session) IN (SELECT day, session FROM clicked)`

/** Their page views in the order of time: milliseconds, seconds on the page. */
export const visitsSql = (layout: Layout): string => `
  SELECT day, session, arraySort(groupArray((toUnixTimestamp64Milli(at), seconds))) AS loads
  FROM ${onEachNode('views', layout)} FINAL
  WHERE ${amongClicked('day')} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')
  GROUP BY day, session HAVING max(is_bot) = 0`

/** The last activity, which makes a session one that did not bounce (migrations 001 and 003). */
export const deedsSql = (layout: Layout): string => `
  SELECT day, session, toUnixTimestamp64Milli(max(at)) AS last_deed FROM (
    SELECT day, session, at FROM ${onEachNode('events', layout)} FINAL
    WHERE ${amongClicked('day')} AND kind != 'identify'
    UNION ALL
    SELECT session_day AS day, session, at FROM ${onEachNode('form_events', layout)} FINAL
    WHERE ${amongClicked('session_day')} AND kind = 'submit'
  ) GROUP BY day, session`

/**
 * `passed` holds clicks and page views in the order of time, a click before a view of the same millisecond;
 * `latest` holds the click before each of them. So a bot with very many of both costs no more than sorting
 * them. A click at 0 comes first, for page views before any click.
 */
export const ARRIVALS = `
    loads[1].1 AS entry,
    arrayExists(click -> entry BETWEEN click - ${SKEW_MS} AND click + ${ARRIVAL_MS}, clicks) AS began,
    arraySort(arrayConcat([(toInt64(0), 0)], arrayMap(click -> (click, 0), clicks), arrayMap(load -> (load.1, 1), loads))) AS passed,
    arrayFill(moment -> moment.2 = 0, passed) AS latest,
    arrayFirst((moment, click) -> moment.2 = 1 AND moment.1 - click.1 <= ${ARRIVAL_MS}, passed, latest).1 AS viewed,
    if(began, entry, viewed) AS arrival,
    arrayFilter(load -> load.1 >= arrival, loads) AS rest`

/** Of an arrival with these columns and `last_deed`: whether the visit from there on was no bounce. */
export const IS_ENGAGED = `(length(rest) > 1 OR arraySum(load -> load.2, rest) >= ${ENGAGED_SECONDS} OR last_deed >= arrival)`

/** Of each link or group that anybody arrived through. */
function questionOf(layout: Layout, ask: ArrivalQuery, hasMarks: boolean): string {
  const counted = `WITH clicked AS (${clickedSql(layout, ask, hasMarks)}),
visits AS (${visitsSql(layout)}),
deeds AS (${deedsSql(layout)})
SELECT through, count() AS arrived, countIf(NOT began) AS already_on_site,
  countIf(${IS_ENGAGED}) AS engaged
FROM (
  SELECT through, last_deed, ${ARRIVALS}
  FROM clicked INNER JOIN visits USING (day, session) LEFT JOIN deeds USING (day, session)
)
WHERE arrival > 0 GROUP BY through`
  const everywhere = layout.cluster ? `cluster('${layout.cluster}', view(${counted}))` : `(${counted})`
  return `SELECT through AS id, sum(arrived) AS arrived, sum(already_on_site) AS already_on_site, sum(engaged) AS engaged
FROM ${everywhere} GROUP BY id`
}

/** What the statements about clicks and arrivals bind. */
export const bindClicked = ({ propertyId, groups, links, span }: ClickedQuery) => ({
  property: propertyId,
  ...(groups && { groups }),
  ...(links && { links }),
  ...daysOf(span),
  // A visitor whose session continued over midnight clicks in the session of the day before.
  first_day: storedDay(dayOf(span.fromMs) - 1),
  from_ms: span.fromMs,
  to_ms: span.toMs,
})

/** By the id of the link or the group; those without arrivals are left out. */
export async function readArrivals(
  facts: Pick<Facts, 'query' | 'hasMarks' | 'layout'>,
  ask: ArrivalQuery,
): Promise<Map<string, ArrivalFigures>> {
  const rows = await facts.query<{ id: string } & Record<keyof ArrivalFigures, string>>(
    'links.readArrivals',
    questionOf(facts.layout, ask, await facts.hasMarks(ask.propertyId)),
    bindClicked(ask),
  )
  const figures = (row: (typeof rows)[number]): ArrivalFigures => ({
    arrived: Number(row.arrived),
    already_on_site: Number(row.already_on_site),
    engaged: Number(row.engaged),
  })
  return new Map(rows.map((row) => [row.id, figures(row)]))
}
