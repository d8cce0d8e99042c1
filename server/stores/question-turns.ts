// How many questions run at once: the rest wait for fair turns, not without end. Processes that share the
// store of one machine share the turns as well, so nothing here depends on the store.
import { FairTurns, type FairTurnsOptions, type Load, type TurnTaker } from '../queues/fair-turns.ts'
import { Problem } from '../kernel/problem.ts'

/**
 * Questions of people may take their time and wait for each other; those of share links, which anybody may
 * have, wait for each other alone and have little time; look-ups of the way in never wait for a question.
 */
export type ReadLane = 'question' | 'shared' | 'lookup'

/** Also the files that are written of the facts. */
export type TurnLane = ReadLane | 'files'

/** Turns of a lane, here or in another process. */
export interface LaneTurns {
  /** @throws Problem when too many wait; the reason of the signal when it is aborted before the turn. */
  run<Result>(taker: TurnTaker, work: (load: Load) => Promise<Result>): Promise<Result>
}

export type QuestionTurns = Readonly<Record<TurnLane, LaneTurns>>

/**
 * Questions that may wait. An overview puts up to two dozen at once, so that a caller may open eight; what
 * would wait longer than its caller does is refused.
 */
const QUESTIONS_WAITING = { ofACaller: 200, ofAProperty: 800, ofAll: 4000 } as const
/**
 * At a few milliseconds each, the last one waits for seconds; by then its visitor has gone. All of them are
 * asked by the service.
 */
const LOOKUPS_WAITING = { ofACaller: 1000, ofAProperty: 1000, ofAll: 1000 } as const

/** A quarter of its place's time is left to a property that asks without end beside others. */
const RESTS = 3

type Places = Pick<FairTurnsOptions, 'size' | 'ofAProperty' | 'givingWay' | 'rests' | 'beside'>

/** Turns of questions: of those who ask too much only they are told so. */
function turnsOf(places: Places, mostWaiting: FairTurnsOptions['mostWaiting'] = QUESTIONS_WAITING): FairTurns {
  return new FairTurns({
    ...places,
    mostWaiting,
    tooMany: (whose) =>
      whose === 'caller'
        ? new Problem('rate_limited', 'Too many of your queries are waiting.', { retryAfterSeconds: 2 })
        : new Problem('unavailable', 'Too many queries are waiting.', { retryAfterSeconds: 2 }),
  })
}

/**
 * Questions at once in each lane; of those of people also for one property, and for one that takes much
 * beside others.
 */
interface LaneSizes {
  readonly ofAll: number
  readonly ofAProperty: number
  readonly givingWay: number
  readonly shared: number
  readonly lookups: number
  readonly files: number
}

/**
 * Of the embedded store. Another property never waits for the end of a long question. Of share links one runs
 * at a time, beside all others.
 */
const embedded: LaneSizes = { ofAll: 3, ofAProperty: 2, givingWay: 1, shared: 1, lookups: 2, files: 1 }

/**
 * Of each node of a server; also of one property, so that another one never waits for the end of a long
 * question. Fewer than the sockets of a client, or they would wait there in the order in
 * which they came.
 */
const ofANode: LaneSizes = { ofAll: 8, ofAProperty: 5, givingWay: 2, shared: 2, lookups: 10, files: 10 }

/**
 * Those of share links give way to those of people, also of the same property.
 * @param nodes of a ClickHouse server; 0: the embedded store.
 */
export function openQuestionTurns(nodes: number): QuestionTurns {
  const { ofAll, ofAProperty, givingWay, shared, lookups, files } = nodes === 0 ? embedded : ofANode
  const on = (places: number): number => places * Math.max(1, nodes)
  const question = turnsOf({ size: on(ofAll), ofAProperty: on(ofAProperty), givingWay: on(givingWay), rests: RESTS })
  const ofShares = { size: on(shared), ofAProperty: on(shared), givingWay: 1, rests: RESTS }
  return {
    question,
    shared: turnsOf({ ...ofShares, beside: question }),
    lookup: turnsOf({ size: on(lookups), ofAProperty: on(lookups), givingWay: on(lookups) }, LOOKUPS_WAITING),
    files: turnsOf({ size: files, ofAProperty: files, givingWay: files }),
  }
}
