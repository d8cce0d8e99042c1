// The time span of a query, by the calendar of a time zone; it includes its beginning and excludes its end.
// docs/definitions.md, "Windows", defines it. Its division into buckets is in buckets.ts.
import type { WeekStart } from './calendar.ts'
import { DAY_MS, dayFromText } from './days.ts'
import { endsNow, MAX_WINDOW_DAYS, spanOf } from './period-spans.ts'
import { allPeriods, isPeriod, isPublicPeriod, type Period, periods } from './periods.ts'
import { invalid } from './problem.ts'
import { clockAt, dayBegin, dayIn, instantOf, isZone, UTC } from './zones.ts'

/** Milliseconds since the Unix epoch; `from` is included, `to` is excluded. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** A span by whose calendar days, months and years are told. */
export interface ZonedSpan extends Span {
  /** Name of an IANA time zone. */
  readonly zone: string
  /** The day with which its weeks begin; left out: they are runs of seven days from its first day. */
  readonly weekStart?: WeekStart
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
  /** Left out: weeks of windows begin on Monday, and those of graphs are runs of seven days. */
  readonly week_start?: WeekStart
  /** When what is kept of it begins, for all of it: undefined before there is anything. */
  readonly firstMs?: number | undefined
  /** True: of `/v2`, whose list of periods is closed. */
  readonly isPublic?: boolean
}

const FALLBACK_PERIOD: Period = 'last_7'

/** The next whole second: what was acknowledged before the query is inside a window that ends "now". */
export function endOfNow(nowMs: number): number {
  return (Math.floor(nowMs / 1000) + 1) * 1000
}

/** @throws Problem('validation_failed') */
export function readZone(name: string): string {
  if (isZone(name)) return name
  throw invalid('timezone', 'timezone must be the name of a time zone, like Europe/Berlin.')
}

/** @throws Problem('validation_failed') */
function readPeriod(query: WindowQuery, defaults: WindowDefaults): Period {
  const known = defaults.isPublic ? periods : allPeriods
  const id = periodOf(query, defaults)
  if (isPeriod(id) && known.some((each) => each.id === id)) return id
  throw invalid('period', `period must be one of ${known.map((each) => each.id).join(', ')}.`)
}

/** The period that a query is about, which may be no period at all. */
export function periodOf({ period }: WindowQuery, { default_period, isPublic }: WindowDefaults): string {
  // What the property has for its own pages is no answer to a client that knows a closed list.
  const usual = isPublic && !isPublicPeriod(default_period ?? '') ? undefined : default_period
  return period ?? usual ?? FALLBACK_PERIOD
}

/**
 * @throws Problem('validation_failed') for an unknown period or time zone, and for dates that are missing, do
 * not exist, are reversed or too far apart.
 */
export function parseWindow(query: WindowQuery, nowMs: number, defaults: WindowDefaults = {}): Window {
  const zone = readZone(query.timezone ?? defaults.timezone ?? UTC)
  const { week_start: weekStart, firstMs } = defaults
  const weeks = weekStart ? { weekStart } : {}
  const id = readPeriod(query, defaults)
  if (id === 'custom') return { ...customWindow(query, zone), ...weeks }
  const clock = { zone, nowMs, weekStart: weekStart ?? 'monday', firstMs, endMs: endOfNow(nowMs) }
  const showing = allPeriods.find((period) => period.id === id)?.name ?? id
  const named = { period: id, dateFrom: null, dateTo: null, endsNow: endsNow(id), showing }
  return { ...spanOf(id, clock), zone, ...weeks, ...named }
}

function customWindow(query: WindowQuery, zone: string): Window {
  const { dateFrom, dateTo, span } = readDates(query, zone, { from: 'date_from', to: 'date_to', when: 'period' })
  return { ...span, period: 'custom', dateFrom, dateTo, endsNow: false, showing: showingDays(span) }
}

/** What two dates are called, and the field that asks for them by saying `custom`. */
interface DateNames<Name extends string> {
  readonly from: Name
  readonly to: Name
  readonly when: string
}

/** From the first of two days to the end of the last. @throws Problem('validation_failed') */
export function readDates<Name extends string>(
  query: { readonly [Field in Name]?: string | null | undefined },
  zone: string,
  { from, to, when }: DateNames<Name>,
): { readonly dateFrom: string; readonly dateTo: string; readonly span: ZonedSpan } {
  const dateFrom = checkedDate(from, query[from], when)
  const dateTo = checkedDate(to, query[to], when)
  const fromDay = dayFromText(dateFrom)
  const days = dayFromText(dateTo) - fromDay + 1
  if (days < 1) throw invalid(to, `${to} must not be before ${from}.`)
  if (days > MAX_WINDOW_DAYS)
    throw invalid(to, `the window must not be longer than ten years (${MAX_WINDOW_DAYS} days).`)
  const span = { fromMs: dayBegin(zone, fromDay), toMs: dayBegin(zone, fromDay + days), zone }
  // Samoa, say, had no 30 December in 2011.
  if (span.fromMs === span.toMs) throw invalid(to, `clocks of ${zone} skipped these dates.`)
  return { dateFrom, dateTo, span }
}

function checkedDate(field: string, text: string | null | undefined, when: string): string {
  if (text === null || text === undefined) throw invalid(field, `${field} is required when ${when} is custom.`)
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
