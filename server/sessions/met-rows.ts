// Sessions beside how often each met a goal of pages: of settled days those of contacts, which are kept by
// themselves with the page of each view, and of the other days all of them.
import { goalLists, valueNumbers } from '../stores/goal-sums.ts'
import { plainColumns } from '../stores/session-columns.ts'
import type { HeldDay } from './held.ts'
import { contactColumns, everywhere, ofDays, ofOneProperty, onEachNode, type RowsQuery, unionOf } from './rows.ts'

/** What meets a goal, with what both bind. */
export interface PagesMet {
  /** How often, over rows with `paths`. */
  readonly ofPaths: string
  /** A condition on page views. */
  readonly ofViews: string
  readonly params: Readonly<Record<string, unknown>>
}

interface MetQuery extends Omit<RowsQuery, 'columns' | 'condition' | 'isEventful'> {
  readonly met: PagesMet
  /** Whether `value_numbers` are asked for; otherwise they are empty. */
  readonly isListed: boolean
  /** Settled days of which the sessions without a contact that met it are read as well. */
  readonly whole: readonly HeldDay[]
}

interface MetRows {
  /** Behind FROM: rows of `day`, `session`, `entry_at`, `contact_id`, `value_numbers` and `hits`. */
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
  /** How many days may have sessions that are not settled: all of their sessions are read. */
  readonly openDays: number
}

const own = contactColumns.join(', ')

export function metRows({ met, isListed, whole, layout, ...query }: MetQuery): MetRows {
  const node = (table: string) => onEachNode(table, layout)
  const numbers = isListed ? valueNumbers : "''"
  const read = isListed ? [...contactColumns, ...goalLists] : contactColumns
  const withViews = (rows: string, days: string) =>
    `SELECT ${own}, value_numbers, hits
  FROM (SELECT ${own}, ${numbers} AS value_numbers FROM (${rows})) AS known
    LEFT JOIN (SELECT day, session, count() AS hits FROM ${node('views')} FINAL WHERE ${days} AND ${met.ofViews} GROUP BY day, session) AS seen USING (day, session)`
  const { union, openDays, params } = unionOf(query, {
    stored: `SELECT ${own}, ${isListed ? '' : "'' AS "}value_numbers, ${met.ofPaths} AS hits FROM ${node('settled_contacts')} WHERE`,
    folded: (condition, isOpen) =>
      withViews(
        `SELECT ${plainColumns(read)} FROM ${node('sessions')} FINAL WHERE ${condition}`,
        `${ofDays(ofOneProperty)} ${isOpen}`,
      ),
    kept: (table, condition, day) =>
      withViews(`SELECT ${read.join(', ')} FROM ${table} WHERE ${condition}`, `${ofOneProperty} AND day = ${day}`),
  })
  const rest = `SELECT ${own}, ${numbers} AS value_numbers, ${met.ofPaths} AS hits FROM ${node('settled')}
  WHERE copy IN {whole:Array(UInt64)} AND copy = transform(day, {whole_days:Array(Date)}, {whole_copies:Array(UInt64)}, toUInt64(0))
    AND ${ofOneProperty} AND contact_id = '' AND hits > 0`
  const copies = whole.map(([, { copy }]) => copy)
  return {
    sql: everywhere(whole.length > 0 ? `${union}\n  UNION ALL\n  ${rest}` : union, layout),
    params: {
      ...params,
      ...met.params,
      ...(whole.length > 0 && { whole: [...new Set(copies)], whole_days: whole.map(([day]) => day), whole_copies: copies }),
    },
    openDays,
  }
}
