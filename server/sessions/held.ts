// Which copies hold the settled days of a window, and which of its days are left to the folds.
import { dayFromText, DAYS_A_WEEK, mondayOf, storedDay } from '../kernel/days.ts'
import type { SettledDay, SettledDays } from '../stores/settled/settled.ts'

/** Days and times between which sessions began. */
interface Bounds {
  /** YYYY-MM-DD, both inside. */
  readonly day_from: string
  readonly day_to: string
  readonly from_ms: number
  readonly to_ms: number
}

export type HeldDay = readonly [day: string, settled: SettledDay]

interface Copies {
  /** All of whose rows are read. */
  readonly inner: readonly number[]
  /** Others, by the days that they are read for. */
  readonly outer: ReadonlyMap<string, number>
}

interface Held extends Copies {
  /** Mondays of weeks of which the window has no other day than those of the copies. */
  readonly weeks: readonly string[]
  /** Days of the copies in other weeks. */
  readonly days: readonly string[]
  /** How many days the window has besides that may have sessions. */
  readonly open: number
}

/** The settled days of the window. */
export const daysWithin = (settled: SettledDays, { day_from, day_to }: Bounds): HeldDay[] =>
  [...settled].filter(([day]) => day >= day_from && day <= day_to)

export function daysBetween({ day_from, day_to }: Pick<Bounds, 'day_from' | 'day_to'>): string[] {
  const first = dayFromText(day_from)
  const count = Math.max(0, dayFromText(day_to) - first + 1)
  return Array.from({ length: count }, (_, index) => storedDay(first + index))
}

/** Whether every session of the day belongs to the window. */
export const isInside = ({ firstMs, lastMs }: SettledDay, { from_ms, to_ms }: Bounds): boolean =>
  lastMs < firstMs || (firstMs >= from_ms && lastMs < to_ms)

/** @param isWhole whether all rows of the day are to be read. */
export function copiesOf(days: readonly HeldDay[], isWhole: (day: SettledDay) => boolean): Copies {
  const isInner = (copy: readonly HeldDay[]) =>
    copy.length === copy[0]![1].days && copy.every(([, day]) => isWhole(day))
  const copies = [...Map.groupBy(days, ([, { copy }]) => copy)]
  const { inner = [], outer = [] } = Object.groupBy(copies, ([, own]) => (isInner(own) ? 'inner' : 'outer'))
  return {
    inner: inner.map(([copy]) => copy),
    outer: new Map(outer.flatMap(([copy, own]) => own.map(([day]) => [day, copy] as const))),
  }
}

/** How many days of the week lie in the window. */
function countDays(monday: number, { day_from, day_to }: Bounds): number {
  const last = Math.min(dayFromText(day_to), monday + DAYS_A_WEEK - 1)
  return last - Math.max(dayFromText(day_from), monday) + 1
}

const daysOfWindow = ({ day_from, day_to }: Bounds): number => dayFromText(day_to) - dayFromText(day_from) + 1

/** How many days of the window lie before that day. */
function countBefore(day: string, bounds: Bounds): number {
  if (day <= bounds.day_from) return 0
  return Math.min(dayFromText(day) - dayFromText(bounds.day_from), daysOfWindow(bounds))
}

/** @param without days that are read from neither. */
export function heldOf(settled: SettledDays, bounds: Bounds, without: ReadonlySet<string>): Held {
  const held = daysWithin(settled, bounds)
  const weeks = [...Map.groupBy(held, ([day]) => mondayOf(dayFromText(day)))]
  const isWhole = ([monday, days]: (typeof weeks)[number]) => days.length === countDays(monday, bounds)
  const read = without.size === 0 ? held : held.filter(([day]) => !without.has(day))
  return {
    ...copiesOf(read, (day) => isInside(day, bounds)),
    weeks: weeks.filter(isWhole).map(([monday]) => storedDay(monday)),
    days: weeks.filter((week) => !isWhole(week)).flatMap(([, days]) => days.map(([day]) => day)),
    open: daysOfWindow(bounds) - held.length - countBefore(settled.emptyBefore ?? '', bounds),
  }
}

/**
 * Of copies by the days that they are read for, since a copy may also hold days that another one stands for
 * by now. Bound by `bindCopies` under the same name.
 */
export const ofCopies = (name: string): string => `copy IN {${name}:Array(UInt64)}
  AND copy = transform(day, {${name}_days:Array(Date)}, {${name}_copies:Array(UInt64)}, toUInt64(0))`

export const bindCopies = (name: string, copies: ReadonlyMap<string, number>): Readonly<Record<string, unknown>> => ({
  [name]: [...new Set(copies.values())],
  [`${name}_days`]: [...copies.keys()],
  [`${name}_copies`]: [...copies.values()],
})

export const heldParams = ({ inner, outer, weeks, days }: Held) => ({
  inner,
  ...bindCopies('outer', outer),
  weeks,
  days,
})
