// What became of deliveries and waits to be written: what is sent, what cannot be, what is given back to be sent later or by somebody else.
import type { Deps } from '../kernel/deps.ts'
import type { Attempted } from './attempt.ts'
import type { Held } from './held.ts'
import type { Lanes } from './lanes.ts'
import type { Ending, Outcome } from './outcome-records.ts'

export interface Basket {
  /** Its place is free already. */
  settle(held: Held, ending: Ending, attempted?: Attempted): void
  /** It is not sent, and its place is free. */
  end(held: Held, ending: Ending, attempted?: Attempted): void
  /** To be sent by whoever claims it next. */
  giveBack(held: Held, atMs?: number): void
  /** It is this node's no more: there is nothing to be written. */
  lose(held: Held): void
  outcomes(): readonly Outcome[]
  /** The first ones are written. */
  written(count: number): void
}

/** @param freed there is room in its lane again. */
export function openBasket({ now }: Pick<Deps, 'now'>, lanes: Lanes<Held>, freed: (held: Held) => void): Basket {
  let outcomes: Outcome[] = []
  const settle: Basket['settle'] = (held, ending, attempted) => {
    outcomes.push({ row: held.row, ending, nowMs: now(), ...(attempted && { attempted }) })
    freed(held)
  }
  const end: Basket['end'] = (held, ending, attempted) => {
    lanes.done(held, 'unsent')
    settle(held, ending, attempted)
  }
  return {
    settle,
    end,
    giveBack: (held, atMs = now()) => end(held, { kind: 'unsent', atMs }),
    lose(held) {
      lanes.done(held, 'unsent')
      freed(held)
    },
    outcomes: () => [...outcomes],
    written(count) {
      outcomes = outcomes.slice(count)
    },
  }
}
