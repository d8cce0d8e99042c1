// When a property's visitors come: sessions by weekday and hour, of the days before. By it a running bucket
// is projected to its end. docs/definitions.md, "The overview of the dashboard", is the law of this file.
// Times are what a clock in the property's zone reads (kernel/zones.ts).
import { DAY_MS, dayOf, DAYS_A_WEEK } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'

export const HOUR_MS = 3_600_000
const HOURS_A_DAY = 24
/**
 * Days before today that are looked at: each weekday four times, and never more than one short read, however
 * long the window is.
 */
const PROFILE_DAYS = 28
/** With fewer sessions a weekday, or all days together, tell more of chance than of habit. */
const LEAST_SESSIONS = 20

/** Sessions that began in an hour, counted from 1970-01-01 00:00 on the clock. */
export interface HourCount {
  readonly hour: number
  readonly sessions: number
}

/** How many sessions are to be expected in the hour that begins then; only their ratios say something. */
export type Profile = (hour: number) => number

/** The days that the profile of a day is made of. */
export function profileSpan(nowMs: number): Span {
  const toMs = dayOf(nowMs) * DAY_MS
  return { fromMs: toMs - PROFILE_DAYS * DAY_MS, toMs }
}

const dayOfHour = (hour: number): number => Math.floor(hour / HOURS_A_DAY)
const hourOfDay = (hour: number): number => hour % HOURS_A_DAY
const weekdayOf = (day: number): number => day % DAYS_A_WEEK

/** Means a day of some days, by the hour of the day. */
function meansOf(hours: readonly HourCount[], days: number): number[] | undefined {
  const sum = hours.reduce((total, { sessions }) => total + sessions, 0)
  if (days === 0 || sum < LEAST_SESSIONS) return undefined
  const means = Array.from({ length: HOURS_A_DAY }, () => 0)
  for (const { hour, sessions } of hours) means[hourOfDay(hour)]! += sessions / days
  return means
}

/**
 * @param hours of the span that have sessions. Their first day is left out: tracking may have begun in the
 * middle of it.
 * @param span whole days.
 */
export function profileOf(hours: readonly HourCount[], span: Span): Profile {
  const firstDay = Math.min(...hours.map(({ hour }) => dayOfHour(hour))) + 1
  const days: number[] = []
  for (let day = firstDay; day < dayOf(span.toMs); day++) days.push(day)
  const whole = hours.filter(({ hour }) => dayOfHour(hour) >= firstDay)
  const all = meansOf(whole, days.length)
  const byWeekday = Array.from({ length: DAYS_A_WEEK }, (_, weekday) =>
    meansOf(
      whole.filter(({ hour }) => weekdayOf(dayOfHour(hour)) === weekday),
      days.filter((day) => weekdayOf(day) === weekday).length,
    ),
  )
  return (hour) => (byWeekday[weekdayOf(dayOfHour(hour))] ?? all)?.[hourOfDay(hour)] ?? 1
}

/** What is expected within the span; of an hour that is cut, its share. */
function expectedIn(profile: Profile, { fromMs, toMs }: Span): number {
  let sum = 0
  for (let hour = Math.floor(fromMs / HOUR_MS); hour * HOUR_MS < toMs; hour++) {
    const inside = Math.min(toMs, (hour + 1) * HOUR_MS) - Math.max(fromMs, hour * HOUR_MS)
    sum += (profile(hour) * inside) / HOUR_MS
  }
  return sum
}

/** A bucket that runs, and how far it has come. */
export interface Running extends Span {
  readonly nowMs: number
}

/** Not before this share of the bucket has passed, and not before so many of its sessions are counted. */
const LEAST_ELAPSED_SHARE = 0.25
export const LEAST_COUNTED = 20

/** Whether enough of it has passed to tell what it will come to. */
export const isFarEnough = ({ fromMs, toMs, nowMs }: Running): boolean =>
  nowMs < toMs && (nowMs - fromMs) / (toMs - fromMs) >= LEAST_ELAPSED_SHARE

/**
 * How many times what was counted until now the whole bucket will have; by its length where nothing was to be
 * expected until now.
 */
export function growthOf(profile: Profile, { fromMs, toMs, nowMs }: Running): number {
  const expected = expectedIn(profile, { fromMs, toMs: nowMs })
  if (expected <= 0) return (toMs - fromMs) / (nowMs - fromMs)
  return expectedIn(profile, { fromMs, toMs }) / expected
}
