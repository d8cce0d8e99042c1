// What one caller may have this process compute, beside how often it may call: the thread is shared by all, and some calls cost it as much as
// a hundred others. Counted in this process alone, since it is this process's thread.
import { Problem } from '../kernel/problem.ts'
import { WINDOW_SECONDS, secondsLeft } from './limits.ts'

/** About 8 MB when full; only who caused costly work is in it. Past it the oldest is forgotten. */
const MOST_CALLERS = 50_000
const WINDOW_MS = WINDOW_SECONDS * 1000

export interface WorkLimit {
  /**
   * @param client as clientOf (limits.ts) knows it.
   * @throws Problem('rate_limited') when its share of the minute is used up.
   */
  pay(client: string, costMs: number, nowMs: number): void
}

/**
 * A caller may begin work until its share of the minute is used up: the last piece may go beyond it, so that no single one is ever refused
 * for being large.
 * @param perMinuteMs 0: without a limit.
 */
export function openWorkLimit(perMinuteMs: number, mostCallers = MOST_CALLERS): WorkLimit {
  let window = -1
  let spent = new Map<string, number>()
  return {
    pay(client, costMs, nowMs) {
      if (perMinuteMs === 0) return
      const current = Math.floor(nowMs / WINDOW_MS)
      if (current !== window) {
        window = current
        spent = new Map()
      }
      const before = spent.get(client) ?? 0
      if (before >= perMinuteMs)
        throw new Problem('rate_limited', 'Too much work was asked for: try again in a moment.', {
          retryAfterSeconds: secondsLeft(nowMs),
        })
      if (before === 0 && spent.size >= mostCallers) spent.delete(spent.keys().next().value ?? '')
      spent.set(client, before + costMs)
    },
  }
}
