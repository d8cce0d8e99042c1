// The turns of questions as a worker takes them: the primary says when each begins, and is told when it ends.
import type { Load } from '../queues/fair-turns.ts'
import type { LaneTurns, QuestionTurns, TurnLane } from '../stores/question-turns.ts'
import type { Desk } from './desk.ts'
import type { TurnWanted } from './held-turns.ts'
import { PRIMARY } from './wire.ts'

/** Rejects with the reason of the signal. */
function untilAborted(signal: AbortSignal): { readonly gone: Promise<never>; readonly forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined) // it may come when nobody waits any more
  const leave = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', leave, { once: true })
  return { gone: promise, forget: () => signal.removeEventListener('abort', leave) }
}

export function teamTurns(desk: Desk): QuestionTurns {
  let last = 0
  const begin = async (wanted: TurnWanted, signal: AbortSignal | undefined): Promise<Load> => {
    const begun = desk.ask(PRIMARY, 'turn', wanted) as Promise<Load>
    if (!signal) return begun
    const { gone, forget } = untilAborted(signal)
    begun.catch(() => undefined)
    return Promise.race([begun, gone]).finally(forget)
  }
  const ofLane = (lane: TurnLane): LaneTurns => ({
    async run({ propertyId, caller, signal }, work) {
      signal?.throwIfAborted()
      const id = ++last
      try {
        return await work(await begin({ id, lane, propertyId, caller }, signal))
      } finally {
        desk.tell(PRIMARY, 'turnEnd', id)
      }
    },
  })
  return { question: ofLane('question'), shared: ofLane('shared'), lookup: ofLane('lookup'), files: ofLane('files') }
}
