// What a goal comes to, and how its part of today is counted before it is known what the lists show.
import type { GoalCounts } from '../analytics/goal-counts.ts'
import { keyOfValue, type ListedValue, type ValueCounts } from './goal-facts.ts'

/** Plain data, as answers are kept. */
export interface GoalCounted {
  /** By edge. */
  readonly parts: readonly GoalCounts[]
  /** By value; together they are all. */
  readonly values: readonly ValueCounts[]
}

/** By the past that it was put together with: what the lists showed then, and nearly always show again. */
const lastShown = new WeakMap<GoalCounted, readonly ListedValue[]>()

/**
 * What comes on top of the past, by the values that are shown. It does not wait for the lists where it is
 * known what they showed before: what is new in them is read by itself.
 */
export async function readShown(
  past: GoalCounted,
  shown: Promise<readonly ListedValue[]>,
  read: (values: readonly ListedValue[]) => Promise<GoalCounted>,
): Promise<GoalCounted> {
  const expected = lastShown.get(past)
  const early = expected && read(expected)
  // Who waits for it is told of a failure.
  early?.catch(() => undefined)
  const values = await shown
  lastShown.set(past, values)
  if (!early) return read(values)
  const known = new Set(expected.map(keyOfValue))
  const others = values.filter((value) => !known.has(keyOfValue(value)))
  const [rest, more] = await Promise.all([early, others.length > 0 ? read(others) : undefined])
  return more ? { ...rest, values: [...rest.values, ...more.values] } : rest
}
