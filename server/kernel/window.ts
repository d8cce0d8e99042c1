// The time span of a query, by the calendar of a time zone; it includes its beginning and excludes its end.
// docs/definitions.md, "Windows", defines it. Its division into buckets is in buckets.ts.
import { DAY_MS, dayFromText } from './days.ts'
import { invalid } from './problem.ts'
import { clockAt, dayBegin, dayIn, instantOf, isZone, UTC } from './zones.ts'

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

/** Milliseconds since the Unix epoch; `from` is included, `to` is excluded. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** A span by whose calendar days, months and years are told. */
export interface ZonedSpan extends Span {
  /** Name of an IANA time zone. */
  readonly zone: string
}

export interface Window extends ZonedSpan {
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
  /** Name of an IANA time zone. */
  readonly timezone?: string | null | undefined
}

/** Of a property, by which a query is understood that does not say it itself. */
export interface WindowDefaults {
  /** Left out or null: the last seven days. */
  readonly default_period?: string | null
  /** Left out: UTC. */
  readonly timezone?: string
}

/**
 * Ten years with three leap days. A longer window would let one query read everything that was ever stored.
 */
export const MAX_WINDOW_DAYS = 3653
const FALLBACK_PERIOD: Period = 'last_7'

export function isPeriod(id: string): id is Period {
  return periods.some((period) => period.id === id)
}

/** The next whole second: what was acknowledged before the query is inside a window that ends "now". */
export function endOfNow(nowMs: number): number {
  return (Math.floor(nowMs / 1000) + 1) * 1000
}

/** @throws Problem('validation_failed') */
export function readZone(name: string): string {
  if (isZone(name)) return name
  throw invalid('timezone', 'timezone must be the name of a time zone, like Europe/Berlin.')
}

/**
 * @throws Problem('validation_failed') for an unknown period or time zone, and for dates that are missing, do
 * not exist, are reversed or too far apart.
 */
export function parseWindow(query: WindowQuery, nowMs: number, defaults: WindowDefaults = {}): Window {
  const zone = readZone(query.timezone ?? defaults.timezone ?? UTC)
  const id = query.period ?? defaults.default_period ?? FALLBACK_PERIOD
  if (!isPeriod(id)) throw invalid('period', `period must be one of ${periods.map((period) => period.id).join(', ')}.`)
  if (id === 'custom') return customWindow(query, zone)
  const span = spans[id](zone, nowMs)
  const showing = periods.find((period) => period.id === id)?.name ?? id
  return { ...span, zone, period: id, dateFrom: null, dateTo: null, endsNow: id !== 'yesterday', showing }
}

/** The beginning of a window; all except yesterday end now. */
const spans: Readonly<Record<Exclude<Period, 'custom'>, (zone: string, nowMs: number) => Span>> = {
  today: (zone, nowMs) => ({ fromMs: midnight(zone, nowMs, 0), toMs: endOfNow(nowMs) }),
  yesterday: (zone, nowMs) => ({ fromMs: midnight(zone, nowMs, 1), toMs: midnight(zone, nowMs, 0) }),
  last_7: (zone, nowMs) => ({ fromMs: midnight(zone, nowMs, 6), toMs: endOfNow(nowMs) }),
  last_28: (zone, nowMs) => ({ fromMs: midnight(zone, nowMs, 27), toMs: endOfNow(nowMs) }),
  month_to_date: (zone, nowMs) => ({ fromMs: monthBegin(zone, nowMs, 0), toMs: endOfNow(nowMs) }),
  year_to_date: (zone, nowMs) => ({ fromMs: yearBegin(zone, nowMs, 0), toMs: endOfNow(nowMs) }),
  last_12_months: (zone, nowMs) => ({ fromMs: monthBegin(zone, nowMs, 11), toMs: endOfNow(nowMs) }),
}

/**
 * The day is that of the query itself: in the last second before midnight the window's end is already
 * tomorrow.
 */
export const midnight = (zone: string, nowMs: number, daysAgo: number): number =>
  dayBegin(zone, dayIn(zone, nowMs) - daysAgo)

