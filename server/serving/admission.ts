// Lets new connections in before the work of those that are open. The event loop (libuv) accepts one
// connection in each of its turns; where hundreds of requests come with every turn, a turn takes a tenth of a
// second, and clients that connect meanwhile would wait for seconds until they are accepted.

/** Requests that begin in one turn whatever happens: with so few of them a turn is short. */
const FEW_REQUESTS = 32
/** Turns without work take some 50 µs, so this lets in hundreds; work that waits for it is not late yet. */
const MOST_MS = 20

export class Admission {
  #hasAccepted = false
  #begun = 0
  #round: Promise<void> | undefined

  /** To be called for each connection that is accepted: there may be more behind it. */
  accepted(): void {
    this.#hasAccepted = true
  }

  /**
   * To be called for each request. Resolves when nobody waits to be accepted, or for long enough; undefined
   * when it may begin at once.
   */
  wait(): Promise<void> | undefined {
    if (this.#round) return this.#round
    if (++this.#begun === 1) setImmediate(() => (this.#begun = 0))
    if (this.#hasAccepted && this.#begun > FEW_REQUESTS) this.#round = this.#acceptOthers()
    return this.#round
  }

  async #acceptOthers(): Promise<void> {
    // This turn reads what the open connections have sent, however long that takes; those after it have
    // little else to do.
    await new Promise(setImmediate)
    const endMs = performance.now() + MOST_MS
    while (this.#hasAccepted && performance.now() < endMs) {
      this.#hasAccepted = false
      await new Promise(setImmediate)
    }
    this.#hasAccepted = false
    this.#round = undefined
  }
}
