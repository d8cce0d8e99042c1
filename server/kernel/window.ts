// The time span of a query, and its division into buckets. All in UTC; a window includes its beginning and
// excludes its end. docs/definitions.md, "Windows" and "Graph", defines it: the buckets of a window cover it
// without gap or overlap.
import { DAY_MS, dayFromText, dayOf } from './days.ts'
import { invalid } from './problem.ts'

export const periods = [
  { id: 'today', name: 'Today' },
  { id: 'yesterday', name: 'Yesterday' },
  { id: 'last_7', name: 'Last 7 Days' },
  { id: 'last_28', name: 'Last 28 Days' },
  { id: 'month_to_date', name: 'Month To Date' },
  { id: 'year_to_date', name: 'Year To Date' },
  { id: 'last_12_months', name: 'Last 12 Months' },
  { id: 'custom', name: 'Custom' },
] as const

export type Period = (typeof periods)[number]['id']
export const intervalIds = ['hour', 'day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervalIds)[number]

/** Milliseconds since the Unix epoch; `from` is included, `to` is excluded. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export interface Window extends Span {
  readonly period: Period
  /** YYYY-MM-DD of a custom window, else null. */
  readonly dateFrom: string | null
  readonly dateTo: string | null
  /** True when the window ends at the time of the query, so that its last bucket is incomplete. */
  readonly endsNow: boolean
  /** The window in words, for people. */
  readonly showing: string
}

/** As answers have it. */
export const windowJson = ({ period, dateFrom, dateTo, showing }: Window) => ({
  period,
  date_from: dateFrom,
  date_to: dateTo,
  showing,
})

export interface WindowQuery {
  readonly period?: string | null | undefined
  readonly date_from?: string | null | undefined
  readonly date_to?: string | null | undefined
}

export interface Bucket extends Span {
  /** The bucket's end if the window did not cut it. */
  readonly fullToMs: number
  readonly label: string
}

/**
 * Ten years with three leap days. A longer window would let one query read everything that was ever stored.
 */
export const MAX_WINDOW_DAYS = 3653
const HOUR_MS = 3_600_000
const FALLBACK_PERIOD: Period = 'last_7'
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

export function isPeriod(id: string): id is Period {
  return periods.some((period) => period.id === id)
}

/** The next whole second: what was acknowledged before the query is inside a window that ends "now". */
export function endOfNow(nowMs: number): number {
  return (Math.floor(nowMs / 1000) + 1) * 1000
}

/**
 * @param defaultPeriod the property's; used when the request names none.
 * @throws Problem('validation_failed') for an unknown period and for dates that are missing, do not exist,
 * are reversed or too far apart.
 */
export function parseWindow(query: WindowQuery, nowMs: number, defaultPeriod: string | null): Window {
  const id = query.period ?? defaultPeriod ?? FALLBACK_PERIOD
  if (!isPeriod(id)) throw invalid('period', `period must be one of ${periods.map((period) => period.id).join(', ')}.`)
  if (id === 'custom') return customWindow(query)
  const span = spans[id](nowMs)
  const showing = periods.find((period) => period.id === id)?.name ?? id
  return { ...span, period: id, dateFrom: null, dateTo: null, endsNow: id !== 'yesterday', showing }
}

/** The beginning of a window; all except yesterday end now. */
const spans: Readonly<Record<Exclude<Period, 'custom'>, (nowMs: number) => Span>> = {
  today: (nowMs) => ({ fromMs: midnight(nowMs, 0), toMs: endOfNow(nowMs) }),
  yesterday: (nowMs) => ({ fromMs: midnight(nowMs, 1), toMs: midnight(nowMs, 0) }),
  last_7: (nowMs) => ({ fromMs: midnight(nowMs, 6), toMs: endOfNow(nowMs) }),
  last_28: (nowMs) => ({ fromMs: midnight(nowMs, 27), toMs: endOfNow(nowMs) }),
  month_to_date: (nowMs) => ({ fromMs: firstOfMonth(nowMs, 0), toMs: endOfNow(nowMs) }),
  year_to_date: (nowMs) => ({ fromMs: firstOfMonth(nowMs, new Date(nowMs).getUTCMonth()), toMs: endOfNow(nowMs) }),
  last_12_months: (nowMs) => ({ fromMs: firstOfMonth(nowMs, 11), toMs: endOfNow(nowMs) }),
}

/**
 * The day is that of the query itself: in the last second before midnight the window's end is already
 * tomorrow.
 */
function midnight(nowMs: number, daysAgo: number): number {
  return (dayOf(nowMs) - daysAgo) * DAY_MS
}

function firstOfMonth(timeMs: number, monthsAgo: number): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsAgo, 1)
}

function customWindow(query: WindowQuery): Window {
  const dateFrom = checkedDate('date_from', query.date_from)
  const dateTo = checkedDate('date_to', query.date_to)
  const fromDay = dayFromText(dateFrom)
  const days = dayFromText(dateTo) - fromDay + 1
  if (days < 1) throw invalid('date_to', 'date_to must not be before date_from.')
  if (days > MAX_WINDOW_DAYS)
    throw invalid('date_to', `the window must not be longer than ten years (${MAX_WINDOW_DAYS} days).`)
  const fromMs = fromDay * DAY_MS
  const toMs = fromMs + days * DAY_MS
  return { fromMs, toMs, period: 'custom', dateFrom, dateTo, endsNow: false, showing: showingDays({ fromMs, toMs }) }
}

