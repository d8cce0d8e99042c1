// What arrived of a property: when, from which hosts, by which versions of the browser library.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'

type Query = Pick<Facts, 'query'>

/** Hosts and versions shown. */
const SHOWN = 20

export interface Arrivals {
  /** Of people's views; null without any. */
  readonly firstMs: number | null
  readonly lastMs: number | null
  /** People's. */
  readonly viewsSince: number
  /** Views of bots, ever. */
  readonly botViews: number
}

/** A view is counted once for each row of it, which is once: pings add rows that are never. */
const isLoad = `property = {property:String} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`

export async function readArrivals(facts: Query, propertyId: string, sinceMs: number): Promise<Arrivals> {
  const since = "at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC')"
  const [row] = await facts.query<{ people: string; bots: string; first_ms: string; last_ms: string; recent: string }>(
    'analytics.trackingArrivals',
    `SELECT countIf(is_bot = 0) AS people, countIf(is_bot = 1) AS bots, minIf(toUnixTimestamp64Milli(at), is_bot = 0) AS first_ms,
  maxIf(toUnixTimestamp64Milli(at), is_bot = 0) AS last_ms, countIf(is_bot = 0 AND ${since}) AS recent
FROM views WHERE ${isLoad}`,
    { property: propertyId, from_ms: sinceMs },
  )
  const hasPeople = Number(row?.people ?? 0) > 0
  return {
    firstMs: hasPeople ? Number(row?.first_ms) : null,
    lastMs: hasPeople ? Number(row?.last_ms) : null,
    viewsSince: Number(row?.recent ?? 0),
    botViews: Number(row?.bots ?? 0),
  }
}

export interface CountedViews {
  readonly id: string
  readonly views: number
}

/** People's views since then by a column, the most first. */
export async function countViewsBy(
  facts: Query,
  propertyId: string,
  column: 'hostname' | 'library',
  sinceMs: number,
): Promise<CountedViews[]> {
  const rows = await facts.query<{ id: string; number: string }>(
    'analytics.trackingViews',
    `SELECT ${column} AS id, count() AS number FROM views FINAL
WHERE ${isLoad} AND day >= {day_from:Date} AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND is_bot = 0
GROUP BY id ORDER BY number DESC, id LIMIT ${SHOWN}`,
    // Who carries on over midnight has a session of the day before.
    { property: propertyId, from_ms: sinceMs, day_from: storedDay(dayOf(sinceMs) - 1) },
  )
  return rows.map(({ id, number }) => ({ id, views: Number(number) }))
}
