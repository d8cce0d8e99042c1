// Page views of people, as far as silence is about them: when the last ones came, and how many usually do.
import { DAY_MS, dayOf, storedDay } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'

type Query = Pick<Facts, 'query'>

/** Pings add rows that are never. */
const isLoad = `is_bot = 0 AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`
const since = (name: string): string => `at >= fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`

/** Whoever carries on over midnight has a session of the day before. */
const dayFrom = (ms: number): string => storedDay(dayOf(ms) - 1)

/** Properties with a page view since then. */
export async function readLively(facts: Query, sinceMs: number): Promise<string[]> {
  const rows = await facts.query<{ property: string }>(
    'notices.lively',
    `SELECT DISTINCT property FROM views WHERE day >= {day_from:Date} AND ${isLoad} AND ${since('from_ms')}`,
    { day_from: dayFrom(sinceMs), from_ms: sinceMs },
  )
  return rows.map(({ property }) => property)
}

/** Of the properties, when their last page view of these days came; those without one are left out. */
export async function readLastViews(
  facts: Query,
  propertyIds: readonly string[],
  { nowMs, days }: { readonly nowMs: number; readonly days: number },
): Promise<(readonly [propertyId: string, lastMs: number])[]> {
  if (propertyIds.length === 0) return []
  const fromMs = nowMs - days * DAY_MS
  const rows = await facts.query<{ property: string; last_ms: string }>(
    'notices.lastViews',
    `SELECT property, max(toUnixTimestamp64Milli(at)) AS last_ms FROM views
WHERE property IN {ids:Array(String)} AND day >= {day_from:Date} AND ${isLoad} AND ${since('from_ms')} GROUP BY property`,
    { ids: propertyIds, day_from: dayFrom(fromMs), from_ms: fromMs },
  )
  return rows.map(({ property, last_ms }) => [property, Number(last_ms)])
}

interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** In each of the spans. */
export async function countViews(facts: Query, propertyId: string, spans: readonly Span[]): Promise<number[]> {
  const columns = spans.map(
    (_, at) =>
      `countIf(${since(`from_${at}`)} AND at < fromUnixTimestamp64Milli({to_${at}:Int64}, 'UTC')) AS views_${at}`,
  )
  const bounds = spans.flatMap(({ fromMs, toMs }, at) => [
    [`from_${at}`, fromMs],
    [`to_${at}`, toMs],
  ])
  const [row] = await facts.query<Record<string, string>>(
    'notices.usualViews',
    `SELECT ${columns.join(', ')} FROM views FINAL WHERE property = {property:String} AND day >= {day_from:Date} AND ${isLoad}`,
    {
      property: propertyId,
      day_from: dayFrom(Math.min(...spans.map(({ fromMs }) => fromMs))),
      ...Object.fromEntries(bounds),
    },
  )
  return spans.map((_, at) => Number(row?.[`views_${at}`] ?? 0))
}