function checkedDate(field: string, text: string | null | undefined): string {
  if (text === null || text === undefined) throw invalid(field, `${field} is required when period is custom.`)
  if (!isDate(text)) throw invalid(field, `${field} must be a date YYYY-MM-DD between 1970-01-01 and 2099-12-31.`)
  return text
}

/** The years that a `Date` column of the facts can hold, with room for the preceding window. */
function isDate(text: string): boolean {
  if (!/^(19[7-9]|20\d)\d-\d\d-\d\d$/.test(text)) return false
  const timeMs = Date.parse(`${text}T00:00:00Z`)
  // Some engines read 30 February as 2 March: only a date that reads back as itself exists.
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text)
}

/** The span of equal length that ends where this one begins. */
export function precedingSpan(span: Span): Span {
  return { fromMs: span.fromMs - (span.toMs - span.fromMs), toMs: span.fromMs }
}

/** The same date and time one calendar year earlier; 1 March for 29 February. */
export function yearBefore(timeMs: number): number {
  const date = new Date(timeMs)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

/** A span in words: its first and its last day. */
export function showingDays(span: Span): string {
  const [first, last] = [longDate(span.fromMs), longDate(Math.max(span.fromMs, span.toMs - 1))]
  return first === last ? first : `${first} - ${last}`
}

/** Number of UTC days that the span touches. */
export function daysTouched(span: Span): number {
  return dayOf(span.toMs - 1) - dayOf(span.fromMs) + 1
}

// ---------------------------------------------------------------- intervals

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
export function acceptedIntervals(span: Span): { default: Interval; intervals: readonly Interval[] } {
  const days = daysTouched(span)
  return accepted.find((row) => days <= row.upToDays) ?? accepted[accepted.length - 1]!
}

/** @throws Problem('validation_failed') when the window does not accept the interval. */
export function parseInterval(interval: string | null | undefined, span: Span): Interval {
  const row = acceptedIntervals(span)
  if (interval === null || interval === undefined) return row.default
  const found = row.intervals.find((id) => id === interval)
  if (!found) throw invalid('interval', `interval must be one of ${row.intervals.join(', ')} for this window.`)
  return found
}

// ---------------------------------------------------------------- buckets

/** Every bucket of the span in order of time, the first and the last cut by its ends. */
export function bucketsOf(span: Span, interval: Interval): Bucket[] {
  const spansDays = daysTouched(span) > 1
  const buckets: Bucket[] = []
  for (let fromMs = span.fromMs; fromMs < span.toMs;) {
    const fullToMs = bucketEnd[interval](fromMs)
    const toMs = Math.min(fullToMs, span.toMs)
    buckets.push({ fromMs, toMs, fullToMs, label: bucketLabel[interval](fromMs, toMs, spansDays) })
    fromMs = toMs
  }
  return buckets
}

/**
 * The end of a bucket that begins at the given time: the next boundary of the calendar, for weeks seven days
 * later.
 */
const bucketEnd: Readonly<Record<Interval, (fromMs: number) => number>> = {
  hour: (fromMs) => (Math.floor(fromMs / HOUR_MS) + 1) * HOUR_MS,
  day: (fromMs) => midnight(fromMs, -1),
  week: (fromMs) => fromMs + 7 * DAY_MS,
  month: (fromMs) => firstOfMonth(fromMs, -1),
  year: (fromMs) => Date.UTC(new Date(fromMs).getUTCFullYear() + 1, 0, 1),
}

/** Hours include their day only where the window has several. */
const bucketLabel: Readonly<Record<Interval, (fromMs: number, toMs: number, spansDays: boolean) => string>> = {
  hour: (fromMs, _toMs, spansDays) => {
    const date = new Date(fromMs)
    return `${spansDays ? `${date.getUTCDate()}-` : ''}${date.getUTCHours()}h`
  },
  day: (fromMs) => `${monthName(fromMs)} ${new Date(fromMs).getUTCDate()} '${shortYear(fromMs)}`,
  week: (fromMs, toMs) => `Week (${shortDate(fromMs)} - ${shortDate(toMs - 1)})`,
  month: (fromMs) => `${monthName(fromMs)} '${shortYear(fromMs)}`,
  year: (fromMs) => String(new Date(fromMs).getUTCFullYear()),
}

function monthName(timeMs: number): string {
  return monthNames[new Date(timeMs).getUTCMonth()] ?? ''
}

function shortYear(timeMs: number): string {
  return String(new Date(timeMs).getUTCFullYear()).slice(-2)
}

/** 21 Aug */
function shortDate(timeMs: number): string {
  return `${new Date(timeMs).getUTCDate()} ${monthName(timeMs)}`
}

/** 21 Aug 2026 */
function longDate(timeMs: number): string {
  return `${shortDate(timeMs)} ${new Date(timeMs).getUTCFullYear()}`
}
