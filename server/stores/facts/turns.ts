// How many questions run at once: the rest wait for fair turns, not without end.
import { FairTurns, type FairTurnsOptions } from '../../queues/fair-turns.ts'
import { Problem } from '../../kernel/problem.ts'
import type { ReadLane } from './engine.ts'

/**
 * Questions that may wait. An overview puts a dozen, so that a caller may open eight at once; what would wait
 * longer than its caller does is refused.
 */
const QUESTIONS_WAITING = { ofACaller: 100, ofAProperty: 400, ofAll: 2000 } as const
/**
 * At a few milliseconds each, the last one waits for seconds; by then its visitor has gone. All of them are
 * asked by the service.
 */
const LOOKUPS_WAITING = { ofACaller: 1000, ofAProperty: 1000, ofAll: 1000 } as const

/** A quarter of its place's time is left to a property that asks without end beside others. */
const RESTS = 3

type Places = Pick<FairTurnsOptions, 'size' | 'ofAProperty' | 'givingWay' | 'rests' | 'beside'>

/** Turns of questions: of those who ask too much only they are told so. */
export function turnsOf(places: Places, mostWaiting: FairTurnsOptions['mostWaiting'] = QUESTIONS_WAITING): FairTurns {
  return new FairTurns({
    ...places,
    mostWaiting,
    tooMany: (whose) =>
      whose === 'caller'
        ? new Problem('rate_limited', 'Too many of your questions are waiting.', { retryAfterSeconds: 2 })
        : new Problem('unavailable', 'Too many questions are waiting.', { retryAfterSeconds: 2 }),
  })
}

/**
 * Questions at once in each lane; of those of people also for one property, and for one that takes much
 * beside others.
 */
export interface LaneSizes {
  readonly ofAll: number
  readonly ofAProperty: number
  readonly givingWay: number
  readonly shared: number
  readonly lookups: number
}

/** Those of share links give way to those of people, also of the same property. */
export function laneTurns({ ofAll, ofAProperty, givingWay, shared, lookups }: LaneSizes): Record<ReadLane, FairTurns> {
  const question = turnsOf({ size: ofAll, ofAProperty, givingWay, rests: RESTS })
  return {
    question,
    shared: turnsOf({ size: shared, ofAProperty: shared, givingWay: 1, rests: RESTS, beside: question }),
    lookup: turnsOf({ size: lookups, ofAProperty: lookups, givingWay: lookups }, LOOKUPS_WAITING),
  }
}
