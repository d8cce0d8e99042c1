// How often links, forms and content were shown and used in a window: of settled days as it is counted with
// their copies (stores/outcome-sums.ts), of others from the rows.
import { DAY_MS, dayFromText, storedDay } from '../kernel/days.ts'
import type { Facts, FactsLayout } from '../stores/facts.ts'
import { outcomeSums, type OutcomeTable } from '../stores/outcome-sums.ts'
import type { SettledDays } from '../stores/settled/settled.ts'
import { bindCut, type InParts, inParts, isRecentByDay, isRecentByTime } from './cut.ts'
import { daysBetween, daysWithin } from './held.ts'
import { ofValidSession } from './marked.ts'
import { ofOneProperty, type Within } from './rows.ts'
import { keysOf, type SessionScope } from './scope.ts'
import { copiedRows } from './sums.ts'

/** What a capability is asked for the overview: those of its things that were used most in a window. */
export interface TopQuery {
  readonly window: Within
  /** Whether the property has sessions that are marked as invalid: what they did does not count. */
  readonly hasMarks: boolean
  /**
   * Those alone whose visitors count, each with its `day` and `session`; undefined: everybody counts, also
   * people without a session.
   */
  readonly visitors: SessionScope | undefined
  /** Left out: rows alone are read. */
  readonly settled?: { readonly days: SettledDays; readonly layout: FactsLayout } | undefined
  readonly limit: number
}

export interface OutcomeCount {
  readonly id: string
  readonly shown: number
  readonly used: number
}

type Statement = Pick<SessionScope, 'sql' | 'params'>

/** A condition on the rows of the window, besides those of everybody or of the visitors. */
function rowsWithin({ window, visitors, hasMarks }: TopQuery, table: OutcomeTable): Statement {
  const within =
    "property = {property:String} AND at >= fromUnixTimestamp64Milli({at_from:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({at_to:Int64}, 'UTC')"
  const params = { property: window.property, at_from: window.from_ms, at_to: window.to_ms }
  if (!visitors) return { sql: `${within} AND ${ofValidSession(hasMarks, 'session_day')}`, params }
  const sessions = keysOf(visitors, `SELECT session_day, session FROM ${table} WHERE ${within}`)
  return { sql: `${within} AND (session_day, session) IN ${sessions}`, params: { ...visitors.params, ...params } }
}

function countedRows(table: OutcomeTable, ask: TopQuery, days: Statement): Statement {
  const { id, shown, used, where, rows } = outcomeSums[table]
  const { sql, params } = rowsWithin(ask, table)
  return {
    sql: `SELECT ${isRecentByTime}, ${id} AS thing, ${shown} AS shown, ${used} AS used FROM ${rows}
WHERE ${where} AND ${days.sql} AND ${sql} GROUP BY is_recent, thing`,
    params: { ...params, ...days.params },
  }
}

/** The days that begin and end in the window; `toMs` is the end of the last one. */
function wholeDays({ from_ms, to_ms }: Within) {
  const [first, end] = [Math.ceil(from_ms / DAY_MS), Math.floor(to_ms / DAY_MS)]
  return { first: storedDay(first), last: storedDay(end - 1), fromMs: first * DAY_MS, toMs: end * DAY_MS }
}

/** Which sums are read, and of which days there are rows besides. */
interface Split {
  readonly sums: Statement
  readonly leftDays: readonly string[]
  /** The condition on rows of these days. */
  readonly left: Statement
}

