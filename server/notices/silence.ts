// When tracking counts as stopped (docs/definitions.md): nothing came for hours in which, in each of the two
// weeks before, plenty came.
import { DAY_MS } from '../kernel/days.ts'
import type { Property } from '../properties/properties.ts'
import { countViews, readLastViews, readLively } from './facts.ts'
import type { NoticeDeps } from './notices.ts'

const HOUR_MS = 3_600_000
const WEEK_MS = 7 * DAY_MS
/** In the same hours of each week before; with fewer, nothing may well be chance. */
const LEAST_VIEWS = 30
/** Weeks before that are looked at: one alone may have been special. */
const WEEKS = [1, 2] as const
/** Somebody who has not told by then that it is on purpose is not told any more either. */
const MOST_DAYS = 10

export interface Silence {
  /** Of the last page view. */
  readonly lastMs: number
  /** Page views in the same hours of each week before, the last one first. */
  readonly before: readonly number[]
}

async function silenceOf(
  { facts, now }: NoticeDeps,
  propertyId: string,
  { lastMs, upSinceMs }: { readonly lastMs: number; readonly upSinceMs: number },
): Promise<Silence | undefined> {
  // While the service was not there, nothing could come.
  const fromMs = Math.max(lastMs, upSinceMs)
  const toMs = now()
  const spans = WEEKS.map((weeks) => ({ fromMs: fromMs - weeks * WEEK_MS, toMs: toMs - weeks * WEEK_MS }))
  const before = await countViews(facts, propertyId, spans)
  return before.every((views) => views >= LEAST_VIEWS) ? { lastMs, before } : undefined
}

interface Found {
  readonly property: Property
  readonly silence: Silence
}

/** @param upSinceMs when this process began to take page views. */
export async function listSilences(deps: NoticeDeps, upSinceMs: number): Promise<Found[]> {
  const { facts, properties, now, config } = deps
  if (now() - upSinceMs < HOUR_MS) return []
  const lively = new Set(await readLively(facts, now() - HOUR_MS))
  const quiet = (await properties.ids()).filter((id) => !lively.has(id))
  // No longer than the log of mail knows what was told.
  const days = Math.min(MOST_DAYS, config.deliveryDays)
  const found: Found[] = []
  for (const [id, lastMs] of await readLastViews(facts, quiet, { nowMs: now(), days })) {
    const property = await properties.byId(id)
    const silence = property?.is_sample === false ? await silenceOf(deps, id, { lastMs, upSinceMs }) : undefined
    if (property && silence) found.push({ property, silence })
  }
  return found
}
