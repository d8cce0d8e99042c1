// Conversions of the goal of an overview: by bucket, and by the values that its lists show. From the sessions
// to which conversions are credited alone.
import { matchingAs } from '../conversions/conversions.ts'
import { type Fragment, sameDays } from '../analytics/clause-sql.ts'
import type { Credit } from '../analytics/credit-sql.ts'
import { dimensionIds, dimensionOf, type DimensionId } from '../analytics/dimensions.ts'
import { rowsOf, type Scope } from '../analytics/facts.ts'
import { type GoalColumns, type GoalCounts, noGoalCounts, readGoalCounts } from '../analytics/goal-counts.ts'
import { boundsOf } from '../sessions/sessions.ts'
import { startSql } from '../analytics/summed.ts'
import { topSets } from '../analytics/top-sets.ts'
import type { Facts } from '../stores/facts.ts'
import { isOfEvents } from './kept.ts'
import { isSessionColumn } from '../stores/session-columns.ts'

/** A value of a list, and its country where it is a place. */
export interface ListedValue {
  readonly list: DimensionId
  readonly value: string
  readonly countryCode: string
}

export const keyOfValue = ({ list, value, countryCode }: ListedValue): string =>
  JSON.stringify([list, value, countryCode])

/** In which sessions keep its values. */
const columnIn = (id: DimensionId): string => topSets.find(({ name }) => name === id)!.sql

/** As it is stored: a place with its country. */
const keptAs = ({ list, value, countryCode }: ListedValue): string =>
  dimensionOf(list).isPlace === true ? `${countryCode} ${value}` : value

/**
 * A list, and those of its values that are counted. Edges and values have numbers, by which a session is
 * grouped with all that it counts in: the edges from 1 on, then the values.
 */
interface CountedList {
  readonly name: DimensionId
  /** A column of sessions. */
  readonly column: string
  readonly values: readonly ListedValue[]
  /** The number of the first value; the others follow. */
  readonly first: number
}

function listsOf(values: readonly ListedValue[], edges: readonly number[]): CountedList[] {
  let first = edges.length + 1
  const counted: CountedList[] = []
  for (const name of dimensionIds) {
    const own = values.filter(({ list }) => list === name)
    if (own.length > 0) counted.push({ name, column: columnIn(name), values: own, first })
    first += own.length
  }
  return counted
}

const numbered = (all: readonly unknown[], first: number): number[] => all.map((_, index) => first + index)

export interface GoalParts {
  readonly byEdge: ReadonlyMap<number, GoalCounts>
  /** By keyOfValue. */
  readonly byValue: ReadonlyMap<string, GoalCounts>
}

export interface GoalQuery {
  readonly credit: Credit
  /** Ascending milliseconds: parts of the span begin there. */
  readonly edges: readonly number[]
  readonly values: readonly ListedValue[]
  /** Values are counted of sessions since then; left out: of all. */
  readonly valuesFromMs?: number
}

/** The number of what a session has; 0 for what nobody asks for. */
const numberSql = (source: string, type: string, name: string): string =>
  `transform(${source}, {${name}:Array(${type})}, {${name}_numbers:Array(UInt16)}, toUInt16(0))`

/** Of a session that is before the values, the first alone, which is that of its edge. */
const numbersSql = (numbers: readonly string[], valuesFromMs: number | undefined): string =>
  valuesFromMs === undefined || numbers.length === 1
    ? `[${numbers.join(', ')}]`
    : `if(entry_at < fromUnixTimestamp64Milli({values_from_ms:Int64}, 'UTC'), [${numbers[0]}], [${numbers.join(', ')}])`

function paramsOf(
  edges: readonly number[],
  lists: readonly CountedList[],
  valuesFromMs: number | undefined,
): Record<string, unknown> {
  const params: Record<string, unknown> = {
    edges,
    edges_numbers: numbered(edges, 1),
    ...(valuesFromMs !== undefined && { values_from_ms: valuesFromMs }),
  }
  for (const { name, values, first } of lists) {
    params[`of_${name}`] = values.map(keptAs)
    params[`of_${name}_numbers`] = numbered(values, first)
  }
  return params
}

