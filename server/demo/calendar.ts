// How many visits each day of the demo gets: weekdays, seasons, growth and campaigns, distributed so that the
// sum is exact.
import { DAY_MS } from '../kernel/days.ts'
import { campaigns, hourShape, weekdayShape } from './catalogue.ts'
import { openChance } from './chance.ts'

export interface DemoDay {
  readonly day: number
  /** Between 0 (the first day) and 1 (today). */
  readonly progress: number
  readonly sessions: number
}

const HOUR_MS = 3_600_000
/** Ratio of visits at the end of the year to those at its beginning. */
const GROWTH = 2.1

const hourTotal = hourShape.reduce((sum, weight) => sum + weight, 0)

/** Share of a day's visits that have happened after `elapsedMs`. */
function shareOfDay(elapsedMs: number): number {
  const hour = Math.min(23, Math.floor(elapsedMs / HOUR_MS))
  const before = hourShape.slice(0, hour).reduce((sum, weight) => sum + weight, 0)
  return (before + (hourShape[hour]! * (elapsedMs - hour * HOUR_MS)) / HOUR_MS) / hourTotal
}

function weightOf(day: number, progress: number, seed: number, nowMs: number): number {
  const weekday = weekdayShape[new Date(day * DAY_MS).getUTCDay()]!
  const season = 1 + 0.12 * Math.cos((2 * Math.PI * (day % 365)) / 365)
  const pushed = campaigns.filter(({ begins, ends }) => progress >= begins && progress <= ends)
  const push = pushed.reduce((sum, { share }) => sum + share, 1)
  const luck = 0.92 + 0.16 * openChance(seed, day)()
  const came = shareOfDay(Math.min(DAY_MS, nowMs - day * DAY_MS))
  return weekday * season * push * luck * came * (1 + (GROWTH - 1) * progress)
}

/**
 * `days` days ending today, oldest first; the sessions add up to `sessions`, and rounding remainders carry
 * over from day to day.
 */
export function spreadOverDays(options: { sessions: number; days: number; seed: number; nowMs: number }): DemoDay[] {
  const today = Math.floor(options.nowMs / DAY_MS)
  const days = Array.from({ length: options.days }, (_, index) => {
    const progress = options.days === 1 ? 1 : index / (options.days - 1)
    const day = today - options.days + 1 + index
    return { day, progress, weight: weightOf(day, progress, options.seed, options.nowMs) }
  })
  const total = days.reduce((sum, { weight }) => sum + weight, 0)
  let weightSoFar = 0
  let given = 0
  return days.map(({ day, progress, weight }) => {
    weightSoFar += weight
    const due = Math.round((options.sessions * weightSoFar) / total)
    const sessions = due - given
    given = due
    return { day, progress, sessions }
  })
}
