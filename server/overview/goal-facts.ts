// Conversions of the goal of an overview: by bucket, and by the values that its lists show. From the sessions
// to which conversions are credited alone, which are few.
import { matchingAs } from '../conversions/conversions.ts'
import { sameDays } from '../analytics/clause-sql.ts'
import { type Credit, creditedSql } from '../analytics/credit-sql.ts'
import { dimensionIds, type DimensionId } from '../analytics/dimensions.ts'
import { rowsOf, type Scope } from '../analytics/facts.ts'
import {
  goalColumns,
  type GoalColumns,
  type GoalCounts,
  noGoalCounts,
  readGoalCounts,
} from '../analytics/goal-counts.ts'
import { boundsOf } from '../sessions/sessions.ts'
import { edgeSql } from '../analytics/summed.ts'
import { type TopSet, topSets } from '../analytics/top-sets.ts'
import type { Facts } from '../stores/facts.ts'
import { isSessionColumn } from '../stores/session-columns.ts'

/** A value of a list, and its country where it is a place. */
export interface ListedValue {
  readonly list: DimensionId
  readonly value: string
  readonly countryCode: string
}

export const keyOfValue = ({ list, value, countryCode }: ListedValue): string =>
  JSON.stringify([list, value, countryCode])

const sets = dimensionIds.map((id) => topSets.find(({ name }) => name === id)!)
const bits = 2 ** sets.length
/** What `grouping(edge, …)` answers: a bit for each column that a row is not grouped by, the edge's first. */
const EDGE_SET = bits - 1
const maskOf = (set: TopSet): number => bits * 2 - 1 - 2 ** (sets.length - 1 - sets.indexOf(set))

const keptAs = ({ isPlace }: TopSet, { value, countryCode }: ListedValue): string =>
  isPlace ? `${countryCode} ${value}` : value

interface CountedColumns extends GoalColumns {
  readonly set: string
  readonly edge: string
  readonly value: string
}

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
}

/** All from one pass over the sessions that have any. */
export async function readGoalParts(
  facts: Facts,
  scope: Scope,
  { credit, edges, values }: GoalQuery,
): Promise<GoalParts> {
  const lists = values.length > 0 ? sets : []
  const sources = lists.map(({ sql }) => sql).filter(isSessionColumn)
  const from = await rowsOf(facts, scope, ['day', 'session', 'entry_at', ...sources])
  const credited = creditedSql(credit, await facts.hasMarks(scope.propertyId), scope)
  const columns = lists.map(({ sql, column }) => `toString(${sql}) AS of_${column}`)
  const named = lists.map(({ column }) => `of_${column}`)
  const wanted = values.map((each) => ({ each, set: lists.find(({ name }) => name === each.list)! }))
  const rows = await facts.query<CountedColumns>(
    'analytics.goalParts',
    `SELECT * FROM (
  SELECT grouping(${['edge', ...named].join(', ')}) AS set, edge, ${named.length > 0 ? `concat(${["''", ...named].join(', ')})` : "''"} AS value, ${goalColumns}
  FROM (SELECT ${['day', 'session', edgeSql, ...columns].join(', ')} FROM ${from.sql}) AS whole
  INNER JOIN (${credited.sql}) AS credited USING (day, session)
  GROUP BY GROUPING SETS (${['edge', ...named].map((column) => `(${column})`).join(', ')})
) WHERE set = {edge_set:UInt64} OR has(arrayZip({sets:Array(UInt64)}, {values:Array(String)}), (set, value))`,
    {
      ...from.params,
      ...credited.params,
      edges,
      edge_set: lists.length > 0 ? EDGE_SET : 0,
      sets: wanted.map(({ set }) => maskOf(set)),
      values: wanted.map(({ each, set }) => keptAs(set, each)),
    },
  )
  const ofEdges = rows.filter(({ set }) => Number(set) === (lists.length > 0 ? EDGE_SET : 0))
  const bySet = new Map(rows.map((row) => [`${row.set} ${row.value}`, row]))
  return {
    byEdge: new Map(ofEdges.map((row) => [Number(row.edge), readGoalCounts(row)])),
    byValue: new Map(
      wanted.map(({ each, set }) => {
        const row = bySet.get(`${maskOf(set)} ${keptAs(set, each)}`)
        return [keyOfValue(each), row ? readGoalCounts(row) : noGoalCounts]
      }),
    ),
  }
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
