// Whether a property uses the tracker at all. One that does not has no visits, so that none is missed, and no
// session needs to be looked for.
import { dayOf, dayText } from '../kernel/days.ts'
import { lastUsed } from '../kernel/last-used.ts'
import { gatherOf } from '../queues/gather.ts'
import type { Facts } from '../stores/facts.ts'

export type MeasuredDeps = Pick<Facts, 'lookup' | 'version' | 'isShared'>

/** A property without a page view in so many days does not use the tracker. */
const MEASURED_DAYS = 7
/** A property that measures goes on to: it is looked at again after so long. */
const MEASURED_FOR_MS = 3_600_000
const MOST_PROPERTIES = 10_000
/** Between two queries: each costs milliseconds of the processor, for one property as for a hundred. */
const PACE_MS = 20

interface Asked {
  readonly propertyId: string
  readonly atMs: number
}

/** Those that have page views. A statement for each, of which one row is read, in one question. */
async function listMeasured(facts: MeasuredDeps, asked: readonly Asked[], awaited: readonly string[]) {
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
    'tracker.isMeasured',
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
  /** Of its page views, from before they were looked for; undefined where others write some too. */
  readonly version: string | undefined
}

const measures = new WeakMap<MeasuredDeps, ReturnType<typeof lastUsed<string, Measure>>>()

function memoryOf(facts: MeasuredDeps) {
  const memory = measures.get(facts) ?? lastUsed<string, Measure>(MOST_PROPERTIES)
  measures.set(facts, memory)
  return memory
}

/** Any row will do: rows that are not inserted yet are waited for only when there is no other. */
async function readMeasured(facts: MeasuredDeps, asked: readonly Asked[]): Promise<Map<string, true>> {
  const memory = memoryOf(facts)
  // Of the others it is known that there was no row.
  const unknown = asked.filter(({ propertyId }) => memory.get(propertyId)?.isMeasured !== false)
  const found = new Set(await listMeasured(facts, unknown, []))
  const others = asked.filter(({ propertyId }) => !found.has(propertyId))
  const ids = others.map(({ propertyId }) => propertyId)
  for (const property of await listMeasured(facts, others, ids)) found.add(property)
  return new Map([...found].map((property) => [property, true]))
}

const askMeasured = gatherOf<MeasuredDeps, Asked, true>((facts) => ({
  groupOf: () => '',
  keyOf: ({ propertyId }) => propertyId,
  paceMs: PACE_MS,
  load: (asked) => readMeasured(facts, asked),
}))

/** Asking a server for it would take as long as looking again. */
const versionOf = async (facts: MeasuredDeps, propertyId: string): Promise<string | undefined> =>
  facts.isShared ? undefined : facts.version(propertyId, undefined, ['views'])

/** One that measures goes on to; one that does not begins with a page view. */
function isStill(known: Measure, atMs: number, version: string | undefined): boolean {
  if (known.isMeasured) return Math.abs(atMs - known.atMs) < MEASURED_FOR_MS
  return version !== undefined && version === known.version && atMs >= known.atMs
}

export async function isMeasured(facts: MeasuredDeps, asked: Asked): Promise<boolean> {
  const memory = memoryOf(facts)
  const version = await versionOf(facts, asked.propertyId)
  const known = memory.get(asked.propertyId)
  if (known && isStill(known, asked.atMs, version)) return known.isMeasured
  const isFound = (await askMeasured(facts, asked)) ?? false
  memory.set(asked.propertyId, { isMeasured: isFound, atMs: asked.atMs, version })
  return isFound
}
