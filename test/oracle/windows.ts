// Windows and buckets, by docs/definitions.md ("Windows", "Graph"). Everything is UTC; `to` is excluded.
import { DAY, dayOf, HOUR } from './hits.ts'

export interface Span {
  readonly from: number
  readonly to: number
}

export interface Window extends Span {
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
}

export const intervals = ['hour', 'day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]

/** The next whole second, so that what was acknowledged before the question is inside. */
export const endOfNow = (now: number) => Math.floor(now / 1000) * 1000 + 1000

const monthStart = (at: number, months: number) => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}
const yearStart = (at: number, years: number) => Date.UTC(new Date(at).getUTCFullYear() + years, 0, 1)

export function windowOf(asked: Asked, now: number): Window {
  const today = dayOf(now) * DAY
  const untilNow = (from: number): Window => ({ from, to: endOfNow(now), endsNow: true })
  switch (asked.period) {
    case 'today':
      return untilNow(today)
    case 'yesterday':
      return { from: today - DAY, to: today, endsNow: false }
    case 'last_7':
      return untilNow(today - 6 * DAY)
    case 'last_28':
      return untilNow(today - 27 * DAY)
    case 'month_to_date':
      return untilNow(monthStart(now, 0))
    case 'year_to_date':
      return untilNow(yearStart(now, 0))
    case 'last_12_months':
      return untilNow(monthStart(now, -11))
    default:
      return {
        from: Date.parse(`${asked.date_from}T00:00:00Z`),
        to: Date.parse(`${asked.date_to}T00:00:00Z`) + DAY,
        endsNow: false,
      }
  }
}

export const precedingOf = (window: Span): Span => ({ from: window.from - (window.to - window.from), to: window.from })

const daysTouched = (window: Span) => dayOf(window.to - 1) - dayOf(window.from) + 1

/** The first one is the default. */
export function acceptedIntervals(window: Span): readonly Interval[] {
  const days = daysTouched(window)
  if (days < 2) return ['hour', 'day']
  if (days <= 7) return ['day']
  if (days <= 30) return ['day', 'week']
  if (days <= 180) return ['week', 'day', 'month']
  if (days <= 365) return ['month', 'week']
  return ['month', 'week', 'year']
}

function fullEnd(at: number, window: Span, interval: Interval): number {
  switch (interval) {
    case 'hour':
      return (Math.floor(at / HOUR) + 1) * HOUR
    case 'day':
      return (dayOf(at) + 1) * DAY
    case 'week':
      return at + 7 * DAY - ((at - window.from) % (7 * DAY))
    case 'month':
      return monthStart(at, 1)
    case 'year':
      return yearStart(at, 1)
  }
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The formats of the interface's label table; a one-digit day or hour may or may not be written with two. */
function labelOf(at: number, to: number, fullTo: number, days: number, interval: Interval): RegExp {
  const date = new Date(at)
  const month = (time: number) => monthNames[new Date(time).getUTCMonth()] ?? ''
  const day = (time: number) => `0?${new Date(time).getUTCDate()}`
  const year = String(date.getUTCFullYear())
  switch (interval) {
    case 'hour':
      return new RegExp(`^${days > 1 ? `${day(at)}-` : ''}0?${date.getUTCHours()}h$`)
    case 'day':
      return new RegExp(`^${month(at)} ${day(at)} '${year.slice(2)}$`)
    case 'week':
      return new RegExp(
        `^Week \\(${day(at)} ${month(at)} - (${day(to - 1)} ${month(to - 1)}|${day(fullTo - 1)} ${month(fullTo - 1)})\\)$`,
      )
    case 'month':
      return new RegExp(`^${month(at)} '${year.slice(2)}$`)
    case 'year':
      return new RegExp(`^${year}$`)
  }
}

export function bucketsOf(window: Span, interval: Interval): Bucket[] {
  const buckets: Bucket[] = []
  const days = daysTouched(window)
  for (let from = window.from; from < window.to;) {
    const fullTo = fullEnd(from, window, interval)
    const to = Math.min(fullTo, window.to)
    buckets.push({ from, to, fullTo, label: labelOf(from, to, fullTo, days, interval) })
    from = to
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
