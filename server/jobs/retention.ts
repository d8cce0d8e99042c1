// RETENTION_DAYS: what is older goes, at the start and once a day. Without the setting nothing is ever dropped.
import type { Deps } from '../kernel/deps.ts'
import { DAY_MS } from '../kernel/days.ts'
import { dropOldFacts } from '../stores/facts-retention.ts'

/** Stops the timer; what is under way ends by itself. */
export interface Job {
  stop(): void
}

async function dropOnce(deps: Deps, days: number): Promise<void> {
  try {
    await dropOldFacts(deps.facts, days, deps.now())
  } catch (error) {
    // Tomorrow is soon enough: keeping facts a day longer harms nobody, ending the service would.
    deps.log.error({ err: error }, 'dropping old facts failed')
  }
}

export function startRetention(deps: Deps): Job {
  const days = deps.config.retentionDays
  if (days === null) return { stop: () => {} }
  void dropOnce(deps, days)
  const timer = setInterval(() => void dropOnce(deps, days), DAY_MS)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
