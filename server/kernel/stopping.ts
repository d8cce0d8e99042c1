// The way out of a process, in the order in which others notice: it says that it is leaving, takes no new
// connections, and ends.

export class Stopping {
  #isAnnounced = false
  #endNotice: () => void = () => undefined
  readonly #draining = new AbortController()
  readonly #givingUp = new AbortController()

  /** Nobody should send anything here any more; whoever does is answered as ever. */
  get isAnnounced(): boolean {
    return this.#isAnnounced
  }

  /** Aborted once every answer is the last one of its connection. */
  get draining(): AbortSignal {
    return this.#draining.signal
  }

  /** Aborted when nothing that is still being answered is waited for. */
  get givingUp(): AbortSignal {
    return this.#givingUp.signal
  }

  /** Resolves after the time that others have to notice. */
  announce(noticeMs: number): Promise<void> {
    this.#isAnnounced = true
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, noticeMs)
      this.#endNotice = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Whoever stops the process has no time: the notice is over. */
  hurry(): void {
    this.#endNotice()
  }

  drain(): void {
    this.#draining.abort()
  }

  giveUp(): void {
    this.#givingUp.abort()
  }
}
