// What the facts know of the sender of a form. Concurrent submissions share their queries, which use the fast
// lane that long queries cannot occupy.
import type { SessionRef } from '../kernel/ids.ts'
import { gatherOf } from '../queues/gather.ts'
import { bindAll, keyText, type PropertySession, type SessionKey, sessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { isMeasured, type MeasuredDeps } from '../tracker/tracker.ts'
import type { Visit } from './score.ts'

type Lookups = Pick<Facts, 'lookup'>

/**
 * Between two queries of a kind: each costs milliseconds of the processor, for one sender as for a hundred,
 * and a submission may wait for many times that.
 */
const PACE_MS = 20

interface VisitRow extends SessionKey {
  readonly bot_reason: string
  readonly seconds: string
  readonly views: string
  readonly contact: number
}

/**
 * The lists are crossed, and what nobody asked for does no harm: a hash belongs to one property and day. A
 * row of `sessions` without a page view is no visit: a click or a form alone creates such a row.
 */
async function readVisits(facts: Lookups, asked: readonly PropertySession[]): Promise<Map<string, Visit>> {
  const rows = await facts.lookup<VisitRow>(
    'forms.readVisits',
    `SELECT s.day AS day, s.session AS session, s.bot_reason AS bot_reason,
  arraySum(mapValues(s.seconds)) AS seconds, length(s.seconds) AS views, s.contact_id != '' AS contact
FROM sessions AS s FINAL
WHERE property IN {properties:Array(String)} AND s.day IN {days:Array(Date)} AND s.session IN {sessions:Array(UInt64)}`,
    bindAll(asked),
    asked.map(({ session }) => session),
  )
  return new Map(rows.filter(({ views }) => Number(views) > 0).map((row) => [keyText(row), visitOf(row)]))
}

const visitOf = ({ bot_reason: botReason, seconds, views, contact }: VisitRow): Visit => ({
  isSeen: true,
  botReason,
  seconds: Number(seconds),
  views: Number(views),
  isContact: contact === 1,
})

const askVisit = gatherOf<Lookups, PropertySession, Visit>((facts) => ({
  groupOf: () => '',
  keyOf: keyText,
  load: (asked) => readVisits(facts, asked),
  paceMs: PACE_MS,
}))

/** @param session undefined: the visitor has none, as far as is known. */
export async function findVisit(
  facts: MeasuredDeps,
  propertyId: string,
  session: SessionRef | undefined,
  atMs: number,
): Promise<Visit | undefined> {
  if (session) return askVisit(facts, { ...sessionKey(session), propertyId })
  return { isSeen: false, isMeasured: await isMeasured(facts, { propertyId, atMs }) }
}
