// Old salts go, at the start and every hour, also where nobody visits any more: with a salt goes the way back from a session to its visitor.
import type { Logger } from 'pino'
import type { Job } from './retention.ts'

/** A day's salt outlives its time by at most this. */
const EVERY_MS = 3_600_000

export function startSaltRemoval(removeOldSalts: () => Promise<void>, log: Logger): Job {
  const remove = (): void => {
    removeOldSalts().catch((error: unknown) => log.error({ err: error }, 'removing old salts failed'))
  }
  remove()
  const timer = setInterval(remove, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
