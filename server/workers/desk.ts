// One end of the line between the processes of a service: asks others by name, and answers them.
import { type Answer, type Ask, errorOf, faultOf, type Message, PRIMARY } from './wire.ts'

/** @param from the number of the process that asks. */
export type Work = (from: number, ...given: never[]) => unknown

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

export class Desk {
  readonly #send: (message: Message) => void
  readonly #works = new Map<string, Work>()
  /** Came before anybody was there to take it. */
  readonly #early = new Map<string, Exclude<Message, Answer>[]>()
  readonly #waiting = new Map<string, Waiting>()
  #asked = 0

  /** @param send to the primary, which knows from whom it comes. */
  constructor(send: (message: Message) => void) {
    this.#send = send
  }

  /** @throws what the other one throws: a Problem as such, any other error with its words. */
  ask(to: number, name: string, ...given: readonly unknown[]): Promise<unknown> {
    const id = `${process.pid}.${++this.#asked}`
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#send({ kind: 'ask', id, from: PRIMARY, to, name, given })
    return promise
  }

  tell(to: number, name: string, ...given: readonly unknown[]): void {
    this.#send({ kind: 'word', from: PRIMARY, to, name, given })
  }

  /** What is asked under the name goes there; also what was asked before. */
  answer(name: string, work: Work): void {
    this.#works.set(name, work)
    const early = this.#early.get(name) ?? []
    this.#early.delete(name)
    for (const message of early) this.take(message)
  }

  take(message: Message): void {
    if (message.kind === 'answer') return this.#end(message)
    const work = this.#works.get(message.name)
    if (!work) this.#early.set(message.name, [...(this.#early.get(message.name) ?? []), message])
    else if (message.kind === 'word') work(message.from, ...(message.given as never[]))
    else void this.#answerTo(message, work)
  }

  #end({ id, result, fault }: Answer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (fault) waiting?.reject(errorOf(fault))
    else waiting?.resolve(result)
  }

  async #answerTo({ id, from, given }: Ask, work: Work): Promise<void> {
    const reply = { kind: 'answer', id, to: from } as const
    try {
      this.#send({ ...reply, result: await work(from, ...(given as never[])) })
    } catch (error) {
      this.#send({ ...reply, fault: faultOf(error) })
    }
  }
}

/** Sends what one turn of the event loop brings as one message: each is a call of the system at both ends. */
export function gathering(send: (messages: readonly Message[]) => void): (message: Message) => void {
  let gathered: Message[] = []
  return (message) => {
    gathered.push(message)
    if (gathered.length > 1) return
    setImmediate(() => {
      const all = gathered
      gathered = []
      send(all)
    })
  }
}
