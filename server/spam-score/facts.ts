// What the facts know of the sender of a form. Concurrent submissions share their queries, which use the fast
// lane that long queries cannot occupy.
import { dayOf, dayText } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { lastUsed } from '../kernel/last-used.ts'
import { gatherOf } from '../queues/gather.ts'
import { bindSessions, keyText, ofSessions, type SessionKey, sessionKey } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import type { Visit } from './score.ts'

type Lookups = Pick<Facts, 'lookup'>

/**
 * A property without a page view in so many days does not use the tracker: then a missing visit means
 * nothing.
 */
const MEASURED_DAYS = 7
/** A property that measures goes on to: it is looked at again after so long. */
const MEASURED_FOR_MS = 3_600_000
const MOST_PROPERTIES = 10_000

interface AskedVisit extends SessionKey {
  readonly propertyId: string
}

interface VisitRow extends SessionKey {
  readonly bot_reason: string
  readonly seconds: string
  readonly views: string
  readonly contact: number
}

/**
 * Of one property. A row of `sessions` without a page view is no visit: a click or a form alone creates such
 * a row.
 */
async function readVisits(facts: Lookups, asked: readonly AskedVisit[]): Promise<Map<string, Visit>> {
  const rows = await facts.lookup<VisitRow>(
    'forms.readVisits',
    `SELECT s.day AS day, s.session AS session, s.bot_reason AS bot_reason,
  arraySum(mapValues(s.seconds)) AS seconds, length(s.seconds) AS views, s.contact_id != '' AS contact
FROM sessions AS s FINAL WHERE ${ofSessions}`,
    bindSessions(asked[0]!.propertyId, asked),
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

const askVisit = gatherOf<Lookups, AskedVisit, Visit>((facts) => ({
  groupOf: ({ propertyId }) => propertyId,
  keyOf: keyText,
  load: (asked) => readVisits(facts, asked),
}))

interface AskedMeasure {
  readonly propertyId: string
  readonly atMs: number
}

async function hasViews(facts: Lookups, { propertyId, atMs }: AskedMeasure, sessions?: readonly string[]) {
  const rows = await facts.lookup(
    'forms.isMeasured',
    `SELECT 1 FROM views WHERE property = {property:String} AND day >= {day:Date} LIMIT 1`,
    { property: propertyId, day: dayText(dayOf(atMs) - MEASURED_DAYS) },
    sessions,
  )
  return rows.length > 0
}

/** When each property was last seen to use the tracker, in milliseconds. */
const measuredMs = new WeakMap<Lookups, ReturnType<typeof lastUsed<string, number>>>()

const askMeasured = gatherOf<Lookups, AskedMeasure, boolean>((facts) => ({
  groupOf: ({ propertyId }) => propertyId,
  keyOf: ({ propertyId }) => propertyId,
  load: async (asked) => {
    const { propertyId, atMs } = asked.at(-1)!
    // Any row will do: rows that are not inserted yet are waited for only when there is no other.
    const isMeasured =
      (await hasViews(facts, { propertyId, atMs }, [])) || (await hasViews(facts, { propertyId, atMs }))
    if (isMeasured) memoryOf(facts).set(propertyId, atMs)
    return new Map([[propertyId, isMeasured]])
  },
}))

function memoryOf(facts: Lookups) {
  const memory = measuredMs.get(facts) ?? lastUsed<string, number>(MOST_PROPERTIES)
  measuredMs.set(facts, memory)
  return memory
}

async function isMeasured(facts: Lookups, asked: AskedMeasure): Promise<boolean> {
  const knownMs = memoryOf(facts).get(asked.propertyId)
  if (knownMs !== undefined && Math.abs(asked.atMs - knownMs) < MEASURED_FOR_MS) return true
  return (await askMeasured(facts, asked)) ?? false
}

/** @param session undefined: the visitor has none, as far as is known. */
export async function findVisit(
  facts: Lookups,
  propertyId: string,
  session: SessionRef | undefined,
  atMs: number,
): Promise<Visit | undefined> {
  if (session) return askVisit(facts, { ...sessionKey(session), propertyId })
  return { isSeen: false, isMeasured: await isMeasured(facts, { propertyId, atMs }) }
}
