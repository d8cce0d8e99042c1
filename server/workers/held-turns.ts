// The turns of questions, which all workers share: the primary gives them out, and takes back those of a
// worker that ends.
import type { Load } from '../queues/fair-turns.ts'
import { openQuestionTurns, type QuestionTurns, type TurnLane } from '../stores/question-turns.ts'

export interface TurnWanted {
  /** Of the worker's own counting. */
  readonly id: number
  readonly lane: TurnLane
  readonly propertyId: string
  readonly caller: string
}

export class HeldTurns {
  readonly #turns: QuestionTurns
  /** Ends a turn, or the wait for it, by worker and number. */
  readonly #ends = new Map<number, Map<number, () => void>>()

  /** @param nodes of a ClickHouse server; 0: the embedded store. */
  constructor(nodes: number) {
    this.#turns = openQuestionTurns(nodes)
  }

  /** Resolves with the beginning of the turn. @throws Problem when too many wait. */
  take(from: number, { id, lane, propertyId, caller }: TurnWanted): Promise<Load> {
    const stop = new AbortController()
    const [begun, ended] = [Promise.withResolvers<Load>(), Promise.withResolvers<void>()]
    const ends = this.#endsOf(from)
    ends.set(id, () => {
      ends.delete(id)
      stop.abort(new Error('nobody waits for the turn any more'))
      ended.resolve()
    })
    const turn = this.#turns[lane].run({ propertyId, caller, signal: stop.signal }, (load) => {
      begun.resolve(load)
      return ended.promise
    })
    turn.catch((error: Error) => {
      ends.delete(id)
      begun.reject(error)
    })
    return begun.promise
  }

  end(from: number, id: number): void {
    this.#ends.get(from)?.get(id)?.()
  }

  endAll(from: number): void {
    for (const end of this.#endsOf(from).values()) end()
  }

  #endsOf(from: number): Map<number, () => void> {
    const known = this.#ends.get(from)
    if (known) return known
    const ends = new Map<number, () => void>()
    this.#ends.set(from, ends)
    return ends
  }
}
