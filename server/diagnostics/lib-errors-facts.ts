// Reports of failures in the browser libraries, counted by days of a clock. Each report counts once, however
// often its row is stored.
import { dayOf, dayText, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import { dayBegin, dayIn } from '../kernel/zones.ts'
import type { Facts } from '../stores/facts.ts'
import type { TopErrorJson } from './schema.ts'

type Query = Pick<Facts, 'query'>

/** Failures listed per day, and browsers listed per failure. */
const TOP_ERRORS = 20
const TOP_BROWSERS = 5

/** When the day began of which a report is. What is before the first edge is at it: it has to be left out. */
const beginSql = 'roundDown(toUnixTimestamp64Milli(at), {edges:Array(Int64)})'
/** The rows of a span, by the day that they are stored under, and by their time. */
const inSpan = `property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}
  AND toUnixTimestamp64Milli(at) >= {from_ms:Int64} AND toUnixTimestamp64Milli(at) < {to_ms:Int64}`

const spanParams = (propertyId: string, { fromMs, toMs }: Span) => ({
  property: propertyId,
  day_from: storedDay(dayOf(fromMs)),
  day_to: storedDay(dayOf(toMs - 1)),
  from_ms: fromMs,
  to_ms: toMs,
})

/** A day of a zone's clock. */
export interface ErrorDay {
  readonly day: string
  /** From one midnight to the next: 23 hours when the clocks are set forward. */
  readonly span: Span
  readonly count: number
  readonly bots: number
}

/**
 * Days with any report, the latest first. @param span whole days of the zone: windows begin and end with
 * them, or now.
 */
export async function listErrorDays(facts: Query, propertyId: string, span: Span, zone: string): Promise<ErrorDay[]> {
  const first = dayIn(zone, span.fromMs)
  const begins = Array.from({ length: dayIn(zone, span.toMs - 1) - first + 1 }, (_, at) => dayBegin(zone, first + at))
  const rows = await facts.query<{ begin: string; people: string; bots: string }>(
    'diagnostics.listErrorDays',
    `SELECT ${beginSql} AS begin, countIf(is_bot = 0) AS people, countIf(is_bot = 1) AS bots FROM lib_errors FINAL
WHERE ${inSpan} GROUP BY begin ORDER BY begin DESC`,
    { ...spanParams(propertyId, span), edges: begins },
  )
  return rows.map(({ begin, people, bots }) => {
    const day = first + begins.indexOf(Number(begin))
    const toMs = dayBegin(zone, day + 1)
    return { day: dayText(day), span: { fromMs: Number(begin), toMs }, count: Number(people), bots: Number(bots) }
  })
}

/** Reports of people's browsers since then. */
export async function countErrorsSince(facts: Query, propertyId: string, sinceMs: number): Promise<number> {
  const [row] = await facts.query<{ reports: string }>(
    'diagnostics.countErrorsSince',
    `SELECT count() AS reports FROM lib_errors FINAL
WHERE property = {property:String} AND day >= {day_from:Date} AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND is_bot = 0`,
    { property: propertyId, day_from: storedDay(dayOf(sinceMs)), from_ms: sinceMs },
  )
  return Number(row?.reports ?? 0)
}

interface ErrorRow {
  readonly begin: string
  readonly message: string
  readonly lib: string
  readonly reports: string
  readonly browsers: readonly (readonly [string, string])[]
}

/**
 * The most frequent of each day, then by message and library. Without bots. @returns by when the day began.
 */
export async function listTopErrors(
  facts: Query,
  propertyId: string,
  days: readonly Span[],
): Promise<Map<number, TopErrorJson[]>> {
  if (days.length === 0) return new Map()
  const begins = days.map(({ fromMs }) => fromMs)
  const ends = days.map(({ toMs }) => toMs)
  // What is between two days that are asked for is of the end of the first one: of none of them.
  const edges = [...new Set([...begins, ...ends])].toSorted((one, other) => one - other)
  const rows = await facts.query<ErrorRow>(
    'diagnostics.listTopErrors',
    `SELECT e.begin AS begin, e.message AS message, e.lib AS lib, sum(e.reports) AS reports,
  arraySlice(arraySort(pair -> (-toInt64(pair.2), pair.1), groupArray((toString(e.browser), e.reports))), 1, ${TOP_BROWSERS}) AS browsers
FROM (SELECT ${beginSql} AS begin, message, lib, browser, count() AS reports FROM lib_errors FINAL
  WHERE ${inSpan} AND begin IN {begins:Array(Int64)} AND is_bot = 0 GROUP BY begin, message, lib, browser) AS e
GROUP BY begin, message, lib ORDER BY begin, reports DESC, message, lib LIMIT ${TOP_ERRORS} BY begin`,
    { ...spanParams(propertyId, { fromMs: Math.min(...begins), toMs: Math.max(...ends) }), begins, edges },
  )
  const byDay = Map.groupBy(rows, ({ begin }) => Number(begin))
  return new Map([...byDay].map(([day, ofDay]) => [day, ofDay.map(toTopError)]))
}

const toTopError = ({ message, lib, reports, browsers }: ErrorRow): TopErrorJson => ({
  message,
  lib,
  count: Number(reports),
  browsers: browsers.map(([browser, count]) => ({ browser, count: Number(count) })),
})
