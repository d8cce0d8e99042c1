// The places of the workers, and what is sent to them. A worker that ends leaves its place to the next one,
// which then also answers what the one before was asked.
import { Problem } from '../kernel/problem.ts'
import { gathering } from './desk.ts'
import { type Answer, type Ask, faultOf, type Message, PRIMARY } from './wire.ts'

interface Place {
  /** To the worker that is there and has said so. */
  send: ((message: Message) => void) | undefined
  /** A worker has been there: another one will be. */
  isKept: boolean
  readonly unanswered: Map<string, Ask>
}

const goneFault = faultOf(
  new Problem('unavailable', 'Another process of the service is stopping.', { retryAfterSeconds: 5 }),
)

export class Places {
  readonly #places: readonly Place[]
  readonly #takeHere: (message: Message) => void
  #isClosing = false

  /** @param takeHere what is sent to the primary. */
  constructor(count: number, takeHere: (message: Message) => void) {
    this.#places = Array.from({ length: count }, () => ({ send: undefined, isKept: false, unanswered: new Map() }))
    this.#takeHere = takeHere
  }

  /** Once the worker listens; what waits for an answer of this place is put to it. */
  fill(slot: number, send: (messages: readonly Message[]) => void): void {
    const place = this.#placeOf(slot)
    place.isKept = true
    place.send = gathering(send)
    for (const ask of place.unanswered.values()) place.send(ask)
  }

  /** The worker has ended: nobody waits for what it has asked. */
  empty(slot: number): void {
    const place = this.#placeOf(slot)
    place.send = undefined
    for (const { unanswered } of this.#places)
      for (const [id, { from }] of unanswered) if (from === slot) unanswered.delete(id)
    if (this.#isClosing) this.#refuseAll(place)
  }

  /** No worker is started again. */
  close(): void {
    this.#isClosing = true
    for (const place of this.#places) if (!place.send) this.#refuseAll(place)
  }

  /** @param from the number of the process that it comes from. */
  route(from: number, message: Message): void {
    if (message.kind === 'answer') return this.#passAnswer(from, message)
    const sent = { ...message, from }
    if (sent.to === PRIMARY) return this.#takeHere(sent)
    const place = this.#placeOf(sent.to)
    if (sent.kind === 'ask' && !this.#expectAnswer(place, sent)) return
    place.send?.(sent)
  }

  /** False when it is answered already. */
  #expectAnswer(place: Place, ask: Ask): boolean {
    // Of a place where nobody has been yet there is nothing to know.
    if (!place.isKept) this.route(ask.to, { kind: 'answer', id: ask.id, to: ask.from, result: null })
    else if (!place.send && this.#isClosing) this.#refuse(ask)
    else {
      place.unanswered.set(ask.id, ask)
      return true
    }
    return false
  }

  #passAnswer(from: number, answer: Answer): void {
    if (from !== PRIMARY) this.#placeOf(from).unanswered.delete(answer.id)
    if (answer.to === PRIMARY) this.#takeHere(answer)
    else this.#placeOf(answer.to).send?.(answer)
  }

  #refuseAll(place: Place): void {
    for (const ask of place.unanswered.values()) this.#refuse(ask)
    place.unanswered.clear()
  }

  #refuse({ id, to, from }: Ask): void {
    this.route(to, { kind: 'answer', id, to: from, fault: goneFault })
  }

  #placeOf(slot: number): Place {
    return this.#places[slot - 1]!
  }
}