/** @returns undefined when there are no sums. */
function splitOf(table: OutcomeTable, ask: TopQuery): Split | undefined {
  // Neither knows who was marked, nor whose visits are asked about.
  if (!ask.settled || ask.visitors || ask.hasMarks) return undefined
  const { window, settled } = ask
  const whole = wholeDays(window)
  if (whole.toMs <= whole.fromMs) return undefined
  const early = (day: string) => storedDay(dayFromText(day) - outcomeSums[table].lateDays)
  const held = daysWithin(settled.days, { ...window, day_from: early(whole.first), day_to: whole.last })
  if (held.length === 0) return undefined
  const [copied, summed] = [copiedRows(held, settled.layout, ofOneProperty), held.map(([day]) => day)]
  const [isCutFirst, isCutLast] = [window.from_ms < whole.fromMs, window.to_ms > whole.toMs]
  // What was done before the first whole day, or after the last, may be of rows of the days before it.
  const isAtEnd = (day: string) => (isCutFirst && day <= window.day_from) || (isCutLast && day >= early(window.day_to))
  const days = daysBetween({ day_from: early(window.day_from), day_to: window.day_to })
  return {
    sums: {
      sql: `SELECT ${isRecentByDay('at_day')}, id AS thing, sum(sums.shown) AS shown, sum(sums.used) AS used
FROM ${copied.sql('settled_outcomes', ['of', 'id', 'at_day', 'shown', 'used'])} AS sums
WHERE of = '${table}' AND at_day BETWEEN {whole_first:Date} AND {whole_last:Date} GROUP BY is_recent, thing`,
      params: { property: window.property, ...copied.params, whole_first: whole.first, whole_last: whole.last },
    },
    leftDays: days.filter((day) => isAtEnd(day) || !summed.includes(day)),
    left: {
      sql: `day IN {left_days:Array(Date)} AND (day NOT IN {summed_days:Array(Date)}
  OR at < fromUnixTimestamp64Milli({whole_from:Int64}, 'UTC') OR at >= fromUnixTimestamp64Milli({whole_to:Int64}, 'UTC'))`,
      params: { summed_days: summed, whole_from: whole.fromMs, whole_to: whole.toMs },
    },
  }
}

/** Rows of `is_recent`, `thing`, `shown` and `used`: one of each thing and part. */
function statementOf(table: OutcomeTable, ask: TopQuery): Statement {
  const split = splitOf(table, ask)
  if (split?.leftDays.length === 0) return split.sums
  if (split) {
    const left = { sql: split.left.sql, params: { ...split.left.params, left_days: split.leftDays } }
    const rows = countedRows(table, ask, left)
    return {
      sql: `SELECT is_recent, thing, sum(things.shown) AS shown, sum(things.used) AS used FROM (
${rows.sql}
UNION ALL
${split.sums.sql}
) AS things GROUP BY is_recent, thing`,
      params: { ...rows.params, ...split.sums.params },
    }
  }
  const { day_from, day_to } = ask.window
  const first = storedDay(dayFromText(day_from) - outcomeSums[table].lateDays)
  const all = {
    sql: 'day BETWEEN {first_day:Date} AND {last_day:Date}',
    params: { first_day: first, last_day: day_to },
  }
  return countedRows(table, ask, all)
}

/**
 * Each link, form or block of the window with what was done with it; also deleted ones.
 * @param name of the statement.
 * @param order by which of both numbers, the larger first; then by id.
 * @param cutMs in each part of the window that is cut then.
 */
export async function countOutcomes(
  facts: Pick<Facts, 'query'>,
  { name, table, order }: { name: string; table: OutcomeTable; order: readonly ('shown' | 'used')[] },
  ask: TopQuery,
  cutMs?: number,
): Promise<InParts<OutcomeCount>> {
  const { sql, params } = statementOf(table, ask)
  const inOrder = [...order.map((by) => `${by} DESC`), 'thing'].join(', ')
  const rows = await facts.query<{ is_recent: number; thing: string; shown: string; used: string }>(
    name,
    `${sql}\nORDER BY ${inOrder} LIMIT {limit:UInt32} BY is_recent`,
    { ...params, ...bindCut(cutMs), limit: ask.limit },
  )
  return inParts(rows, ({ thing, shown, used }) => ({ id: thing, shown: Number(shown), used: Number(used) }))
}
