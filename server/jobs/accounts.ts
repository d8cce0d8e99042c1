// Old lines of the sign-in log go, and sessions and links that are over, at the start and every hour: also of people who do not come any more.
import type { Logger } from 'pino'
import type { Job } from './retention.ts'

/** What is kept outlives its time by at most this. */
const EVERY_MS = 3_600_000

export function startAccountTidying(removeOldAccountRows: () => Promise<void>, log: Logger): Job {
  const remove = (): void => {
    removeOldAccountRows().catch((error: unknown) => log.error({ err: error }, 'tidying the accounts failed'))
  }
  remove()
  const timer = setInterval(remove, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
