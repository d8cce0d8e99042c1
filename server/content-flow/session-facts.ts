// What the visitor of one session saw of content and did with it, for the story of the session.
import { dayFromText, storedDay } from '../kernel/days.ts'
import type { SessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

const MOST_IMPRESSIONS = 200

export interface SessionImpression {
  readonly atMs: number
  readonly block: string
  readonly version: string
  readonly kind: 'view' | 'click'
  readonly dwellMs: number
  /** Of a click; '' when none was named. */
  readonly ctaKey: string
}

/** In the order of time. */
export async function readSessionImpressions(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  { day, session }: SessionKey,
): Promise<SessionImpression[]> {
  const rows = await facts.query<
    Pick<SessionImpression, 'block' | 'version' | 'kind'> & { at_ms: string; dwell_ms: number; cta_key: string }
  >(
    'content.sessionImpressions',
    `SELECT toUnixTimestamp64Milli(at) AS at_ms, block, version, kind, dwell_ms, cta_key FROM impressions FINAL
WHERE property = {property:String} AND day BETWEEN {day:Date} AND {next:Date} AND session_day = {day:Date} AND session = {session:UInt64}
ORDER BY at, kind DESC, id LIMIT ${MOST_IMPRESSIONS}`,
    { property: propertyId, day, next: storedDay(dayFromText(day) + 1), session: BigInt(session) },
  )
  return rows.map(({ at_ms, dwell_ms, cta_key, ...row }) => ({
    ...row,
    atMs: Number(at_ms),
    dwellMs: dwell_ms,
    ctaKey: cta_key,
  }))
}
