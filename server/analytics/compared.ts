// Two figures side by side, rounded as they are shown, and how they differ. docs/definitions.md, "Summary".
import type { SummaryJson } from './answer-schema.ts'

export function round(value: number, decimals: number): number {
  const scale = 10 ** decimals
  return Math.round(value * scale) / scale
}

interface Compared {
  readonly current: number
  /** Undefined when the preceding window has no sessions: then nothing is compared. */
  readonly previous: number | undefined
}

/** Both figures as they are shown, and how they differ. */
export function comparedEntry(
  { current, previous }: Compared,
  { decimals, isReverse }: { readonly decimals: number; readonly isReverse: boolean },
): SummaryJson {
  if (previous === undefined) {
    return {
      current,
      previous: null,
      difference: null,
      percent: null,
      percent_abs: null,
      trend: null,
      trend_color: 'base',
    }
  }
  const difference = round(current - previous, decimals)
  const percent = growth(difference, previous)
  const trend = difference > 0 ? 'up' : difference < 0 ? 'down' : 'flat'
  return {
    current,
    previous,
    difference,
    percent,
    percent_abs: percent === null ? null : Math.abs(percent),
    trend,
    trend_color: trend === 'flat' ? 'base' : (trend === 'up') === isReverse ? 'danger' : 'success',
  }
}

function growth(difference: number, previous: number): number | null {
  if (previous === 0) return difference === 0 ? 0 : null
  return round(difference / previous, 4)
}
