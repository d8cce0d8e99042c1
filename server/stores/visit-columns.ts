// The visits of a session after its first one: each begins with the activity that follows a gap, and has a
// first touch of its own (docs/definitions.md, "Visits"; docs/decisions/0056-visits.md). The first visit has
// that of the session.
import { activeMinutes, clickSql, VISIT_GAP_MINUTES } from './session-columns.ts'
import { NEVER_MS } from './tables.ts'

/** By the name that a session has for it: what a page view says. */
const ofView = {
  entry_channel: 'channel',
  entry_source: 'source',
  entry_referrer_domain: 'referrer_domain',
  entry_path: 'path',
  entry_hostname: 'hostname',
  utm_source: 'utm_source',
  utm_medium: 'utm_medium',
  utm_campaign: 'utm_campaign',
  utm_term: 'utm_term',
  utm_content: 'utm_content',
} as const

/** What clicks shortly before that view say, as elements of those that a session remembers. */
const ofClick = { entry_link: 2, entry_link_group: 3 } as const

export type TouchColumn = keyof typeof ofView | keyof typeof ofClick
export const touchColumns = [...Object.keys(ofView), ...Object.keys(ofClick)] as TouchColumn[]

export const isTouchColumn = (name: string): name is TouchColumn =>
  Object.hasOwn(ofView, name) || Object.hasOwn(ofClick, name)

const touchClick = clickSql('seen_at', 'all_clicks')

/** Minutes with which visits after the first one begin, over rows of `sessions` read with FINAL. */
const startsSql = `arrayFilter((minute, gap) -> gap > ${VISIT_GAP_MINUTES}, ${activeMinutes}, arrayDifference(${activeMinutes}))`

/** Of a view, counted as a session counts its active minutes. */
const minuteSql = (at: string): string => `dateDiff('minute', toDateTime(day, 'UTC'), ${at})`

/**
 * What rows of a running day have for visits (running-columns.ts), over rows of `sessions` read with FINAL.
 */
export const visitColumns = { visit_starts: startsSql, clicked: 'clicked' } as const

/** Where sessions are looked for that have several visits. */
interface VisitedSessions {
  /** What stands behind FROM, with a condition. */
  readonly from: string
  readonly starts: string
  /** What tells one from another there. */
  readonly key: string
  /** Of one day: when its views came is read sooner than it is planned to leave most of them out. */
  readonly isOfOneDay?: true
}

/** Of the table `sessions`. @param condition over rows read with FINAL. */
export const foldedSessions = (table: string, condition: string): VisitedSessions => ({
  from: `${table} FINAL WHERE ${condition}`,
  starts: startsSql,
  key: 'property, day, session',
})

/** Of one property, in rows that have `visitColumns`. */
export const keptSessions = (table: string, condition: string): VisitedSessions => ({
  from: `${table} WHERE ${condition}`,
  starts: 'visit_starts',
  key: 'day, session',
  isOfOneDay: true,
})

interface LaterVisits {
  readonly sessions: VisitedSessions
  /** The table as it is asked. */
  readonly views: string
  /** Which views at least, so that no others are looked at. */
  readonly ofViews: string
  /** Visits of sessions alone that came through a link at some time: no others can have come through one. */
  readonly isLinked?: boolean | undefined
}

/**
 * SELECT of `property`, `day`, `session`, `entry_at` (the session's) and the first touch of each visit after
 * the first one. That of a visit without a page view is the one of the visit before it.
 */
export function laterVisits(
  names: readonly TouchColumn[],
  { sessions: { from, starts, key, isOfOneDay }, views, ofViews, isLinked = false }: LaterVisits,
): string {
  const seen = names.flatMap((name) => (name in ofView ? [{ name, sql: ofView[name as keyof typeof ofView] }] : []))
  const clicked = names.flatMap((name) =>
    name in ofClick ? [{ name, at: ofClick[name as keyof typeof ofClick] }] : [],
  )
  const isAnyRead = isOfOneDay === true && seen.length === 0
  const found = `FROM ${from} AND notEmpty(${starts})${isLinked ? ' AND notEmpty(clicked)' : ''}`
  const shown = [
    ...seen.map(({ name }, index) => `tupleElement(touch, ${index + 3}) AS ${name}`),
    ...clicked.map(({ name, at }) => `tupleElement(${touchClick}, ${at}) AS ${name}`),
  ]
  return `SELECT ${['property', 'day', 'session', 'began_at AS entry_at', ...shown].join(', ')} FROM (
  SELECT property, day, session, began_at, all_clicks, arrayJoin(touches) AS touch, tupleElement(touch, 1) AS seen_at
  FROM (
    SELECT property, day, session, any(session_at) AS began_at, any(session_starts) AS all_starts, any(session_clicks) AS all_clicks,
      arraySort(groupArray(tuple(${['at', 'view', ...seen.map(({ sql }) => `toString(${sql})`)].join(', ')}))) AS seen,
      arrayMap(one -> toUInt32(arrayCount(start -> start <= ${minuteSql('tupleElement(one, 1)')}, all_starts)), seen) AS numbers,
      arrayMap(visit -> seen[indexOf(numbers, numbers[greatest(1, arrayLastIndex(number -> number <= visit, numbers))])], arrayEnumerate(all_starts)) AS touches
    FROM ${views}
    INNER JOIN (
      SELECT ${key}, entry_at AS session_at, ${starts} AS session_starts, ${clicked.length > 0 ? 'clicked' : '[]'} AS session_clicks ${found}
    ) AS returning USING (${key})
    WHERE ${ofViews} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') ${isAnyRead ? '' : `AND (${key}) IN (SELECT ${key} ${found})`}
    GROUP BY property, day, session
  )
)`
}
