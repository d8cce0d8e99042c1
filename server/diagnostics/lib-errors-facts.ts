// Reports of failures in the browser libraries, counted by day. Each report counts once, however often its
// row is stored.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import type { Facts } from '../stores/facts.ts'
import type { TopErrorJson } from './schema.ts'

type Query = Pick<Facts, 'query'>

/** Failures listed per day, and browsers listed per failure. */
const TOP_ERRORS = 20
const TOP_BROWSERS = 5

/**
 * Days with any report, the latest first. @param span whole days: windows begin and end with them, or now.
 */
export async function listErrorDays(facts: Query, propertyId: string, { fromMs, toMs }: Span) {
  const day = (timeMs: number) => storedDay(dayOf(timeMs))
  const rows = await facts.query<{ day: string; people: string; bots: string }>(
    'diagnostics.listErrorDays',
    `SELECT day, countIf(is_bot = 0) AS people, countIf(is_bot = 1) AS bots FROM lib_errors FINAL
WHERE property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date} GROUP BY day ORDER BY day DESC`,
    { property: propertyId, day_from: day(fromMs), day_to: day(toMs - 1) },
  )
  return rows.map((row) => ({ day: row.day, count: Number(row.people), bots: Number(row.bots) }))
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
  readonly day: string
  readonly message: string
  readonly lib: string
  readonly reports: string
  readonly browsers: readonly (readonly [string, string])[]
}

/** The most frequent of each day, then by message and library. Without bots. */
export async function listTopErrors(
  facts: Query,
  propertyId: string,
  days: readonly string[],
): Promise<Map<string, TopErrorJson[]>> {
  if (days.length === 0) return new Map()
  const rows = await facts.query<ErrorRow>(
    'diagnostics.listTopErrors',
    `SELECT e.day AS day, e.message AS message, e.lib AS lib, sum(e.reports) AS reports,
  arraySlice(arraySort(pair -> (-toInt64(pair.2), pair.1), groupArray((toString(e.browser), e.reports))), 1, ${TOP_BROWSERS}) AS browsers
FROM (SELECT day, message, lib, browser, count() AS reports FROM lib_errors FINAL
  WHERE property = {property:String} AND day IN {days:Array(Date)} AND is_bot = 0 GROUP BY day, message, lib, browser) AS e
GROUP BY day, message, lib ORDER BY day, reports DESC, message, lib LIMIT ${TOP_ERRORS} BY day`,
    { property: propertyId, days },
  )
  const byDay = Map.groupBy(rows, ({ day }) => day)
  return new Map([...byDay].map(([day, ofDay]) => [day, ofDay.map(toTopError)]))
}

const toTopError = ({ message, lib, reports, browsers }: ErrorRow): TopErrorJson => ({
  message,
  lib,
  count: Number(reports),
  browsers: browsers.map(([browser, count]) => ({ browser, count: Number(count) })),
})
