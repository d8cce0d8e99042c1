// What arrived of a property: when, from which hosts, by which versions of the browser library.
import { dayOf, storedDay } from '../kernel/days.ts'
import { ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'

type Query = Pick<Facts, 'query' | 'hasMarks'>

/** Hosts and versions shown. */
const SHOWN = 20

export interface Arrivals {
  /** Of people's views; null without any. */
  readonly firstMs: number | null
  readonly lastMs: number | null
  /** People's. */
  readonly viewsSince: number
  /** Whether any program ever came. */
  readonly hasBots: boolean
}

/** Pings add rows that are never. */
const isLoad = `property = {property:String} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`

/**
 * People's loads since then, to be read with FINAL: a row that was sent in again, as each start does, is one
 * view.
 */
const recentViews = async (facts: Query, propertyId: string): Promise<string> =>
  `${isLoad} AND day >= {day_from:Date} AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND is_bot = 0 AND ${ofValidSession(await facts.hasMarks(propertyId), 'day')}`

/** Who carries on over midnight has a session of the day before. */
const bindRecent = (propertyId: string, sinceMs: number) => ({
  property: propertyId,
  from_ms: sinceMs,
  day_from: storedDay(dayOf(sinceMs) - 1),
})

/**
 * Without FINAL, which all views since ever would take long to be read with: how often a row is there changes
 * nothing here.
 */
async function readEnds(facts: Query, propertyId: string): Promise<Omit<Arrivals, 'viewsSince'>> {
  const [row] = await facts.query<{ people: number; bots: number; first_ms: string; last_ms: string }>(
    'analytics.trackingArrivals',
    `SELECT max(is_bot = 0) AS people, max(is_bot = 1) AS bots, minIf(toUnixTimestamp64Milli(at), is_bot = 0) AS first_ms,
  maxIf(toUnixTimestamp64Milli(at), is_bot = 0) AS last_ms
FROM views WHERE ${isLoad}`,
    { property: propertyId },
  )
  const hasPeople = row?.people === 1
  return {
    firstMs: hasPeople ? Number(row.first_ms) : null,
    lastMs: hasPeople ? Number(row.last_ms) : null,
    hasBots: row?.bots === 1,
  }
}

async function countRecent(facts: Query, propertyId: string, sinceMs: number): Promise<number> {
  const [row] = await facts.query<{ number: string }>(
    'analytics.trackingRecent',
    `SELECT count() AS number FROM views FINAL WHERE ${await recentViews(facts, propertyId)}`,
    bindRecent(propertyId, sinceMs),
  )
  return Number(row?.number ?? 0)
}

export async function readArrivals(facts: Query, propertyId: string, sinceMs: number): Promise<Arrivals> {
  const [ends, viewsSince] = await Promise.all([readEnds(facts, propertyId), countRecent(facts, propertyId, sinceMs)])
  return { ...ends, viewsSince }
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
WHERE ${await recentViews(facts, propertyId)} GROUP BY id ORDER BY number DESC, id LIMIT ${SHOWN}`,
    bindRecent(propertyId, sinceMs),
  )
  return rows.map(({ id, number }) => ({ id, views: Number(number) }))
}
