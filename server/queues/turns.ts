// Limits how much work runs at once: the rest waits in order. For callers that must not delay each other
// there is queues/fair-turns.ts.

interface TurnsOptions {
  readonly atOnce: number
  /** How many may wait; further ones are refused. Default: any number. */
  readonly mostWaiting?: number
  /** The error for those. */
  readonly tooMany?: () => Error
}

/** @returns a function that runs work when its turn comes, and returns its result. */
export function openTurns({ atOnce, mostWaiting = Infinity, tooMany }: TurnsOptions) {
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++
      return
    }
    if (waiting.length >= mostWaiting && tooMany) throw tooMany()
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
    })
  }

  /** The slot goes to the one that has waited longest. */
  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
