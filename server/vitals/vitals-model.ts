// What Google calls good and poor of each measure (https://web.dev/articles/vitals).
import type { Vital } from '../kernel/vitals.ts'

export const ratings = ['good', 'needs_improvement', 'poor'] as const
export type Rating = (typeof ratings)[number]

interface Scale {
  /** Up to it a value is good; beyond `poor` it is poor. As stored: milliseconds, or ten-thousandths. */
  readonly good: number
  readonly poor: number
  /** Stored units in one that is answered. */
  readonly unit: number
}

export const scales: Readonly<Record<Vital, Scale>> = {
  lcp: { good: 2_500, poor: 4_000, unit: 1 },
  inp: { good: 200, poor: 500, unit: 1 },
  cls: { good: 1_000, poor: 2_500, unit: 10_000 },
  fcp: { good: 1_800, poor: 3_000, unit: 1 },
  ttfb: { good: 800, poor: 1_800, unit: 1 },
}

/** @param stored a value as the facts hold it. */
export function ratingOf(vital: Vital, stored: number): Rating {
  const { good, poor } = scales[vital]
  if (stored <= good) return 'good'
  return stored <= poor ? 'needs_improvement' : 'poor'
}
