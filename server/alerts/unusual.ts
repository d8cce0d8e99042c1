// When a number of one hour is unusual (docs/definitions.md, "Alerts"): beside the same hour of the same
// weekday in the weeks before.

/** Weeks that an hour is compared with. */
export const WEEKS = 8
/** Fewer say nothing of what is usual. */
export const LEAST_WEEKS = 4
/** Below it, on both sides, an hour may well be chance. */
const NOISE_FLOOR = 50
/** Twice as many, or half as many. */
const FACTOR = 2
/** How many spreads it must be away: chance alone goes as far once in more than a million hours. */
const SPREADS = 5
/** Makes a median of distances a standard deviation, for numbers that are distributed normally. */
const NORMAL = 1.4826

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface Unusual {
  readonly count: number
  /** The median of the weeks before, rounded. */
  readonly usual: number
}

/**
 * @param before of the same hour in the weeks before, in any order; weeks before the first visit left out.
 * @returns undefined for a number as it may well be.
 */
export function unusual(count: number, before: readonly number[]): Unusual | undefined {
  if (before.length < LEAST_WEEKS) return undefined
  const usual = medianOf(before)
  const distance = medianOf(before.map((one) => Math.abs(one - usual)))
  // What is counted varies by the root of it at least, however alike a few weeks were.
  const spread = Math.max(NORMAL * distance, Math.sqrt(usual))
  const isFar = Math.abs(count - usual) >= SPREADS * spread
  const isTwofold = count >= FACTOR * usual || count * FACTOR <= usual
  return isFar && isTwofold && Math.max(count, usual) >= NOISE_FLOOR ? { count, usual: Math.round(usual) } : undefined
}
