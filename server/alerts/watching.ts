// Looks for what the properties are watched for: every minute for visitors who are there now, after every
// full hour for sessions and conversions. All properties are asked for in one statement; each finding is told
// once, whichever process has it, and a property has two alerts a day at most.
import type { Context } from '../context.ts'
import { listConversions, MAX_CONVERSIONS, sumConversions } from '../conversions/conversions.ts'
import { dayText } from '../kernel/days.ts'
import { endOfNow } from '../kernel/window.ts'
import { dayIn } from '../kernel/zones.ts'
import { enqueueMail, isMailOn, type Letter } from '../mail/mail.ts'
import { isOpenProperty, type Property } from '../properties/properties.ts'
import { readBeginning } from '../sessions/sessions.ts'
import { readSites, type SiteCounts } from '../sites/sites.ts'
import { readersOf } from '../subscriptions/subscriptions.ts'
import { HOUR_MS, hoursBefore } from './hours.ts'
import { type Finding, hourLetter, liveLetter } from './letters.ts'
import { type AlertRow, claimHour, listAlertRows, noteAbove, takeOne } from './records.ts'
import { unusual } from './unusual.ts'

export type WatchDeps = Pick<
  Context,
  'records' | 'facts' | 'config' | 'keys' | 'now' | 'randomBytes' | 'properties' | 'log'
>

const LIVE_MS = 300_000
/** Of one property, by the days of its clock. */
const MOST_A_DAY = 2
/** Visitors who are too many count as new ones again after so long without. */
const CALM_MS = HOUR_MS
/** What came in the hour is stored by then. */
const SETTLED_MS = 60_000

interface Watched {
  readonly property: Property
  readonly row: AlertRow
}

async function listWatched(deps: WatchDeps): Promise<Watched[]> {
  const watched: Watched[] = []
  for (const row of await listAlertRows(deps.records)) {
    const property = await deps.properties.byId(row.property_id)
    if (property && isOpenProperty(property)) watched.push({ property, row })
  }
  return watched
}

/** Once a finding is claimed: to nobody, where there were enough of them today. */
async function tell(deps: WatchDeps, property: Property, letter: Letter): Promise<boolean> {
  const day = dayText(dayIn(property.timezone, deps.now()))
  return deps.records.transaction().execute(async (tx) => {
    const readers = await readersOf(deps, tx, { propertyId: property.id, kind: 'alerts' })
    if (readers.length === 0 || !(await takeOne(tx, property.id, day, MOST_A_DAY))) return false
    for (const { to, unsubscribeUrl } of readers)
      await enqueueMail(deps, tx, { kind: 'alert', to, propertyId: property.id, letter: { ...letter, unsubscribeUrl } })
    return true
  })
}

async function watchLive(deps: WatchDeps, watched: readonly Watched[]): Promise<number> {
  const toMs = endOfNow(deps.now())
  const live = { fromMs: toMs - LIVE_MS, toMs }
  const ids = watched.map(({ property }) => property.id)
  const counts = await readSites(deps.facts, { lines: [{ ids, edges: [live.fromMs, live.toMs] }], live })
  let told = 0
  for (const { property, row } of watched) {
    const count = counts.get(property.id)?.live ?? 0
    const limit = row.live_visitors ?? 0
    if (count <= limit) continue
    if (!(await noteAbove(deps.records, property.id, { nowMs: deps.now(), calmMs: CALM_MS }))) continue
    told += Number(await tell(deps, property, liveLetter(deps.config, property, { live: count, limit })))
  }
  return told
}

/** The parts of a line whose beginnings are the hours: what is between them is nobody's. */
function hourCounts(
  counts: SiteCounts | undefined,
  edges: readonly number[],
  hours: ReturnType<typeof hoursBefore>,
): number[] {
  return hours.map(({ fromMs, toMs }) => (toMs > fromMs ? (counts?.sessions[edges.indexOf(fromMs)] ?? 0) : 0))
}

/** Weeks before the first visit that is kept are no weeks without visits. */
const knownWeeks = (counts: readonly number[], hours: ReturnType<typeof hoursBefore>, firstMs: number): number[] =>
  counts.slice(1).filter((_, index) => hours[index + 1]!.fromMs >= firstMs)

async function conversionsOf(deps: WatchDeps, { property, row }: Watched, hours: ReturnType<typeof hoursBefore>) {
  if (row.has_conversions === 0) return undefined
  const { rows } = await listConversions(deps, property.id, { page: 1, perPage: MAX_CONVERSIONS })
  if (rows.length === 0) return undefined
  const counts: number[] = []
  for (const span of hours) counts.push(await sumConversions(deps.facts, property.id, rows, span))
  return counts
}

interface Hour {
  readonly hours: ReturnType<typeof hoursBefore>
  readonly sessions: readonly number[]
}

async function judge(deps: WatchDeps, watched: Watched, { hours, sessions }: Hour): Promise<boolean> {
  const { property, row } = watched
  const firstMs = (await readBeginning(deps.facts, property.id)) ?? Number.POSITIVE_INFINITY
  const found = (what: Finding['what'], counts: readonly number[] | undefined): Finding[] => {
    const beside = counts && unusual(counts[0]!, knownWeeks(counts, hours, firstMs))
    return beside ? [{ what, ...beside }] : []
  }
  const [first, ...further] = [
    ...(row.has_sessions === 1 ? found('sessions', sessions) : []),
    ...found('conversions', await conversionsOf(deps, watched, hours)),
  ]
  return (
    first !== undefined && tell(deps, property, hourLetter(deps.config, property, [first, ...further], hours[0].fromMs))
  )
}

/** @param upSinceMs when this process began: nobody knows whether the service was there before. */
async function watchHours(deps: WatchDeps, watched: readonly Watched[], upSinceMs: number): Promise<number> {
  const nowMs = deps.now() - SETTLED_MS
  let told = 0
  for (const ofZone of Map.groupBy(watched, ({ property }) => property.timezone).values()) {
    const zone = ofZone[0]!.property.timezone
    const hours = hoursBefore(zone, nowMs)
    if (hours[0].fromMs < upSinceMs) continue
    const due: Watched[] = []
    for (const one of ofZone) if (await claimHour(deps.records, one.property.id, hours[0].toMs)) due.push(one)
    if (due.length === 0) continue
    const edges = [...new Set(hours.flatMap(({ fromMs, toMs }) => [fromMs, toMs]))].toSorted(
      (one, other) => one - other,
    )
    const live = { fromMs: nowMs - 1, toMs: nowMs }
    const counts = await readSites(deps.facts, {
      lines: [{ ids: due.map(({ property }) => property.id), edges }],
      live,
    })
    for (const one of due) {
      const sessions = hourCounts(counts.get(one.property.id), edges, hours)
      told += Number(await judge(deps, one, { hours, sessions }))
    }
  }
  return told
}

/** @returns what is to be repeated: it tells of what it finds, as long as email is set up. */
export function openWatch(deps: WatchDeps): () => Promise<number> {
  const upSinceMs = deps.now()
  return async () => {
    if (!isMailOn(deps.config)) return 0
    const watched = await listWatched(deps)
    const isLive = ({ row }: Watched) => row.live_visitors !== null
    const live = watched.some(isLive) ? await watchLive(deps, watched.filter(isLive)) : 0
    const hourly = watched.filter(({ row }) => row.has_sessions === 1 || row.has_conversions === 1)
    return live + (await watchHours(deps, hourly, upSinceMs))
  }
}
