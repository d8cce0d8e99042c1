// Seeded randomness: one seed gives one traffic and one list of questions, so that a failure can be run
// again.

export interface Random {
  /** From 0 up to 1. */
  next(): number
  /** Both ends included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<Item>(list: readonly Item[]): Item
  /** As many different items as asked for, or all of them. */
  some<Item>(list: readonly Item[], count: number): Item[]
}

/** Mulberry32: 32 bits of state are plenty for traffic. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (list) => {
      const item = list[int(0, list.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    some: (list, count) => {
      const rest = [...list]
      const taken: (typeof rest)[number][] = []
      while (taken.length < count && rest.length > 0) taken.push(...rest.splice(int(0, rest.length - 1), 1))
      return taken
    },
  }
}
