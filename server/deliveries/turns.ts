// Work that goes in turns: one at a time, and one more when it was asked for meanwhile.

/** What comes in the same moment shares a turn. */
const GATHER_MS = 3

export interface Turns {
  /** A turn begins now, or after the one under way. */
  soon(): void
  /** The same, a moment later. */
  later(): void
  /** One last turn, after the one under way; whatever is asked for later comes too late. */
  end(): Promise<void>
}

/** @param turn what it throws, `failed` is told; the next turn is the one that is asked for next. */
export function openTurns(turn: () => Promise<void>, failed: (error: unknown) => void): Turns {
  let isWanted = false
  let isEnded = false
  let underWay: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false
      try {
        await turn()
      } catch (error) {
        isWanted = false
        failed(error)
      }
    }
    // In one breath with the last look at `isWanted`: whoever asks from now on begins a run of their own.
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
