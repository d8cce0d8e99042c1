// What is counted of the views of a page, over rows of `views` read with FINAL: by questions of the views
// themselves, and of settled days for their sums (`settled_pages`).
import { NEVER_MS } from './tables.ts'

export const pageSums = {
  loads: 'count()',
  timed: 'countIf(seconds > 0)',
  seconds_sum: 'sum(seconds)',
  scrolled: 'countIf(scroll >= 0)',
  scroll_sum: 'sumIf(scroll, scroll >= 0)',
} as const

export const pageSumNames = Object.keys(pageSums) as (keyof typeof pageSums)[]

/** Rows of pings that came before their view have neither time nor path. */
export const isLoaded = `at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`
