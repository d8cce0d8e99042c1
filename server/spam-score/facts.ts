// What the measured path knows of whoever sends a form. Asked on the way that long questions cannot occupy.
import { dayOf, dayText } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { sessionKey } from '../sessions/facts.ts'
import type { Facts } from '../stores/facts.ts'
import type { Visit } from './score.ts'

/** A property without a page view in as many days measures none: that a visitor has none says nothing then. */
const MEASURED_DAYS = 7

/** Undefined when nothing is stored of the session (any more). */
async function readVisit(
  facts: Pick<Facts, 'lookup'>,
  propertyId: string,
  session: SessionRef,
): Promise<Visit | undefined> {
  const [row] = await facts.lookup<{ bot_reason: string; seconds: string; views: string; contact: number }>(
    'forms.readVisit',
    `SELECT s.bot_reason AS bot_reason, arraySum(mapValues(s.seconds)) AS seconds, length(s.seconds) AS views, s.contact_id != '' AS contact
FROM sessions AS s FINAL WHERE property = {property:String} AND day = {day:Date} AND session = {session:UInt64}`,
    { property: propertyId, ...sessionKey(session) },
    [sessionKey(session).session],
  )
  // Without a page view it is no visit: a click or a form alone makes such a row.
  if (!row || Number(row.views) === 0) return undefined
  const { bot_reason: botReason, seconds, views, contact } = row
  return { isSeen: true, botReason, seconds: Number(seconds), views: Number(views), isContact: contact === 1 }
}

async function isMeasured(facts: Pick<Facts, 'lookup'>, propertyId: string, atMs: number): Promise<boolean> {
  const hasRow = async (sessions?: readonly string[]): Promise<boolean> => {
    const rows = await facts.lookup(
      'forms.isMeasured',
      `SELECT 1 FROM views WHERE property = {property:String} AND day >= {day:Date} LIMIT 1`,
      { property: propertyId, day: dayText(dayOf(atMs) - MEASURED_DAYS) },
      sessions,
    )
    return rows.length > 0
  }
  // Any row will do: those that are not inserted yet are waited for only where there is no other.
  return (await hasRow([])) || hasRow()
}

/** @param session undefined: the visitor has none, as far as is known. */
export async function findVisit(
  facts: Pick<Facts, 'lookup'>,
  propertyId: string,
  session: SessionRef | undefined,
  atMs: number,
): Promise<Visit | undefined> {
  if (session) return readVisit(facts, propertyId, session)
  return { isSeen: false, isMeasured: await isMeasured(facts, propertyId, atMs) }
}
