// Decides whether the machine's clock can be trusted when it says that a day is over: salts that are deleted
// because of it cannot be restored.
import { dayOf } from '../kernel/days.ts'

/** A wrong clock is usually corrected within minutes; a salt is kept longer because of it by this at most. */
const DOUBT_MS = 3_600_000

/**
 * Must be called at least once a day. False for an hour after the clock skipped days, unless the next day
 * begins normally: the clock may have been set ahead by mistake, or the machine slept. At the start there is
 * nothing to compare with, and the clock is trusted.
 */
export function openClockWatch(): (nowMs: number) => boolean {
  let lastDay: number | undefined
  let jumpedMs: number | undefined
  return (nowMs) => {
    const day = dayOf(nowMs)
    const passed = lastDay === undefined ? 0 : day - lastDay
    lastDay = day
    if (passed > 1) jumpedMs = nowMs
    else if (passed !== 0) jumpedMs = undefined
    else if (jumpedMs !== undefined && nowMs - jumpedMs >= DOUBT_MS) jumpedMs = undefined
    return jumpedMs === undefined
  }
}
