// The bodies of deliveries that this node has claimed: made, and on their way into the records, without which nothing is sent.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import type { Basket } from './basket.ts'
import type { Body } from './body.ts'
import type { DeliveryRow } from './claims-records.ts'
import { endingOf, failedHere } from './endings.ts'
import type { Held } from './held.ts'

/** While the facts are away bodies cannot be made: nothing is claimed for so long. */
const FACTS_AWAY_MS = 5_000

export interface BodiesDeps extends Pick<Deps, 'log' | 'now'> {
  readonly config: Pick<Config, 'webhookRetryDelays'>
  /** The bytes of a delivery, asked for before its first attempt. @throws Problem('unavailable') while a store is away. */
  readonly makeBody: (row: DeliveryRow) => Promise<Body>
}

export interface Bodies {
  make(held: Held): void
  /** Those that are to be stored. */
  made(): readonly Held[]
  /** The load with these is written. @returns those that were still waited for. */
  taken(made: readonly Held[]): Held[]
  /** False for a moment after a body could not be made for want of a store. */
  mayClaim(): boolean
  /** Those without a stored body, of which nothing is heard any more. */
  stop(): Held[]
}

/** @param changed a body is made, or something ended without one. */
export function openBodies(deps: BodiesDeps, basket: Basket, changed: () => void, awayMs = FACTS_AWAY_MS): Bodies {
  const { log, now } = deps
  /** Without a stored body. */
  const bodiless = new Set<Held>()
  let made: Held[] = []
  /** By the process' own clock. */
  let claimsFrom = 0

  /** A store that is away comes back; anything else is a fault of ours, and may not be tried without end. */
  const withoutBody = (held: Held, error: unknown): void => {
    bodiless.delete(held)
    if (error instanceof Problem && error.kind === 'unavailable') {
      claimsFrom = performance.now() + awayMs
      return basket.giveBack(held, now() + FACTS_AWAY_MS)
    }
    log.error({ err: error, delivery: held.row.id }, 'the body of a delivery could not be made')
    const attempted = failedHere(now(), 'its body could not be made')
    basket.end(held, endingOf(deps.config, held.row, held.sender?.is_active === 1, attempted, now()), attempted)
  }
  const withBody = (held: Held, answer: Body): void => {
    if ('skipped' in answer) {
      bodiless.delete(held)
      return basket.end(held, { kind: 'skipped' })
    }
    held.body = answer.body
    made.push(held)
  }
  const make = async (held: Held): Promise<void> => {
    bodiless.add(held)
    // Given back meanwhile, it is nobody's business any more what comes of it.
    await deps.makeBody(held.row).then(
      (answer) => bodiless.has(held) && withBody(held, answer),
      (error: unknown) => bodiless.has(held) && withoutBody(held, error),
    )
    changed()
  }

  return {
    make: (held) => void make(held),
    made: () => [...made],
    taken(some) {
      made = made.filter((held) => !some.includes(held))
      return some.filter((held) => bodiless.delete(held))
    },
    mayClaim: () => performance.now() >= claimsFrom,
    stop() {
      const left = [...bodiless]
      made = []
      bodiless.clear()
      return left
    },
  }
}
