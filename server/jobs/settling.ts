// Weeks that are over are copied out of the folds, for quick questions about long windows: at the start, and every five minutes those that have
// become quiet.
import type { Deps } from '../kernel/deps.ts'
import type { Job } from './retention.ts'

/** Also for how long a week must be quiet: what comes late, comes together. */
const EVERY_MS = 300_000

export function startSettling({ facts, now, log }: Pick<Deps, 'facts' | 'now' | 'log'>): Job {
  let isUnderWay = false
  const settle = (): void => {
    if (isUnderWay) return
    isUnderWay = true
    facts
      .settle(now(), true)
      .then((weeks) => weeks.length > 0 && log.info({ weeks: weeks.length }, 'weeks settled'))
      .catch((error: unknown) => log.error({ err: error }, 'settling weeks failed'))
      .finally(() => {
        isUnderWay = false
      })
  }
  settle()
  const timer = setInterval(settle, EVERY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
