// One link that many have must not keep the service busy: the questions of a share are answered one after the other, its files one at a time.
import type { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'
import { shareOf } from './auth.ts'

/** Of one share, in this process. Each of those who look asks a few at once. */
export const MOST_WAITING_OF_A_SHARE = 20

interface Turns {
  readonly last: Promise<unknown>
  readonly count: number
}

/** By the id of the share; a share that asks nothing has no entry. */
const turns = new Map<string, Turns>()
const files = new Set<string>()

const tooMany = (words: string) => new Problem('rate_limited', words, { retryAfterSeconds: 5 })

/** Anybody else's work begins at once. @throws Problem('rate_limited') */
export async function inShareTurn<Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  const share = shareOf(request)
  return share ? inTurnOf(share.shareId, work) : work()
}

export async function inTurnOf<Result>(shareId: string, work: () => Promise<Result>): Promise<Result> {
  const { last, count } = turns.get(shareId) ?? { last: Promise.resolve(), count: 0 }
  if (count > MOST_WAITING_OF_A_SHARE) throw tooMany('Too many are looking at this link: try again in a moment.')
  const own = last.then(work)
  const settled = own.catch(() => undefined)
  turns.set(shareId, { last: settled, count: count + 1 })
  try {
    return await own
  } finally {
    const { count: left, last: latest } = turns.get(shareId) ?? { count: 1, last: settled }
    if (left <= 1) turns.delete(shareId)
    else turns.set(shareId, { last: latest, count: left - 1 })
  }
}

/** Until the answer has gone out, or nobody waits for it any more. @throws Problem('rate_limited') */
export function holdShareFile(request: FastifyRequest, reply: FastifyReply): void {
  const share = shareOf(request)
  if (share) holdFileOf(share.shareId, reply.raw)
}

export function holdFileOf(shareId: string, answer: Pick<EventEmitter, 'once'>): void {
  if (files.has(shareId)) throw tooMany('This link gives out one file at a time.')
  files.add(shareId)
  answer.once('close', () => files.delete(shareId))
}
