// Links of contacts that a crash or an absent store left out of the facts are noted there, at the start and every minute.
import type { Logger } from 'pino'
import type { Job } from './retention.ts'

/** An identification that failed half-way is made up for after at most this. */
const EVERY_MS = 60_000

export function startLinkNoting(noteLinks: () => Promise<unknown>, log: Logger): Job {
  let isUnderWay = false
  const note = (): void => {
    if (isUnderWay) return
    isUnderWay = true
    noteLinks()
      .catch((error: unknown) => log.error({ err: error }, 'noting the sessions of contacts failed'))
      .finally(() => {
        isUnderWay = false
      })
  }
  note()
  const timer = setInterval(note, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
