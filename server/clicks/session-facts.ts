// Clicks of the visitor of one session, for the story of the session.
import { dayFromText, storedDay } from '../kernel/days.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

/** A visitor's clicks of a day that are read (docs/definitions.md: a session remembers as many). */
const MOST_CLICKS = 100

export interface SessionClick {
  readonly atMs: number
  readonly link: string
  /** Where the visitor was sent. */
  readonly destination: string
}

/**
 * In the order of time. A click has the UTC day on which it came: that of the session or, when it continued
 * over midnight, the next.
 */
export async function readSessionClicks(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  { day, session }: SessionKey,
): Promise<SessionClick[]> {
  const rows = await facts.query<{ at_ms: string; link: string; destination: string }>(
    'links.sessionClicks',
    `SELECT toUnixTimestamp64Milli(at) AS at_ms, link, destination FROM clicks FINAL
WHERE property = {property:String} AND day BETWEEN {day:Date} AND {next:Date} AND session_day = {day:Date} AND session = {session:UInt64} AND is_bot = 0
ORDER BY at, id LIMIT ${MOST_CLICKS}`,
    { property: propertyId, day, next: storedDay(dayFromText(day) + 1), session: BigInt(session) },
  )
  return rows.map(({ at_ms, ...click }) => ({ ...click, atMs: Number(at_ms) }))
}
