// What the tracker asks the facts: whether a session exists, and which sessions of a day were active lately.
import { dayText } from '../kernel/days.ts'
import { type SessionRef } from '../kernel/ids.ts'
import { type Facts } from '../stores/facts.ts'

/** Sessions carried over midnight that one node remembers: about 20 MB. Those idle for longest are forgotten first. */
const MAX_CARRIED = 200_000

export async function isStored(facts: Facts, propertyId: string, session: SessionRef): Promise<boolean> {
  const rows = await facts.query<{ found: number }>(
    'tracker.isStored',
    `SELECT 1 AS found FROM sessions
WHERE property = {property:String} AND day = {day:Date} AND session = {session:UInt64} LIMIT 1`,
    { property: propertyId, day: dayText(session.day), session: session.hash.toString() },
  )
  return rows.length > 0
}

/** Last activity (milliseconds) by session hash, of all properties: a hash belongs to one property. Without FINAL: the maximum is the fold. */
export async function listActiveSince(facts: Facts, day: number, sinceMs: number): Promise<Map<bigint, number>> {
  const rows = await facts.query<{ session: string; last_ms: string }>(
    'tracker.listActiveSince',
    `SELECT toString(s.session) AS session, toString(max(toUnixTimestamp64Milli(s.last_at))) AS last_ms FROM sessions AS s
WHERE day = {day:Date} AND s.last_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY s.session ORDER BY max(s.last_at) DESC LIMIT ${MAX_CARRIED}`,
    { day: dayText(day), since: sinceMs },
  )
  return new Map(rows.map((row) => [BigInt(row.session), Number(row.last_ms)]))
}
