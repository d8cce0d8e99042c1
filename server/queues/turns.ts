// Work that only so much of may be under way: the rest waits in the order of asking. Where callers must not stand in each
// other's way, fair-turns.ts.

interface TurnsOptions {
  readonly atOnce: number
  /** How many may wait; the next one is refused. Default: any number. */
  readonly mostWaiting?: number
  /** What is thrown at them. */
  readonly tooMany?: () => Error
}

/** @returns what runs a piece of work when its turn comes, and answers as it does. */
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

  /** The place goes to the one who has waited longest. */
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
