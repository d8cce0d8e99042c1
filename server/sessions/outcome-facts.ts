// How often links, forms and content were shown and used in a window: of settled days as it is counted with
// their copies (stores/outcome-sums.ts), of others from the rows.
import { byName } from '../kernel/by-name.ts'
import { DAY_MS, dayFromText, storedDay } from '../kernel/days.ts'
import type { Facts, FactsLayout } from '../stores/facts.ts'
import { LATE_DAYS, outcomeSums, type OutcomeTable } from '../stores/outcome-sums.ts'
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
  readonly settled: { readonly days: SettledDays; readonly layout: FactsLayout }
  readonly limit: number
}

export interface OutcomeCount {
  readonly id: string
  readonly shown: number
  readonly used: number
}

export type OutcomeCounts<Table extends OutcomeTable = OutcomeTable> = Readonly<Record<Table, InParts<OutcomeCount>>>

type Statement = Pick<SessionScope, 'sql' | 'params'>

/** The condition on the rows of the window: those of everybody, or of the visitors. */
function rowsWithin({ window, visitors, hasMarks }: TopQuery, table: OutcomeTable): Statement {
  const within =
    "property = {property:String} AND at >= fromUnixTimestamp64Milli({at_from:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({at_to:Int64}, 'UTC')"
  const params = { property: window.property, at_from: window.from_ms, at_to: window.to_ms }
  if (!visitors) return { sql: `${within} AND ${ofValidSession(hasMarks, 'session_day')}`, params }
  const sessions = keysOf(visitors, `SELECT session_day, session FROM ${table} WHERE ${within}`)
  return { sql: `${within} AND (session_day, session) IN ${sessions}`, params: { ...visitors.params, ...params } }
}

/** Rows of `of`, `is_recent`, `thing`, `shown` and `used`. @param days the condition on their days. */
function countedRows(table: OutcomeTable, ask: TopQuery, days: Statement): Statement {
  const { id, shown, used, where, rows } = outcomeSums[table]
  const { sql, params } = rowsWithin(ask, table)
  return {
    sql: `SELECT '${table}' AS of, ${isRecentByTime}, ${id} AS thing, ${shown} AS shown, ${used} AS used FROM ${rows}
WHERE ${where} AND ${days.sql} AND ${sql} GROUP BY is_recent, thing`,
    params: { ...params, ...days.params },
  }
}

/** The same of settled days. @param days the condition on when it was. */
function countedSums(tables: readonly OutcomeTable[], copied: ReturnType<typeof copiedRows>, days: Statement) {
  return {
    sql: `SELECT of, ${isRecentByDay('at_day')}, id AS thing, sum(sums.shown) AS shown, sum(sums.used) AS used
FROM ${copied.sql('settled_outcomes', ['of', 'id', 'at_day', 'shown', 'used'])} AS sums
WHERE of IN (${tables.map((table) => `'${table}'`).join(', ')}) AND ${days.sql} GROUP BY of, is_recent, thing`,
    params: { ...copied.params, ...days.params },
  }
}

const early = (day: string): string => storedDay(dayFromText(day) - LATE_DAYS)

/** The days that begin and end in the window; `toMs` is the end of the last one. */
function wholeDays({ from_ms, to_ms }: Within) {
  const [first, end] = [Math.ceil(from_ms / DAY_MS), Math.floor(to_ms / DAY_MS)]
  return { first: storedDay(first), last: storedDay(end - 1), fromMs: first * DAY_MS, toMs: end * DAY_MS }
}

/** @returns undefined where rows alone say it. */
function withSums(tables: readonly OutcomeTable[], ask: TopQuery): Statement[] | undefined {
  // Sums know neither who was marked, nor whose visits are asked about.
  if (ask.visitors || ask.hasMarks) return undefined
  const { window, settled } = ask
  const whole = wholeDays(window)
  if (whole.toMs <= whole.fromMs) return undefined
  const held = daysWithin(settled.days, { ...window, day_from: early(whole.first), day_to: whole.last })
  if (held.length === 0) return undefined
  const summed = new Set(held.map(([day]) => day))
  const sums = countedSums(tables, copiedRows(held, settled.layout, ofOneProperty), {
    sql: 'at_day BETWEEN {whole_first:Date} AND {whole_last:Date}',
    params: { property: window.property, whole_first: whole.first, whole_last: whole.last },
  })
  const [isCutFirst, isCutLast] = [window.from_ms < whole.fromMs, window.to_ms > whole.toMs]
  // What was done before the first whole day, or after the last, may be of rows of the days before it.
  const isAtEnd = (day: string) => (isCutFirst && day <= window.day_from) || (isCutLast && day >= early(window.day_to))
  const days = daysBetween({ day_from: early(window.day_from), day_to: window.day_to })
  const leftDays = days.filter((day) => isAtEnd(day) || !summed.has(day))
  if (leftDays.length === 0) return [sums]
  const left = {
    sql: `day IN {left_days:Array(Date)} AND (day NOT IN {summed_days:Array(Date)}
  OR at < fromUnixTimestamp64Milli({whole_from:Int64}, 'UTC') OR at >= fromUnixTimestamp64Milli({whole_to:Int64}, 'UTC'))`,
    params: { left_days: leftDays, summed_days: [...summed], whole_from: whole.fromMs, whole_to: whole.toMs },
  }
  return [...tables.map((table) => countedRows(table, ask, left)), sums]
}

/** From the rows of all days. */
function ofRows(tables: readonly OutcomeTable[], ask: TopQuery): Statement[] {
  const { day_from, day_to } = ask.window
  const all = {
    sql: 'day BETWEEN {first_day:Date} AND {last_day:Date}',
    params: { first_day: early(day_from), last_day: day_to },
  }
  return tables.map((table) => countedRows(table, ask, all))
}

/** One row of each thing and part. */
function joined(parts: readonly Statement[]): Statement {
  const params = Object.assign({}, ...parts.map((part) => part.params)) as Statement['params']
  if (parts.length === 1) return { sql: parts[0]!.sql, params }
  return {
    sql: `SELECT of, is_recent, thing, sum(things.shown) AS shown, sum(things.used) AS used FROM (
${parts.map(({ sql }) => sql).join('\nUNION ALL\n')}
) AS things GROUP BY of, is_recent, thing`,
    params,
  }
}

/** Content by how often it was seen, the others by what came of it. */
const order = "if(of = 'impressions', shown, used) DESC, if(of = 'impressions', used, shown) DESC, thing"

/**
 * Each link, form and block of the window, also deleted ones, with what was done with it, by people. In one
 * statement: to plan one takes longer than to run it. Content is in the order of views, then clicks; forms by
 * submissions, then views; links by clicks; equal ones by id.
 * @param cutMs in each part of the window that is cut then.
 */
export async function countOutcomes<Table extends OutcomeTable>(
  facts: Pick<Facts, 'query'>,
  tables: readonly Table[],
  ask: TopQuery,
  cutMs?: number,
): Promise<OutcomeCounts<Table>> {
  const { sql, params } = joined(withSums(tables, ask) ?? ofRows(tables, ask))
  const rows = await facts.query<{ of: Table; is_recent: number; thing: string; shown: string; used: string }>(
    'analytics.outcomes',
    `${sql}\nORDER BY ${order} LIMIT {limit:UInt32} BY of, is_recent`,
    { ...params, ...bindCut(cutMs), limit: ask.limit },
  )
  return byName(tables, (table) =>
    inParts(
      rows.filter(({ of }) => of === table),
      ({ thing, shown, used }) => ({ id: thing, shown: Number(shown), used: Number(used) }),
    ),
  )
}
