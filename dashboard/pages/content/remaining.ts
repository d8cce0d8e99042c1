// How long a test still takes, at the rate at which sessions have come so far (docs/definitions.md).
import type { Results } from '../../api/content.ts'

type Judged = Pick<Results, 'has_enough_data' | 'phase'> & {
  readonly versions: readonly Pick<Results['versions'][number], 'n' | 'goals' | 'rate' | 'weight' | 'chance_to_win'>[]
}
type Version = Judged['versions'][number]

const DAY_S = 86_400
/** Less than an hour says nothing about a day. */
const LEAST_DAYS = 1 / 24
/** Nobody waits longer, and no rate holds for so long. */
const MOST_DAYS = 365
/** What the service asks for before it compares (content-results/results.ts). */
const ENOUGH_SESSIONS = 100
const ENOUGH_GOALS = 10
/**
 * Lehr's rule: sessions of each version for a power of 80% at 5%, times the variance over the squared
 * difference.
 */
const LEHR = 16

const lacking = (wanted: number, has: number, perDay: number): number =>
  wanted <= has ? 0 : perDay === 0 ? Infinity : (wanted - has) / perDay

function untilEnough(shown: readonly Version[], days: number): number {
  const goals = shown.reduce((sum, version) => sum + (version.goals ?? 0), 0)
  const sessions = shown.map(({ n }) => lacking(ENOUGH_SESSIONS, n, n / days))
  return Math.max(...sessions, lacking(ENOUGH_GOALS, goals, goals / days))
}

/** Until the difference between the two best would be certain, if it is what it seems to be. */
function untilCertain(shown: readonly Version[], days: number): number {
  const [best, second] = shown.toSorted((one, other) => (other.rate ?? 0) - (one.rate ?? 0))
  if (!best || !second) return Infinity
  const difference = (best.rate ?? 0) - (second.rate ?? 0)
  const mean = ((best.rate ?? 0) + (second.rate ?? 0)) / 2
  const wanted = difference === 0 ? Infinity : (LEHR * mean * (1 - mean)) / difference ** 2
  const has = Math.min(best.n, second.n)
  // Some day more in any case: it is not certain yet.
  return Math.max(1, lacking(wanted, has, has / days))
}

/** Whole days; undefined when it would take more than a year, or nothing has come. */
export function daysLeft({ has_enough_data, phase, versions }: Judged, nowTs: number): number | undefined {
  const shown = versions.filter(({ weight }) => weight > 0)
  if (shown.length < 2) return undefined
  const days = Math.max(LEAST_DAYS, (nowTs - phase.started_ts) / DAY_S)
  const left = has_enough_data ? untilCertain(shown, days) : untilEnough(shown, days)
  return left <= MOST_DAYS ? Math.max(1, Math.ceil(left)) : undefined
}
