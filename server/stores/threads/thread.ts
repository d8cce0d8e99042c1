// A worker thread that is asked for results by name, as if it were a function that takes its time. What is
// asked in one turn of the event loop, or while it works on the message before, goes there in one message: to
// wake a thread costs more than most of what it is asked for. A thread that died is started again by the next
// call.
import { Worker } from 'node:worker_threads'
import type { Answer, Ask, Work } from './thread-worker.ts'

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * What a thread makes is handed over and forgotten: room for more of it would only be filled, tens of
 * megabytes a thread.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 6 }

export class Thread<Given extends Work> {
  readonly #entry: URL
  readonly #idleMs: number
  #idle: NodeJS.Timeout | undefined
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  /** Not on their way yet. */
  #asks: Ask[] = []
  /** Of the message that the thread works on, how many it has not answered. */
  #underWay = 0
  #isPosting = false
  #lastId = 0

  /**
   * @param entry a file that calls `serve`. It starts with the first question.
   * @param idleMs ends a thread that nobody has asked for so long; the next question starts another.
   */
  constructor(entry: URL, idleMs = Infinity) {
    this.#entry = entry
    this.#idleMs = idleMs
  }

  /** The process does not end while it waits for an answer, and does not wait for the thread otherwise. */
  ask<Name extends keyof Given & string>(
    name: Name,
    ...given: Parameters<Given[Name]>
  ): Promise<ReturnType<Given[Name]>> {
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<Given[Name]>>()
    const id = ++this.#lastId
    this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
    this.#asks.push({ id, name, given })
    this.#postSoon()
    return promise
  }

  #postSoon(): void {
    if (this.#isPosting || this.#underWay > 0 || this.#asks.length === 0) return
    this.#isPosting = true
    // After all that the answers before have set going.
    setImmediate(() => this.#post())
  }

  get isStarted(): boolean {
    return this.#worker !== undefined
  }

  #post(): void {
    const asks = this.#asks
    this.#asks = []
    this.#isPosting = false
    this.#underWay = asks.length
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#open())
    worker.ref()
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(asks)
    } catch (error) {
      // One of them holds what cannot be copied.
      for (const { id } of asks) this.#fail(id, error)
      this.#underWay = 0
      this.#postSoon()
    }
  }

  #fail(id: number, error: unknown): void {
    this.#waiting.get(id)?.reject(error)
    this.#waiting.delete(id)
  }

  #open(): Worker {
    // The flags of the process are about its own program.
    const opened = new Worker(this.#entry, { execArgv: [], resourceLimits })
    const end = (error: unknown): void => {
      if (this.#worker !== opened) return
      this.#worker = undefined
      const unsent = new Set(this.#asks.map(({ id }) => id))
      for (const id of this.#waiting.keys()) if (!unsent.has(id)) this.#fail(id, error)
      this.#underWay = 0
      this.#postSoon()
    }
    opened.on('message', (answers: readonly Answer[]) => this.#take(answers))
    opened.on('error', end)
    opened.on('exit', () => end(new Error('A thread of this process has ended.')))
    return opened
  }

  #take(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const asked = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('error' in answer) asked?.reject(Object.assign(answer.error as Error, answer.codes))
      else asked?.resolve(answer.result)
    }
    this.#underWay -= answers.length
    this.#postSoon()
    if (this.#waiting.size === 0) this.#rest()
  }

  #rest(): void {
    this.#worker?.unref()
    if (this.#idleMs < Infinity) this.#idle = setTimeout(() => this.#end(), this.#idleMs).unref()
  }

  #end(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }
}
