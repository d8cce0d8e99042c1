// UTC days as numbers since 1970-01-01, the way ids, salts and fact tables count them.

export const DAY_MS = 86_400_000

/** The time of what has no time: later than any, so that it never wins a `min`. Milliseconds (2299-12-31). */
export const NEVER_MS = 10_413_705_600_000

export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS)
}

/** The last day that a `Date` of the facts can hold, 2149-06-06. The first one is 1970-01-01. */
export const LAST_DAY = 65_535

/** The nearest day that the facts can hold. */
export const storedDay = (day: number): string => dayText(Math.min(Math.max(0, day), LAST_DAY))

let lastDay = Number.NaN
let lastText = ''

/** YYYY-MM-DD. Cached: most calls are about today. */
export function dayText(day: number): string {
  if (day !== lastDay) {
    lastText = new Date(day * DAY_MS).toISOString().slice(0, 10)
    lastDay = day
  }
  return lastText
}

/** @param text YYYY-MM-DD, already checked. */
export function dayFromText(text: string): number {
  return dayOf(Date.parse(`${text}T00:00:00Z`))
}

export const DAYS_A_WEEK = 7

/** The Monday of a day's week, by which the facts are partitioned. 1970-01-01 was a Thursday. */
export const mondayOf = (day: number): number => day - ((((day + 3) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK)
