// Windows and buckets, by docs/definitions.md ("Windows", "Graph"), in UTC unless a time zone is named; `to`
// is excluded.
import { clockOf, dateOf, instantOf } from './clocks.ts'
import { DAY, HOUR } from './hits.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

/** With the zone whose calendar cuts it. */
export interface ZonedSpan extends Span {
  readonly zone: string
}

export interface Window extends ZonedSpan {
  readonly endsNow: boolean
}

export interface Bucket extends Span {
  /** Where the bucket would end, were it not cut by the window. */
  readonly fullTo: number
  readonly label: RegExp
}

export interface Asked {
  readonly period: string
  readonly date_from?: string
  readonly date_to?: string
  readonly timezone?: string
}

export const intervals = ['hour', 'day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** The next whole second, so that what was acknowledged before the question is inside. */
export const endOfNow = (now: number) => Math.floor(now / 1000) * 1000 + 1000

/** When the date begins that lies so many months and days from that of an instant. */
function dateStart(zone: string, at: number, { years = 0, months = 0, days = 0, day }: Steps): number {
  const date = new Date(dateOf(zone, at))
  const wanted = Date.UTC(date.getUTCFullYear() + years, date.getUTCMonth() + months, (day ?? date.getUTCDate()) + days)
  return instantOf(zone, wanted)
}

interface Steps {
  readonly years?: number
  readonly months?: number
  readonly days?: number
  /** Of the month; that of the instant when left out. */
  readonly day?: number
}

const yearStart = (zone: string, at: number, years: number) =>
  instantOf(zone, Date.UTC(new Date(dateOf(zone, at)).getUTCFullYear() + years, 0, 1))

export function windowOf(asked: Asked, now: number): Window {
  const zone = asked.timezone ?? 'UTC'
  const start = (steps: Steps) => dateStart(zone, now, steps)
  const untilNow = (from: number): Window => ({ from, to: endOfNow(now), zone, endsNow: true })
  switch (asked.period) {
    case 'today':
      return untilNow(start({}))
    case 'yesterday':
      return { from: start({ days: -1 }), to: start({}), zone, endsNow: false }
    case 'last_7':
      return untilNow(start({ days: -6 }))
    case 'last_28':
      return untilNow(start({ days: -27 }))
    case 'month_to_date':
      return untilNow(start({ day: 1 }))
    case 'year_to_date':
      return untilNow(yearStart(zone, now, 0))
    case 'last_12_months':
      return untilNow(start({ months: -11, day: 1 }))
    default:
      return {
        from: instantOf(zone, Date.parse(`${asked.date_from}T00:00:00Z`)),
        to: instantOf(zone, Date.parse(`${asked.date_to}T00:00:00Z`) + DAY),
        zone,
        endsNow: false,
      }
  }
}

/** As long by the clock. */
export const precedingOf = ({ from, to, zone }: ZonedSpan): Span => ({
  from: instantOf(zone, 2 * clockOf(zone, from) - clockOf(zone, to)),
  to: from,
})

/** Where a bucket of the window stands in the preceding one. */
export function besideOf({ from, to, zone }: ZonedSpan, at: number): number {
  const length = clockOf(zone, to) - clockOf(zone, from)
  return instantOf(zone, clockOf(zone, at) - length)
}

const daysTouched = ({ from, to, zone }: ZonedSpan) => (dateOf(zone, to - 1) - dateOf(zone, from)) / DAY + 1

/** The first one is the default. */
export function acceptedIntervals(window: ZonedSpan): readonly Interval[] {
  const days = daysTouched(window)
  if (days < 2) return ['hour', 'day']
  if (days <= 7) return ['day']
  if (days <= 30) return ['day', 'week']
  if (days <= 180) return ['week', 'day', 'month']
  if (days <= 365) return ['month', 'week']
  return ['month', 'week', 'year']
}

/** Where the clock shows a full hour next. */
function nextHour(zone: string, at: number): number {
  const step = HOUR / 4
  let next = (Math.floor(at / step) + 1) * step
  while (clockOf(zone, next) % HOUR !== 0 && next - at < HOUR) next += step
  return next
}

function fullEnd(at: number, { zone, from }: ZonedSpan, interval: Interval): number {
  switch (interval) {
    case 'hour':
      return nextHour(zone, at)
    case 'day':
      return dateStart(zone, at, { days: 1 })
    case 'week': {
      const passed = (dateOf(zone, at) - dateOf(zone, from)) / DAY
      return dateStart(zone, at, { days: 7 - (passed % 7) })
    }
    case 'month':
      return dateStart(zone, at, { months: 1, day: 1 })
    case 'year':
      return yearStart(zone, at, 1)
  }
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The formats of the interface's label table; a one-digit day or hour may or may not be written with two. */
function labelOf({ from, to, fullTo }: Omit<Bucket, 'label'>, zone: string, days: number, interval: Interval): RegExp {
  const read = (time: number) => new Date(clockOf(zone, time))
  const month = (time: number) => monthNames[read(time).getUTCMonth()] ?? ''
  const day = (time: number) => `0?${read(time).getUTCDate()}`
  const year = String(read(from).getUTCFullYear())
  switch (interval) {
    case 'hour':
      return new RegExp(`^${days > 1 ? `${day(from)}-` : ''}0?${read(from).getUTCHours()}h$`)
    case 'day':
      return new RegExp(`^${month(from)} ${day(from)} '${year.slice(2)}$`)
    case 'week':
      return new RegExp(
        `^Week \\(${day(from)} ${month(from)} - (${day(to - 1)} ${month(to - 1)}|${day(fullTo - 1)} ${month(fullTo - 1)})\\)$`,
      )
    case 'month':
      return new RegExp(`^${month(from)} '${year.slice(2)}$`)
    case 'year':
      return new RegExp(`^${year}$`)
  }
}

export function bucketsOf(window: ZonedSpan, interval: Interval): Bucket[] {
  const buckets: Bucket[] = []
  const days = daysTouched(window)
  for (let from = window.from; from < window.to;) {
    const fullTo = fullEnd(from, window, interval)
    const span = { from, to: Math.min(fullTo, window.to), fullTo }
    buckets.push({ ...span, label: labelOf(span, window.zone, days, interval) })
    from = span.to
  }
  return buckets
}

const two = (number: number) => String(number).padStart(2, '0')

/** Ten half minutes ending now. */
export function liveBuckets(now: number): Bucket[] {
  const end = endOfNow(now)
  return Array.from({ length: 10 }, (_, index) => {
    const from = end - (10 - index) * 30_000
    const date = new Date(from)
    const label = new RegExp(`^${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}$`)
    return { from, to: from + 30_000, fullTo: from + 30_000, label }
  })
}
