// Randomness that can be repeated: the same seed gives the same run. Long runs say their seed; LONG_SEED
// repeats one.
import { randomInt } from 'node:crypto'

export interface Chance {
  /** At least 0 and below 1. */
  readonly next: () => number
  /** A whole number at least 0 and below `end`. */
  readonly below: (end: number) => number
  /** True with that probability. */
  readonly is: (probability: number) => boolean
  readonly of: <T>(items: readonly T[]) => T
}

/** The one that LONG_SEED names, or a fresh one. */
export const seedOfRun = (): number => Number(process.env['LONG_SEED'] ?? randomInt(2 ** 31))

/** Mulberry32, which is in the public domain: small, and even enough to choose test input with. */
export function openChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return { next, below, is: (probability) => next() < probability, of: (items) => items[below(items.length)]! }
}
