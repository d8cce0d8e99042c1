// When a named window begins and ends, by the clock of a time zone. docs/definitions.md defines it.
import { midnight, monthBegin, quarterBegin, weekBegin, type WeekStart, yearBegin } from './calendar.ts'
import type { NamedPeriod } from './periods.ts'

/**
 * Ten years with three leap days. A longer window would let one query read everything that was ever stored.
 */
export const MAX_WINDOW_DAYS = 3653

/** By what a period is understood. */
export interface Clock {
  readonly zone: string
  readonly nowMs: number
  /** The day with which weeks begin. */
  readonly weekStart: WeekStart
  /** When what is kept of the property begins; undefined before there is anything. */
  readonly firstMs: number | undefined
  /** When the window ends that ends now. */
  readonly endMs: number
}

/** What a period that is over ends with; those left out end now. */
const ends: Partial<Readonly<Record<NamedPeriod, (clock: Clock) => number>>> = {
  yesterday: ({ zone, nowMs }) => midnight(zone, nowMs, 0),
  last_week: ({ zone, nowMs, weekStart }) => weekBegin(zone, nowMs, weekStart, 0),
  last_month: ({ zone, nowMs }) => monthBegin(zone, nowMs, 0),
  last_quarter: ({ zone, nowMs }) => quarterBegin(zone, nowMs, 0),
  last_year: ({ zone, nowMs }) => yearBegin(zone, nowMs, 0),
}

const begins: Readonly<Record<NamedPeriod, (clock: Clock) => number>> = {
  today: ({ zone, nowMs }) => midnight(zone, nowMs, 0),
  yesterday: ({ zone, nowMs }) => midnight(zone, nowMs, 1),
  last_7: ({ zone, nowMs }) => midnight(zone, nowMs, 6),
  last_28: ({ zone, nowMs }) => midnight(zone, nowMs, 27),
  last_30: ({ zone, nowMs }) => midnight(zone, nowMs, 29),
  last_90: ({ zone, nowMs }) => midnight(zone, nowMs, 89),
  this_week: ({ zone, nowMs, weekStart }) => weekBegin(zone, nowMs, weekStart, 0),
  last_week: ({ zone, nowMs, weekStart }) => weekBegin(zone, nowMs, weekStart, 1),
  month_to_date: ({ zone, nowMs }) => monthBegin(zone, nowMs, 0),
  last_month: ({ zone, nowMs }) => monthBegin(zone, nowMs, 1),
  this_quarter: ({ zone, nowMs }) => quarterBegin(zone, nowMs, 0),
  last_quarter: ({ zone, nowMs }) => quarterBegin(zone, nowMs, 1),
  year_to_date: ({ zone, nowMs }) => yearBegin(zone, nowMs, 0),
  last_year: ({ zone, nowMs }) => yearBegin(zone, nowMs, 1),
  last_12_months: ({ zone, nowMs }) => monthBegin(zone, nowMs, 11),
  all_time: ({ zone, nowMs, firstMs = nowMs }) =>
    Math.max(midnight(zone, Math.min(firstMs, nowMs), 0), midnight(zone, nowMs, MAX_WINDOW_DAYS - 1)),
}

/** True when the period ends at the time of the query. */
export const endsNow = (id: NamedPeriod): boolean => ends[id] === undefined

export const spanOf = (id: NamedPeriod, clock: Clock) => ({
  fromMs: begins[id](clock),
  toMs: ends[id]?.(clock) ?? clock.endMs,
})
