// The sessions of people that began in a window, as rows of plain columns: what days that are settled hold
// as such, and the rest folded. What is asked of them stands around it, so that a question has one text and
// each of its sets is made once.
import { dayOf, storedDay } from '../kernel/days.ts'
import type { Span } from '../kernel/window.ts'
import type { Facts, FactsLayout } from '../stores/facts.ts'
import type { SettledDays } from '../stores/settled/settled.ts'
import { storedName } from '../stores/migrations/facts.ts'
import { isCounted, plainColumns, type SessionColumn } from '../stores/session-columns.ts'
import { heldOf, heldParams, ofOuter } from './held.ts'
import type { SessionScope } from './scope.ts'

/** Binds the property, and days and times between which the sessions began. */
export interface Within {
  readonly property: string
  /** YYYY-MM-DD, both inside. */
  readonly day_from: string
  readonly day_to: string
  readonly from_ms: number
  readonly to_ms: number
}

/** A window may begin before the first day that the facts can hold, and end after the last one. */
export function boundsOf(propertyId: string, { fromMs, toMs }: Span): Within {
  const day = (timeMs: number) => storedDay(dayOf(timeMs))
  return { property: propertyId, day_from: day(fromMs), day_to: day(toMs - 1), from_ms: fromMs, to_ms: toMs }
}

/** Asked of the facts: all of them. */
export const everySession = { sql: '1', params: {} } as const

const within = `property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}
  AND entry_at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND entry_at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')`

const noDays: SettledDays = new Map()
const noDay: ReadonlySet<string> = new Set()

/** What has to be known of the store before a question. */
export type ScopeFacts = Pick<Facts, 'settledDays' | 'hasMarks' | 'layout'>

/** Which sessions, and what is known of the store. */
export interface RowsQuery {
  readonly settled: SettledDays
  readonly layout: FactsLayout
  /** Whether the property has sessions that are marked as invalid. */
  readonly hasMarks: boolean
  readonly bounds: Within
  readonly columns: Iterable<SessionColumn>
  /** On the same columns. */
  readonly condition: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> }
  /** Those of bots instead, of which nothing is settled. */
  readonly ofBots?: boolean | undefined
  /** Settled days that are left out: their sums are read instead (sums.ts). */
  readonly without?: ReadonlySet<string>
}

/**
 * The table's part on each node, for what stands in `cluster(…, view(…))`: another node does not know the
 * database of this connection.
 */
export function onEachNode(table: string, layout: FactsLayout): string {
  const stored = storedName(table, layout)
  return layout.cluster ? `${layout.database}.${stored}` : stored
}

export function sessionRows({
  settled,
  layout,
  hasMarks,
  bounds,
  columns,
  condition,
  ofBots = false,
  without = noDay,
}: RowsQuery): SessionScope {
  const held = heldOf(ofBots ? noDays : settled, bounds, without)
  const names = [...new Set(columns)]
  const stored = `SELECT ${names.join(', ')} FROM ${onEachNode('settled', layout)} WHERE`
  const folded = `SELECT ${plainColumns(names)} FROM ${onEachNode('sessions', layout)} FINAL WHERE`
  const isOpen = [
    ...(held.weeks.length > 0 ? ['AND toMonday(day) NOT IN {weeks:Array(Date)}'] : []),
    ...(held.days.length > 0 ? ['AND day NOT IN {days:Array(Date)}'] : []),
  ].join(' ')
  const parts = [
    ...(held.inner.length > 0 ? [`${stored} copy IN {inner:Array(UInt64)} AND property = {property:String}`] : []),
    ...(held.outer.size > 0 ? [`${stored} ${ofOuter} AND ${within}`] : []),
    ...(held.isAll ? [] : [`${folded} ${within} AND ${ofBots ? 'is_bot = 1' : isCounted(hasMarks)} ${isOpen}`]),
  ]
  if (parts.length === 0) parts.push(`${stored} 0`)
  const union = parts.join('\n  UNION ALL\n  ')
  const where = `AS sessions_of_window WHERE ${condition.sql}`
  return {
    hasMarks,
    // As a view, so that each node adds up its own rows.
    sql: layout.cluster ? `cluster('${layout.cluster}', view(\n  ${union}\n)) ${where}` : `(\n  ${union}\n) ${where}`,
    inSet: `(\n  ${union}\n) ${where}`,
    params: { ...condition.params, ...bounds, ...heldParams(held) },
  }
}