/** Of the month of an instant, or of one so many months before it. */
export function monthBegin(zone: string, atMs: number, monthsAgo: number): number {
  const date = new Date(dayIn(zone, atMs) * DAY_MS)
  return instantOf(zone, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsAgo, 1))
}

export function yearBegin(zone: string, atMs: number, yearsAgo: number): number {
  const date = new Date(dayIn(zone, atMs) * DAY_MS)
  return instantOf(zone, Date.UTC(date.getUTCFullYear() - yearsAgo, 0, 1))
}

function customWindow(query: WindowQuery, zone: string): Window {
  const dateFrom = checkedDate('date_from', query.date_from)
  const dateTo = checkedDate('date_to', query.date_to)
  const fromDay = dayFromText(dateFrom)
  const days = dayFromText(dateTo) - fromDay + 1
  if (days < 1) throw invalid('date_to', 'date_to must not be before date_from.')
  if (days > MAX_WINDOW_DAYS)
    throw invalid('date_to', `the window must not be longer than ten years (${MAX_WINDOW_DAYS} days).`)
  const span = { fromMs: dayBegin(zone, fromDay), toMs: dayBegin(zone, fromDay + days), zone }
  // Samoa, say, had no 30 December in 2011.
  if (span.fromMs === span.toMs) throw invalid('date_to', `clocks of ${zone} skipped these dates.`)
  return { ...span, period: 'custom', dateFrom, dateTo, endsNow: false, showing: showingDays(span) }
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

/** A time before an instant, as the zone's clocks read both. */
const wallBefore = (zone: string, atMs: number, lengthMs: number): number =>
  instantOf(zone, clockAt(zone, atMs) - lengthMs)

/**
 * The span of equal length that ends where this one begins. Lengths are those on the clock, so that as many
 * days precede as there are, also where one of them has 23 or 25 hours.
 */
export function precedingSpan({ fromMs, toMs, zone }: ZonedSpan): ZonedSpan {
  const lengthMs = clockAt(zone, toMs) - clockAt(zone, fromMs)
  // Clocks that were set back a moment ago read no later than at the beginning.
  const isOnClock = lengthMs > 0
  return { fromMs: isOnClock ? wallBefore(zone, fromMs, lengthMs) : fromMs - (toMs - fromMs), toMs: fromMs, zone }
}

/** Where an instant of the span lies in another one, by the time on the clock since the beginning of each. */
export function sameDistance(span: ZonedSpan, atMs: number, other: Span): number {
  const { zone, fromMs } = span
  const foundMs = wallBefore(zone, other.fromMs, clockAt(zone, fromMs) - clockAt(zone, atMs))
  return Math.min(Math.max(other.fromMs, foundMs), other.toMs)
}

/** The same date and time one calendar year earlier; 1 March for 29 February. */
export function yearBefore(zone: string, atMs: number): number {
  const date = new Date(clockAt(zone, atMs))
  return instantOf(zone, date.setUTCFullYear(date.getUTCFullYear() - 1))
}

/** A span in words: its first and its last day. */
export function showingDays({ fromMs, toMs, zone }: ZonedSpan): string {
  const [first, last] = [longDate(zone, fromMs), longDate(zone, Math.max(fromMs, toMs - 1))]
  return first === last ? first : `${first} - ${last}`
}

/** Number of days of its zone that the span touches. */
export const daysTouched = ({ fromMs, toMs, zone }: ZonedSpan): number =>
  dayIn(zone, toMs - 1) - dayIn(zone, fromMs) + 1

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** The date that the zone's calendars show. */
export function dateIn(zone: string, atMs: number) {
  const date = new Date(dayIn(zone, atMs) * DAY_MS)
  return {
    day: date.getUTCDate(),
    month: monthNames[date.getUTCMonth()]!,
    year: String(date.getUTCFullYear()),
  }
}

/** 21 Aug 2026 */
function longDate(zone: string, atMs: number): string {
  const { day, month, year } = dateIn(zone, atMs)
  return `${day} ${month} ${year}`
}
