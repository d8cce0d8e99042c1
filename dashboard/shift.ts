// The period before and after another one: days follow days, months follow months, and what has a name keeps
// it. Days are counted as the service counts them, since 1970-01-01.
import { weekStartOf, type WeekStart } from '../server/kernel/calendar.ts'
import { DAY_MS, DAYS_A_WEEK, dayFromText, dayText } from '../server/kernel/days.ts'
import { spanOf } from '../server/kernel/period-spans.ts'
import type { NamedPeriod } from '../server/kernel/periods.ts'
import { UTC } from '../server/kernel/zones.ts'
import type { Period } from './window.ts'

export interface Today {
  readonly day: number
  readonly weekStart: WeekStart
}

/** What a picker chooses. */
export interface Choice {
  readonly period: Period | null
  readonly date_from: string | null
  readonly date_to: string | null
}

/** The first and the last day, which may be yet to come. */
interface Days {
  readonly from: number
  readonly to: number
}

/** How far a period is from the next one. */
interface Step {
  readonly days?: number
  readonly months?: number
  /** Names of periods that are so long and begin so. */
  readonly names: readonly NamedPeriod[]
}

const steps: Readonly<Record<NamedPeriod, Step | null>> = {
  today: { days: 1, names: ['today', 'yesterday'] },
  yesterday: { days: 1, names: ['today', 'yesterday'] },
  last_7: { days: 7, names: ['last_7'] },
  last_28: { days: 28, names: ['last_28'] },
  last_30: { days: 30, names: ['last_30'] },
  last_90: { days: 90, names: ['last_90'] },
  this_week: { days: 7, names: ['this_week', 'last_week'] },
  last_week: { days: 7, names: ['this_week', 'last_week'] },
  month_to_date: { months: 1, names: ['month_to_date', 'last_month'] },
  last_month: { months: 1, names: ['month_to_date', 'last_month'] },
  this_quarter: { months: 3, names: ['this_quarter', 'last_quarter'] },
  last_quarter: { months: 3, names: ['this_quarter', 'last_quarter'] },
  year_to_date: { months: 12, names: ['year_to_date', 'last_year'] },
  last_year: { months: 12, names: ['year_to_date', 'last_year'] },
  last_12_months: { months: 12, names: ['last_12_months'] },
  all_time: null,
}

/** Of a period that ends now, up to today. */
function daysOfPeriod(id: NamedPeriod, { day, weekStart }: Today): Days {
  const nowMs = day * DAY_MS
  const clock = { zone: UTC, nowMs, weekStart, firstMs: undefined, endMs: nowMs + DAY_MS }
  const { fromMs, toMs } = spanOf(id, clock)
  return { from: fromMs / DAY_MS, to: toMs / DAY_MS - 1 }
}

function addMonths(day: number, months: number): number {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MS
}

const isMonthBegin = (day: number): boolean => new Date(day * DAY_MS).getUTCDate() === 1

/** Months that the days are, whole ones alone; 0 where they are others. */
function wholeMonths({ from, to }: Days): number {
  if (!isMonthBegin(from) || !isMonthBegin(to + 1)) return 0
  const [first, end] = [new Date(from * DAY_MS), new Date((to + 1) * DAY_MS)]
  return (end.getUTCFullYear() - first.getUTCFullYear()) * 12 + end.getUTCMonth() - first.getUTCMonth()
}

/** As a calendar has them: a quarter does not begin in February. */
const namedMonths: Readonly<Record<number, NamedPeriod>> = { 1: 'last_month', 3: 'last_quarter', 12: 'last_year' }

function stepOfDays(days: Days, { weekStart }: Today): Step {
  const length = days.to - days.from + 1
  const months = wholeMonths(days)
  if (months > 0) {
    const isAligned = new Date(days.from * DAY_MS).getUTCMonth() % months === 0
    const named = isAligned ? namedMonths[months] : undefined
    return (named && steps[named]) ?? { months, names: [] }
  }
  if (length === 1) return { days: 1, names: ['today', 'yesterday'] }
  const isWeek = length === DAYS_A_WEEK && weekStartOf(days.from, weekStart) === days.from
  return { days: length, names: isWeek ? ['this_week', 'last_week'] : [] }
}

function daysOfDates(from: string | null, to: string | null): Days | undefined {
  if (from === null || to === null) return undefined
  const days = { from: dayFromText(from), to: dayFromText(to) }
  return Number.isNaN(days.from + days.to) || days.to < days.from ? undefined : days
}

const customOf = ({ from, to }: Days): Choice => ({
  period: 'custom',
  date_from: dayText(from),
  date_to: dayText(to),
})

/** The days that a choice is about; undefined where they are not known here. */
export function daysOfChoice({ period, date_from, date_to }: Choice, today: Today): Days | undefined {
  if (period === 'custom') return daysOfDates(date_from, date_to)
  return period === null || period === 'all_time' ? undefined : daysOfPeriod(period, today)
}

/** @returns undefined where there is none: of all time, and beyond today. */
export function shifted(choice: Choice, direction: 1 | -1, today: Today): Choice | undefined {
  const days = daysOfChoice(choice, today)
  const { period } = choice
  const step = days && (period === 'custom' || period === null ? stepOfDays(days, today) : steps[period])
  if (!days || !step) return undefined
  const next = moved(days, step, direction)
  if (next.from > today.day || next.from < 0) return undefined
  const named = step.names.find((id) => isSame(daysOfPeriod(id, today), next, today))
  return named ? { period: named, date_from: null, date_to: null } : customOf(next)
}

function moved({ from }: Days, { days, months = 0 }: Step, direction: 1 | -1): Days {
  if (days !== undefined) return { from: from + direction * days, to: from + direction * days + days - 1 }
  const begin = addMonths(from, direction * months)
  return { from: begin, to: addMonths(begin, months) - 1 }
}

/** A period that ends now has the days up to today. */
const isSame = (period: Days, found: Days, { day }: Today): boolean =>
  period.from === found.from && period.to === Math.min(found.to, day)

/** In the order and the groups of the picker. */
export const periodGroups: readonly (readonly NamedPeriod[])[] = [
  ['today', 'yesterday'],
  ['last_7', 'last_28', 'last_30', 'last_90'],
  ['this_week', 'last_week'],
  ['month_to_date', 'last_month'],
  ['this_quarter', 'last_quarter'],
  ['year_to_date', 'last_year', 'last_12_months', 'all_time'],
]
