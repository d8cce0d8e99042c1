// Markings of sessions that were begun elsewhere, or before a crash, are gone on with. Who begins one does not wait for this.
import type { Logger } from 'pino'
import { repeat } from './repeat.ts'
import type { Job } from './retention.ts'

/** A marking of a node that is gone waits at most this long, besides its claim. */
const EVERY_MS = 10_000

export function startMarking(work: () => Promise<void>, log: Logger): Job {
  return repeat(work, EVERY_MS, (error) => log.error({ err: error }, 'marking sessions failed'))
}
