// The last full hour of a property's clock, and the same hour of the same weekday in the weeks before.
import { DAY_MS, DAYS_A_WEEK } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import { instantOf, wallOf } from '../kernel/zones.ts'
import { WEEKS } from './unusual.ts'

export const HOUR_MS = 3_600_000
const WEEK_MS = DAYS_A_WEEK * DAY_MS

/**
 * The latest hour first. Where clocks are set forward over one of them, it is empty.
 * @returns spans that do not overlap.
 */
export function hoursBefore(zone: string, nowMs: number): readonly [last: Span, ...earlier: Span[]] {
  const endWall = Math.floor(wallOf(zone, nowMs) / HOUR_MS) * HOUR_MS
  const hourEnding = (wallMs: number): Span => ({
    fromMs: instantOf(zone, wallMs - HOUR_MS),
    toMs: instantOf(zone, wallMs),
  })
  const earlier = Array.from({ length: WEEKS }, (_, index) => hourEnding(endWall - (index + 1) * WEEK_MS))
  return [hourEnding(endWall), ...earlier]
}
