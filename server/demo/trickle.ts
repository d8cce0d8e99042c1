// Visits that come while the service runs, so that the sample has somebody who is there: the visits of a
// minute are the same whichever process makes them, and whenever it does.
import type { Parts } from '../context.ts'
import { DAY_MS, dayOf } from '../kernel/days.ts'
import type { Property } from '../properties/properties.ts'
import { openChance } from './chance.ts'
import { type DemoOptions, openVisitWriter } from './demo.ts'
import { type DemoVisit, visitsOf } from './traffic.ts'

const MINUTE_MS = 60_000
/** Of a visit that began longer ago, what is left comes no more. */
const FOLLOWED_MINUTES = 20
/** A stream of its own beside those of the days. */
const SEED_STEP = 7_919

/** So many visits begin within a minute, on average, as on the last days of the sample. */
const rateOf = ({ sessions, days }: Pick<DemoOptions, 'sessions' | 'days'>): number => (1.4 * sessions) / days / 1_440

const countOf = (chance: () => number, rate: number): number => {
  const whole = Math.floor(rate)
  return whole + (chance() < rate - whole ? 1 : 0)
}

/** The visit as if it had begun then, up to now. */
function movedTo(visit: DemoVisit, beginMs: number, nowMs: number): DemoVisit {
  const byMs = beginMs - (visit.views[0]?.atMs ?? beginMs)
  const moved = <Item extends { readonly atMs: number }>(items: readonly Item[]): Item[] =>
    items.map((item) => ({ ...item, atMs: item.atMs + byMs })).filter(({ atMs }) => atMs < nowMs)
  return { ...visit, views: moved(visit.views), events: moved(visit.events) }
}

/** The visits that began within that minute; none over midnight, which ends a session. */
export function visitsOfMinute(minute: number, options: DemoOptions, nowMs: number): DemoVisit[] {
  const beginMs = minute * MINUTE_MS
  const day = dayOf(beginMs)
  const seed = options.seed * SEED_STEP + minute
  const chance = openChance(seed, -day)
  const sessions = countOf(chance, rateOf(options))
  if (dayOf(nowMs) !== day || sessions === 0) return []
  return [...visitsOf({ day, progress: 1, sessions }, seed, (day + 1) * DAY_MS)]
    .map((visit) => movedTo(visit, beginMs + Math.floor(chance() * MINUTE_MS), nowMs))
    .filter(({ views }) => views.length > 0)
}

/** Writes what the visitors of the last minutes have done until now; what is there already stays. */
export async function writeTrickle(context: Parts, property: Property, options: DemoOptions): Promise<void> {
  const nowMs = context.now()
  const last = Math.floor(nowMs / MINUTE_MS)
  const minutes = Array.from({ length: FOLLOWED_MINUTES }, (_, back) => last - FOLLOWED_MINUTES + 1 + back)
  const visits = minutes.flatMap((minute) => visitsOfMinute(minute, options, nowMs))
  if (visits.length === 0) return
  const writer = await openVisitWriter(context, property, options, nowMs)
  for (const visit of visits) await writer.add(visit)
  await writer.close()
}
