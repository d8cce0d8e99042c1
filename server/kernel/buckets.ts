// The division of a window into buckets by the calendar of its time zone. docs/definitions.md, "Graph",
// defines it: the buckets of a window cover it without gap or overlap.
import { midnight, monthBegin, weekBegin, type WeekStart, yearBegin } from './calendar.ts'
import { DAYS_A_WEEK } from './days.ts'
import { invalid } from './problem.ts'
import { dateIn, daysTouched, type Span, type ZonedSpan } from './window.ts'
import { dayBegin, dayIn, wallOf } from './zones.ts'

export const intervalIds = ['hour', 'day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervalIds)[number]

export interface Bucket extends Span {
  /** The bucket's end if the window did not cut it. */
  readonly fullToMs: number
  readonly label: string
}

const HOUR_MS = 3_600_000

export const intervals: Readonly<Record<Interval, { name: string; seconds: number }>> = {
  hour: { name: 'Hour', seconds: 3600 },
  day: { name: 'Day', seconds: 86_400 },
  week: { name: 'Week', seconds: 604_800 },
  month: { name: 'Month', seconds: 2_592_000 },
  year: { name: 'Year', seconds: 31_536_000 },
}

/** One row per length of window, in days touched; the first interval is the default. */
const accepted: readonly { upToDays: number; default: Interval; intervals: readonly Interval[] }[] = [
  { upToDays: 1, default: 'hour', intervals: ['hour', 'day'] },
  { upToDays: 7, default: 'day', intervals: ['day'] },
  { upToDays: 30, default: 'day', intervals: ['day', 'week'] },
  { upToDays: 180, default: 'week', intervals: ['day', 'week', 'month'] },
  { upToDays: 365, default: 'month', intervals: ['week', 'month'] },
  { upToDays: Infinity, default: 'month', intervals: ['week', 'month', 'year'] },
]

/** Intervals that a window of this length accepts, and the default. */
export function acceptedIntervals(span: ZonedSpan): { default: Interval; intervals: readonly Interval[] } {
  const days = daysTouched(span)
  return accepted.find((row) => days <= row.upToDays) ?? accepted[accepted.length - 1]!
}

/** @throws Problem('validation_failed') when the window does not accept the interval. */
export function parseInterval(interval: string | null | undefined, span: ZonedSpan): Interval {
  const row = acceptedIntervals(span)
  if (interval === null || interval === undefined) return row.default
  const found = row.intervals.find((id) => id === interval)
  if (!found) throw invalid('interval', `interval must be one of ${row.intervals.join(', ')} for this window.`)
  return found
}

// ---------------------------------------------------------------- buckets

/** Every bucket of the span in order of time, the first and the last cut by its ends. */
export function bucketsOf(span: ZonedSpan, interval: Interval): Bucket[] {
  const { zone, weekStart } = span
  const spansDays = daysTouched(span) > 1
  const buckets: Bucket[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs;) {
    const fullToMs = bucketEnd[interval](zone, fromMs, weekStart)
    const toMs = Math.min(fullToMs, span.toMs)
    buckets.push({ fromMs, toMs, fullToMs, label: bucketLabel[interval]({ fromMs, toMs, zone }, spansDays) })
    fromMs = toMs
  }
  return buckets
}

/**
 * The end of a bucket that begins at the given time: the next boundary of the calendar. Weeks that begin with
 * no day of the calendar end seven days later.
 */
const bucketEnd: Readonly<Record<Interval, (zone: string, fromMs: number, weekStart?: WeekStart) => number>> = {
  // An hour that the clocks go through twice is two; one that they cut is as long as what is left of it.
  hour: (zone, fromMs) => fromMs + HOUR_MS - (wallOf(zone, fromMs) % HOUR_MS),
  day: (zone, fromMs) => midnight(zone, fromMs, -1),
  week: (zone, fromMs, weekStart) =>
    weekStart ? weekBegin(zone, fromMs, weekStart, -1) : dayBegin(zone, dayIn(zone, fromMs) + DAYS_A_WEEK),
  month: (zone, fromMs) => monthBegin(zone, fromMs, -1),
  year: (zone, fromMs) => yearBegin(zone, fromMs, -1),
}

/** Hours include their day only where the window has several. */
const bucketLabel: Readonly<Record<Interval, (bucket: ZonedSpan, spansDays: boolean) => string>> = {
  hour: ({ zone, fromMs }, spansDays) => {
    const hour = new Date(wallOf(zone, fromMs)).getUTCHours()
    return `${spansDays ? `${dateIn(zone, fromMs).day}-` : ''}${hour}h`
  },
  day: ({ zone, fromMs }) => {
    const { day, month, year } = dateIn(zone, fromMs)
    return `${month} ${day} '${year.slice(-2)}`
  },
  week: ({ zone, fromMs, toMs }) => `Week (${shortDate(zone, fromMs)} - ${shortDate(zone, toMs - 1)})`,
  month: ({ zone, fromMs }) => {
    const { month, year } = dateIn(zone, fromMs)
    return `${month} '${year.slice(-2)}`
  },
  year: ({ zone, fromMs }) => dateIn(zone, fromMs).year,
}

/** 21 Aug */
function shortDate(zone: string, atMs: number): string {
  const { day, month } = dateIn(zone, atMs)
  return `${day} ${month}`
}
