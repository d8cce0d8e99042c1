// Old deliveries of webhooks go, and secrets that sign no more, at the start and every hour.
import type { Logger } from 'pino'
import type { Job } from './retention.ts'

/** A delivery outlives its time by at most this. */
const EVERY_MS = 3_600_000

export function startDeliveryRemoval(removeOldDeliveries: () => Promise<void>, log: Logger): Job {
  let isUnderWay = false
  const remove = (): void => {
    if (isUnderWay) return
    isUnderWay = true
    removeOldDeliveries()
      .catch((error: unknown) => log.error({ err: error }, 'removing old deliveries failed'))
      .finally(() => {
        isUnderWay = false
      })
  }
  remove()
  const timer = setInterval(remove, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
