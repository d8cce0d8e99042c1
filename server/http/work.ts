// Limits how much computing time one caller may use, besides the number of calls: all callers share the
// thread, and some calls cost as much as a hundred others. Counted in this process, whose thread it is.
import { Problem } from '../kernel/problem.ts'
import { WINDOW_SECONDS, secondsLeft } from './limits.ts'

/** About 8 MB when full; it only holds callers with costly work. Above it the oldest is dropped. */
const MOST_CALLERS = 50_000
const WINDOW_MS = WINDOW_SECONDS * 1000

export interface WorkLimit {
  /**
   * @param client as clientOf (limits.ts) returns it.
   * @throws Problem('rate_limited') when its share of the minute is used up.
   */
  pay(client: string, costMs: number, nowMs: number): void
}

/**
 * A caller may start work until its share of the minute is used up: the last piece may exceed it, so that no
 * single piece is refused for its size.
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
