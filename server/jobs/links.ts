// Links of contacts that a crash or an absent store left out of the facts are noted there, at the start and every minute.
import type { Logger } from 'pino'
import { repeat } from './repeat.ts'
import type { Job } from './retention.ts'

/** An identification that failed half-way is made up for after at most this. */
const EVERY_MS = 60_000

export function startLinkNoting(noteLinks: () => Promise<unknown>, log: Logger): Job {
  return repeat(noteLinks, EVERY_MS, (error) => log.error({ err: error }, 'noting the sessions of contacts failed'))
}
