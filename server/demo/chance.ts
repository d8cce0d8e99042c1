// Repeatable random numbers: the same seed gives the same traffic on every machine. Not for secrets.
import type { Weighted } from './catalogue.ts'

export interface Chance {
  /** From 0 up to, but not including, 1. */
  (): number
  /** An unsigned 32-bit integer. */
  bits(): number
}

/** Draws discarded at the start, until the seeds have mixed. */
const WARM_UP = 16

/**
 * One generator per day, so that days can be generated in any order. Chris Doty-Humphrey's sfc32: its 128
 * bits of state keep the days' streams apart, where a 32-bit state would give two visitors of a large demo
 * the same hash.
 */
export function openChance(seed: number, day: number): Chance {
  let [a, b, c, counter] = [seed | 0, day | 0, 0x2545f491, 1]
  const bits = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let draw = 0; draw < WARM_UP; draw++) bits()
  return Object.assign(() => bits() / 4_294_967_296, { bits })
}

/** A function that draws one item by its weight; the sums are computed once. */
export function drawer<Item>(weighted: Weighted<Item>): (chance: Chance) => Item {
  let sum = 0
  const ends = weighted.map(([weight]) => (sum += weight))
  return (chance) => {
    const at = chance() * sum
    const index = ends.findIndex((end) => at < end)
    return weighted[index === -1 ? weighted.length - 1 : index]![1]
  }
}

/** Positive, typically around `middle`, sometimes several times as large, as reading times are. */
export function around(chance: Chance, middle: number): number {
  // The sum of three draws is close enough to a normal distribution.
  return middle * Math.exp((chance() + chance() + chance() - 1.5) * 1.6)
}

/** Two words as one unsigned 64-bit integer in decimal. */
export function wideNumber(chance: Chance): string {
  return ((BigInt(chance.bits()) << 32n) | BigInt(chance.bits())).toString()
}
