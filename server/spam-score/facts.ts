// What the facts know of the sender of a form. Concurrent submissions share their queries, which use the fast
// lane that long queries cannot occupy.
import { dayOf, dayText } from '../kernel/days.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { lastUsed } from '../kernel/last-used.ts'
import { gatherOf } from '../queues/gather.ts'
import { bindAll, keyText, type PropertySession, type SessionKey, sessionKey } from '../sessions/sessions.ts'
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

interface AskedMeasure {
  readonly propertyId: string
  readonly atMs: number
}

/** Those that have page views. A statement for each, of which one row is read, in one question. */
async function listMeasured(facts: Lookups, asked: readonly AskedMeasure[], awaited: readonly string[]) {
  if (asked.length === 0) return []
  const params = asked.flatMap(({ propertyId, atMs }, index) => [
    [`property_${index}`, propertyId],
    [`day_${index}`, dayText(dayOf(atMs) - MEASURED_DAYS)],
  ])
  const parts = asked.map(
    (_, index) =>
      `SELECT property FROM views WHERE property = {property_${index}:String} AND day >= {day_${index}:Date} LIMIT 1`,
  )
  const rows = await facts.lookup<{ property: string }>(
    'forms.isMeasured',
    `SELECT property FROM (${parts.join(' UNION ALL ')})`,
    Object.fromEntries(params),
    awaited,
  )
  return rows.map(({ property }) => property)
}

/** What was last found of a property. */
interface Measure {
  readonly isMeasured: boolean
  readonly atMs: number
}

const measures = new WeakMap<Lookups, ReturnType<typeof lastUsed<string, Measure>>>()

function memoryOf(facts: Lookups) {
  const memory = measures.get(facts) ?? lastUsed<string, Measure>(MOST_PROPERTIES)
  measures.set(facts, memory)
  return memory
}

/** Any row will do: rows that are not inserted yet are waited for only when there is no other. */
async function readMeasured(facts: Lookups, asked: readonly AskedMeasure[]): Promise<Map<string, true>> {
  const memory = memoryOf(facts)
  // Of the others it is known that there was no row.
  const unknown = asked.filter(({ propertyId }) => memory.get(propertyId)?.isMeasured !== false)
  const found = new Set(await listMeasured(facts, unknown, []))
  const others = asked.filter(({ propertyId }) => !found.has(propertyId))
  const ids = others.map(({ propertyId }) => propertyId)
  for (const property of await listMeasured(facts, others, ids)) found.add(property)
  for (const { propertyId, atMs } of asked) memory.set(propertyId, { isMeasured: found.has(propertyId), atMs })
  return new Map([...found].map((property) => [property, true]))
}

const askMeasured = gatherOf<Lookups, AskedMeasure, true>((facts) => ({
  groupOf: () => '',
  keyOf: ({ propertyId }) => propertyId,
  paceMs: PACE_MS,
  load: (asked) => readMeasured(facts, asked),
}))

/** One that measures goes on to; one that does not may begin at any time. */
async function isMeasured(facts: Lookups, asked: AskedMeasure): Promise<boolean> {
  const known = memoryOf(facts).get(asked.propertyId)
  if (known?.isMeasured && Math.abs(asked.atMs - known.atMs) < MEASURED_FOR_MS) return true
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
