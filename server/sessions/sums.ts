// What sessions of people add up to on days that are settled, for questions about all sessions of a window:
// the days of which sums are read, and the rows of the others (docs/decisions/0027-settled-days.md).
import type { FactsLayout } from '../stores/facts.ts'
import type { SettledDay } from '../stores/settled/settled.ts'
import { copiesOf, daysBetween, daysWithin, type HeldDay, isInside } from './held.ts'
import { ofOneProperty, onEachNode, type RowsQuery, sessionRows } from './rows.ts'
import type { SessionScope } from './scope.ts'

type SumTable =
  | 'settled_figures'
  | 'settled_values'
  | 'settled_pages'
  | 'settled_events'
  | 'settled_conversions'
  | 'settled_outcomes'
  | 'settled_goals'

/** Of what is made more than once, a row each. */
const folded: Readonly<Partial<Record<SumTable, true>>> = { settled_goals: true }

export interface Sums {
  /**
   * Behind FROM: a row of these columns for each sum of the days. @param also a condition on the rows, behind
   * AND.
   */
  readonly sql: (table: SumTable, columns: readonly string[], also?: string) => string
  /** The days of which they are. */
  readonly days: readonly string[]
  /** The other days of the window. */
  readonly openDays: readonly string[]
  /** Whether one of the other days may have sessions. */
  readonly hasRows: boolean
  /** The sessions of the other days. */
  readonly rows: SessionScope
  /**
   * What is asked of the rows, where there may be some, and of the sums: to plan for rows that are not there
   * takes as long as for those that are.
   */
  readonly joined: (ofRows: string, ofSums: string) => string
  /** Of both. */
  readonly params: Readonly<Record<string, unknown>>
}

const copies =
  '(copy IN {sums:Array(UInt64)} OR copy = transform(day, {sum_days:Array(Date)}, {sum_copies:Array(UInt64)}, toUInt64(0)))'

/** What copies hold of these days besides sessions. @param ofProperty the condition on `property`. */
export function copiedRows(
  days: readonly HeldDay[],
  layout: FactsLayout,
  ofProperty: string,
): Pick<Sums, 'sql' | 'params'> {
  const { inner, outer } = copiesOf(days, () => true)
  const where = `copy IN {sum_parts:Array(UInt64)} AND ${copies} AND ${ofProperty}`
  return {
    sql: (table, columns, also = '') => {
      const rows = `${onEachNode(table, layout)}${folded[table] ? ' FINAL' : ''}`
      const stored = `SELECT ${columns.join(', ')} FROM ${rows} WHERE ${where} ${also}`
      return layout.cluster ? `cluster('${layout.cluster}', view(${stored}))` : `(${stored})`
    },
    params: {
      sums: inner,
      sum_parts: [...new Set([...inner, ...outer.values()])],
      sum_days: [...outer.keys()],
      sum_copies: [...outer.values()],
    },
  }
}

/**
 * @param query without a condition.
 * @param isUsable whether the sums of a day answer the question, all of whose sessions lie in the window.
 * @returns undefined when there are none.
 */
export function summedDays(query: RowsQuery, isUsable: (day: SettledDay) => boolean): Sums | undefined {
  const { settled, bounds, layout, ofProperty = ofOneProperty } = query
  const days = daysWithin(settled, bounds).filter(([, day]) => isInside(day, bounds) && isUsable(day))
  if (days.length === 0) return undefined
  const without = new Set(days.map(([day]) => day))
  const rows = sessionRows({ ...query, without })
  const { sql, params } = copiedRows(days, layout, ofProperty)
  return {
    sql,
    days: days.map(([day]) => day),
    openDays: daysBetween(bounds).filter((day) => !without.has(day)),
    hasRows: !rows.isEmpty,
    rows,
    joined: (ofRows, ofSums) => (rows.isEmpty ? ofSums : `${ofRows}\nUNION ALL\n${ofSums}`),
    params: { ...rows.params, ...params },
  }
}
