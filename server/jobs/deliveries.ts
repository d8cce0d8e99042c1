// Old deliveries of webhooks go, and secrets that sign no more, at the start and every hour.
import type { Logger } from 'pino'
import { repeat } from './repeat.ts'
import type { Job } from './retention.ts'

/** A delivery outlives its time by at most this. */
const EVERY_MS = 3_600_000

export function startDeliveryRemoval(removeOldDeliveries: () => Promise<void>, log: Logger): Job {
  return repeat(removeOldDeliveries, EVERY_MS, (error) => log.error({ err: error }, 'removing old deliveries failed'))
}
