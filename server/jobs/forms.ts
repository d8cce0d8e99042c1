// Forms in the background: what is kept no longer goes, at the start and every hour; what form sessions that are over had frozen, what a
// crash or an absent store left out of the facts, and what cannot be searched yet: at the start and every minute.
import type { Logger } from 'pino'
import { repeat } from './repeat.ts'
import type { Job } from './retention.ts'

const RETENTION_EVERY_MS = 3_600_000
const NOTING_EVERY_MS = 60_000
const FILLING_EVERY_MS = 60_000
/** As short as it is cheap: what one caller can have kept grows with it. */
const LETTING_GO_EVERY_MS = 60_000

/** @param removeOld answers with counts, which are logged when there are any. */
export function startFormRetention(
  removeOld: () => Promise<{ readonly form_sessions: number; readonly submissions: number }>,
  log: Logger,
): Job {
  const remove = async (): Promise<void> => {
    const counts = await removeOld()
    if (counts.form_sessions + counts.submissions > 0) log.info(counts, 'old submissions and form sessions removed')
  }
  return repeat(remove, RETENTION_EVERY_MS, (error) => log.error({ err: error }, 'removing old submissions failed'))
}

/** @param remove answers with how many addresses it was. */
export function startIpRemoval(remove: () => Promise<number>, log: Logger): Job {
  const run = async (): Promise<void> => {
    const addresses = await remove()
    if (addresses > 0) log.info({ addresses }, 'IP addresses of submissions removed')
  }
  return repeat(run, RETENTION_EVERY_MS, (error) => log.error({ err: error }, 'removing IP addresses failed'))
}

export function startSessionEnding(letGo: () => Promise<unknown>, log: Logger): Job {
  return repeat(letGo, LETTING_GO_EVERY_MS, (error) => log.error({ err: error }, 'ending form sessions failed'))
}

/** Again and again, since a node of an older version may still be storing. @param fill answers with how many it was. */
export function startSearchFilling(fill: () => Promise<number>, log: Logger): Job {
  const run = async (): Promise<void> => {
    const submissions = await fill()
    if (submissions > 0) log.info({ submissions }, 'submissions from before can be searched')
  }
  return repeat(run, FILLING_EVERY_MS, (error) => log.error({ err: error }, 'making submissions searchable failed'))
}

export function startSubmissionNoting(note: () => Promise<unknown>, log: Logger): Job {
  return repeat(note, NOTING_EVERY_MS, (error) => log.error({ err: error }, 'noting submissions failed'))
}
