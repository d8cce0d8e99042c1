// The time of day in tests. Figures are of days: what a test writes before midnight is not of today any more
// when it asks a second later.
import { DAY_MS } from '../../server/kernel/days.ts'

/** Time of day in UTC, milliseconds. In no zone is it midnight within fifty minutes (clock.test.ts). */
export const BEGINS_MS = (12 * 60 + 5) * 60_000

/** From the system's clock to that of tests, milliseconds. */
export const AHEAD_MS = BEGINS_MS - (Date.now() % DAY_MS)

/** Goes on as the system's clock does, from five past noon of today when the tests began. */
export const noonClock = (): number => Date.now() + AHEAD_MS
