// Weeks that are over are copied out of the folds, for quick questions about long windows: those that have not changed since the last look, five
// minutes before.
import type { Deps } from '../kernel/deps.ts'
import { repeat } from './repeat.ts'
import type { Job } from './retention.ts'

/** Also for how long a week must be quiet: what comes late, comes together. */
const EVERY_MS = 300_000

export function startSettling({ facts, now, log }: Pick<Deps, 'facts' | 'now' | 'log'>): Job {
  const settle = async (): Promise<void> => {
    const weeks = await facts.settle(now(), true)
    if (weeks.length > 0) log.info({ weeks: weeks.length }, 'weeks settled')
  }
  return repeat(settle, EVERY_MS, (error) => log.error({ err: error }, 'settling weeks failed'))
}
