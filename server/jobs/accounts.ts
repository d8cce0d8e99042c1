// Old lines of the sign-in log go, and sessions and links that are over, at the start and every ten minutes: also of people who do not come any more.
import type { Logger } from 'pino'
import { repeat } from './repeat.ts'
import type { Job } from './retention.ts'

/** What is kept outlives its time by at most this; and no more is noted in it than some ten thousand wrong passwords. */
const EVERY_MS = 600_000

export function startAccountTidying(removeOldAccountRows: () => Promise<void>, log: Logger): Job {
  return repeat(removeOldAccountRows, EVERY_MS, (error) => log.error({ err: error }, 'tidying the accounts failed'))
}
