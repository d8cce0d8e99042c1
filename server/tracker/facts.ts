// Queries of the tracker: whether a session exists, and which sessions of a day were active lately.
import { dayText } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import type { Facts } from '../stores/facts.ts'

/** A click alone makes a row of a session without a page view; its time of entry is this value. */
const NEVER = "toDateTime64('2299-12-31 00:00:00', 3, 'UTC')"

/**
 * Sessions continued over midnight that one node remembers: about 20 MB. The longest idle are forgotten
 * first.
 */
const MAX_CARRIED = 200_000

/** A session as the query below identifies it. */
export function sessionText(propertyId: string, session: SessionRef): string {
  return `${propertyId} ${dayText(session.day)} ${session.hash}`
}

/** Those of the sessions that have a stored page view. */
export async function listStored(facts: Facts, sessions: readonly string[]): Promise<Map<string, true>> {
  const parts = sessions.map((text) => text.split(' ') as [property: string, day: string, hash: string])
  // The query combines the two lists freely, which may return further sessions but no wrong ones: a hash
  // belongs to one property and day.
  const rows = await facts.lookup<{ text: string }>(
    'tracker.listStored',
    `SELECT DISTINCT concat(property, ' ', toString(s.day), ' ', toString(s.session)) AS text FROM sessions AS s
WHERE property IN {properties:Array(String)} AND s.day IN {days:Array(Date)} AND s.session IN {hashes:Array(UInt64)}
  AND s.entry_at < ${NEVER}`,
    {
      properties: [...new Set(parts.map(([property]) => property))],
      days: [...new Set(parts.map(([, day]) => day))],
      // As numbers: the store does not parse quoted texts in arrays of numbers.
      hashes: parts.map(([, , hash]) => BigInt(hash)),
    },
    parts.map(([, , hash]) => hash),
  )
  return new Map(rows.map((row) => [row.text, true]))
}

/**
 * Last activity (milliseconds) by session hash, of all properties: a hash belongs to one property. Without
 * FINAL: the maximum is the fold.
 */
export async function listActiveSince(facts: Facts, day: number, sinceMs: number): Promise<Map<bigint, number>> {
  const rows = await facts.lookup<{ session: string; last_ms: string }>(
    'tracker.listActiveSince',
    `SELECT toString(s.session) AS session, toString(max(toUnixTimestamp64Milli(s.last_at))) AS last_ms FROM sessions AS s
WHERE day = {day:Date} AND s.last_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY s.session ORDER BY max(s.last_at) DESC LIMIT ${MAX_CARRIED}`,
    { day: dayText(day), since: sinceMs },
  )
  return new Map(rows.map((row) => [BigInt(row.session), Number(row.last_ms)]))
}
