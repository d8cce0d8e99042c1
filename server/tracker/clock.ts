// Whether the machine's clock can be believed when it says that a day is over: what is deleted by it does not come back.
import { dayOf } from '../kernel/days.ts'

/** A clock that was set wrong is mostly set right within minutes; a salt is kept longer for its sake by this at most. */
const DOUBT_MS = 3_600_000

/**
 * To be asked at least once a day. False for an hour after days were left out, unless the next day begins in the ordinary way: then the
 * clock was set ahead, perhaps by mistake, or the machine slept. At the start there is nothing to compare with, and the clock is believed.
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