interface CountedColumns extends GoalColumns {
  readonly number: string
}

function partsFrom(
  rows: readonly CountedColumns[],
  edges: readonly number[],
  lists: readonly CountedList[],
): GoalParts {
  const found = new Map(rows.map((row) => [Number(row.number), readGoalCounts(row)]))
  const countsOf = (number: number): GoalCounts => found.get(number) ?? noGoalCounts
  return {
    byEdge: new Map(edges.map((edge, index) => [edge, countsOf(index + 1)])),
    byValue: new Map(
      lists.flatMap(({ values, first }) =>
        values.map((each, index) => [keyOfValue(each), countsOf(first + index)] as const),
      ),
    ),
  }
}

/**
 * All from one pass over the sessions that have any, grouped by the numbers of edges and values: numbers are
 * grouped several times as fast as texts, and one grouping is planned in half the time of one for each list.
 * @param credited rows of `day`, `session`, `hits`, `cents` and `is_new`.
 * @param also a condition on the sessions, behind AND.
 */
export async function countCredited(
  facts: Facts,
  scope: Scope,
  { credit, edges, values, valuesFromMs }: GoalQuery,
  { credited, also = '' }: { readonly credited: Fragment; readonly also?: string },
): Promise<GoalParts> {
  const starts = [...new Set(edges)]
  const lists = listsOf(values, starts)
  const columns = ['day', 'session', 'entry_at', ...lists.map(({ column }) => column).filter(isSessionColumn)] as const
  // What is credited to an earlier session is linked to it by a contact.
  const from = await rowsOf(facts, { ...scope, isEventful: isOfEvents(credit.goal) }, columns)
  const numbers = [
    numberSql(startSql, 'Int64', 'edges'),
    ...lists.map(({ name, column }) => numberSql(column, 'String', `of_${name}`)),
  ]
  const rows = await facts.query<CountedColumns>(
    'analytics.goalParts',
    `SELECT number, sum(hits) AS goal_hits, countIf(is_new) AS goal_sessions, sum(cents) AS goal_cents FROM (
  SELECT arrayJoin(${numbersSql(numbers, valuesFromMs)}) AS number, hits, is_new, cents
  FROM (SELECT ${columns.join(', ')} FROM ${from.sql} ${also}) AS whole
    INNER JOIN (${credited.sql}) AS credited USING (day, session)
) GROUP BY number`,
    { ...from.params, ...credited.params, ...paramsOf(starts, lists, valuesFromMs) },
  )
  return partsFrom(rows, starts, lists)
}

/** @param credited rows of `day`, `session`, `hits` and `cents`. */
export async function readGoalParts(
  facts: Facts,
  scope: Scope,
  ask: GoalQuery,
  { sql, params }: Fragment,
): Promise<GoalParts> {
  return countCredited(facts, scope, ask, { credited: { sql: `SELECT *, 1 AS is_new FROM (${sql})`, params } })
}

/**
 * Submissions of people without a session, when they were sent. A question about some of the sessions has
 * none of them.
 */
export async function readAloneParts(facts: Facts, { propertyId, clauses, span }: Scope, { credit, edges }: GoalQuery) {
  const { table, sql, params } = matchingAs('goal', credit.goal)
  const byEdge = new Map<number, GoalCounts>()
  if (table !== 'form_events' || clauses.length > 0) return byEdge
  const { day_from, day_to } = boundsOf(propertyId, span)
  const rows = await facts.query<{ edge: string; number: string }>(
    'analytics.goalAlone',
    `SELECT roundDown(toUnixTimestamp64Milli(at), {edges:Array(Int64)}) AS edge, count() AS number FROM ${table} FINAL
WHERE ${sameDays} AND session = 0 AND is_bot = 0 AND ${sql}
  AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC') GROUP BY edge`,
    { ...params, property: propertyId, day_from, day_to, from_ms: span.fromMs, to_ms: span.toMs, edges },
  )
  for (const { edge, number } of rows) byEdge.set(Number(edge), { ...noGoalCounts, hits: Number(number) })
  return byEdge
}
