// Work in the background that is done again and again.
import type { Job } from './retention.ts'

/** At once and then every so often. One run at a time: a slow one is not met by the next. One that fails is made up for by the next. */
export function repeat(work: () => Promise<unknown>, everyMs: number, failed: (error: unknown) => void): Job {
  let isUnderWay = false
  const run = (): void => {
    if (isUnderWay) return
    isUnderWay = true
    work()
      .catch(failed)
      .finally(() => {
        isUnderWay = false
      })
  }
  run()
  const timer = setInterval(run, everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
