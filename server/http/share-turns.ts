// A link that many people have must not keep the service busy: the queries of a share run one after another,
// its files one at a time.
import type { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import type { SharedWith } from '../accounts/accounts.ts'
import { currentAsker } from '../queues/asker.ts'
import { FairTurns } from '../queues/fair-turns.ts'
import { Problem } from '../kernel/problem.ts'

/** Waiting queries of one share, in this process. Each viewer makes a few at once. */
export const MOST_WAITING_OF_A_SHARE = 20

const tooMany = (words: string) => new Problem('rate_limited', words, { retryAfterSeconds: 5 })

/** Each share has its own queue. */
const turns = new FairTurns({
  size: Infinity,
  ofAProperty: 1,
  givingWay: 1,
  mostWaiting: { ofACaller: MOST_WAITING_OF_A_SHARE, ofAProperty: MOST_WAITING_OF_A_SHARE, ofAll: Infinity },
  tooMany: () => tooMany('Too many are looking at this link: try again in a moment.'),
})
const files = new Set<string>()

/**
 * Work of other callers starts at once, unless nobody waits for it any more. @throws Problem('rate_limited')
 */
export async function inShareTurn<Result>(share: SharedWith | undefined, work: () => Promise<Result>): Promise<Result> {
  return share ? inTurnOf(share.shareId, work, currentAsker()?.signal) : work()
}

export function inTurnOf<Result>(shareId: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  return turns.run({ propertyId: shareId, caller: shareId, signal }, work)
}

/**
 * Holds the turn until the answer has been sent, or nobody waits for it any more. @throws
 * Problem('rate_limited')
 */
export function holdShareFile(share: SharedWith | undefined, reply: FastifyReply): void {
  if (share) holdFileOf(share.shareId, reply.raw)
}

export function holdFileOf(shareId: string, answer: Pick<EventEmitter, 'once'>): void {
  if (files.has(shareId)) throw tooMany('This link gives out one file at a time.')
  files.add(shareId)
  answer.once('close', () => files.delete(shareId))
}
