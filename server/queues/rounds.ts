// Work that runs in rounds: one at a time, and once more when another one was requested meanwhile.

/** Requests of the same moment share a round. */
const GATHER_MS = 3

export interface Rounds {
  /** A round begins now, or after the one under way. */
  soon(): void
  /** The same, a moment later. */
  later(): void
  /** One last round, after the one under way; later requests do nothing. */
  end(): Promise<void>
}

/** @param round when it throws, `failed` gets the error, and the next request begins the next round. */
export function openRounds(round: () => Promise<void>, failed: (error: unknown) => void): Rounds {
  let isWanted = false
  let isEnded = false
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      try {
        await round()
      } catch (error) {
        isWanted = false
        failed(error)
      }
    }
    // Synchronous with the last look at `isWanted`: a later request must begin a new run.
    underWay = undefined
  }
  const soon = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (isEnded) return
    isWanted = true
    underWay ??= run()
  }
  return {
    soon,
    later() {
      timer ??= setTimeout(soon, GATHER_MS)
    },
    async end() {
      soon()
      while (underWay) await underWay
      isEnded = true
      clearTimeout(timer)
    },
  }
}
