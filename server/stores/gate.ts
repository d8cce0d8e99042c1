// The gate that every write of this process goes through, to the records and to the facts. Closed, it refuses
// what begins, and lets end what has begun: what is stored then stays as it is, and is read as before.
import { Paused } from '../kernel/paused.ts'

export class WriteGate {
  #isClosed = false
  #underWay = 0
  readonly #waiting: (() => void)[] = []
  /** Asked before each write: a promise when it has to be found out first whether to close. */
  freshen: () => Promise<void> | undefined = () => undefined

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * @returns what is to be called, once, when the write has ended.
   * @throws Paused
   */
  async enter(): Promise<() => void> {
    const fresh = this.freshen()
    if (fresh) await fresh
    this.#begin()
    return () => this.#end()
  }

  /** @throws Paused; what the work throws. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    const fresh = this.freshen()
    if (fresh) await fresh
    this.#begin()
    try {
      return await work()
    } finally {
      this.#end()
    }
  }

  #begin(): void {
    if (this.#isClosed) throw new Paused()
    this.#underWay++
  }

  #end(): void {
    this.#underWay--
    if (this.#underWay === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** At once. Resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#underWay > 0) await new Promise<void>((resolve) => void this.#waiting.push(resolve))
  }

  open(): void {
    this.#isClosed = false
  }
}
