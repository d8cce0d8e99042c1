// Conversions of the goal of an overview: by bucket, and by the values that its lists show. From the sessions
// to which conversions are credited alone.
import { matchingAs } from '../conversions/conversions.ts'
import { type Fragment, sameDays } from '../analytics/clause-sql.ts'
import type { Credit } from '../analytics/credit-sql.ts'
import { dimensionIds, type DimensionId } from '../analytics/dimensions.ts'
import { rowsOf, type Scope } from '../analytics/facts.ts'
import { type GoalColumns, type GoalCounts, noGoalCounts, readGoalCounts } from '../analytics/goal-counts.ts'
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

const keptAs = ({ isPlace }: TopSet, { value, countryCode }: ListedValue): string =>
  isPlace ? `${countryCode} ${value}` : value

/** A list, and those of its values that are counted. */
interface CountedList {
  readonly name: string
  readonly sql: string
  readonly values: readonly ListedValue[]
  /** As they are stored, in the same order. */
  readonly texts: readonly string[]
  /** What `grouping(edge, …)` answers for its rows: a bit for each column that they are not grouped by. */
  readonly mask: number
}

function listsOf(values: readonly ListedValue[]): CountedList[] {
  const listed = sets.filter(({ name }) => values.some(({ list }) => list === name))
  return listed.map((set, index) => {
    const own = values.filter(({ list }) => list === set.name)
    const mask = 2 ** (listed.length + 1) - 1 - 2 ** (listed.length - 1 - index)
    return { name: set.column, sql: set.sql, values: own, texts: own.map((each) => keptAs(set, each)), mask }
  })
}

interface CountedColumns extends GoalColumns {
  readonly set: string
  readonly edge: string
  readonly place: string
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

/** Over sessions, each with what is credited to it. */
const counted = 'sum(hits) AS goal_hits, countIf(is_new) AS goal_sessions, sum(cents) AS goal_cents'

/** Rows of the edges are grouped by nothing else. */
const edgeSet = (lists: readonly CountedList[]): number => 2 ** lists.length - 1

function partsFrom(rows: readonly CountedColumns[], lists: readonly CountedList[]): GoalParts {
  const found = new Map(rows.map((row) => [`${row.set} ${row.place}`, row]))
  return {
    byEdge: new Map(
      rows.filter(({ set }) => Number(set) === edgeSet(lists)).map((row) => [Number(row.edge), readGoalCounts(row)]),
    ),
    byValue: new Map(
      lists.flatMap(({ mask, values: own }) =>
        own.map((each, index) => {
          const row = found.get(`${mask} ${index + 1}`)
          return [keyOfValue(each), row ? readGoalCounts(row) : noGoalCounts]
        }),
      ),
    ),
  }
}

/**
 * All from one pass over the sessions that have any. A value is counted by its place among those of its list:
 * numbers are grouped several times as fast as texts.
 * @param credited rows of `day`, `session`, `hits`, `cents` and `is_new`.
 * @param also a condition on the sessions, behind AND.
 */
export async function countCredited(
  facts: Facts,
  scope: Scope,
  { edges, values }: Pick<GoalQuery, 'edges' | 'values'>,
  { credited, also = '' }: { readonly credited: Fragment; readonly also?: string },
): Promise<GoalParts> {
  const lists = listsOf(values)
  const from = await rowsOf(facts, scope, [
    'day',
    'session',
    'entry_at',
    ...lists.map(({ sql }) => sql).filter(isSessionColumn),
  ])
  const places = lists.map(
    ({ name }) =>
      `toUInt8(transform(source_${name}, {${name}_texts:Array(String)}, {${name}_places:Array(UInt8)}, toUInt8(0))) AS of_${name}`,
  )
  const columns = ['edge', ...lists.map(({ name }) => `of_${name}`)]
  const sources = lists.map(({ name, sql }) => `${sql} AS source_${name}`)
  const place = ['toUInt8(0)', ...columns.slice(1)].join(' + ')
  const rows = await facts.query<CountedColumns>(
    'analytics.goalParts',
    `SELECT * FROM (
  SELECT grouping(${columns.join(', ')}) AS set, edge, ${place} AS place, ${counted}
  FROM (
    SELECT ${['edge', 'hits', 'is_new', 'cents', ...places].join(', ')}
    FROM (SELECT ${['day', 'session', edgeSql, ...sources].join(', ')} FROM ${from.sql} ${also}) AS whole
    INNER JOIN (${credited.sql}) AS credited USING (day, session)
  )
  GROUP BY GROUPING SETS (${columns.map((column) => `(${column})`).join(', ')})
) WHERE set = {edge_set:UInt64} OR place > 0`,
    {
      ...from.params,
      ...credited.params,
      edges,
      edge_set: edgeSet(lists),
      ...Object.fromEntries(
        lists.flatMap(({ name, texts }) => [
          [`${name}_texts`, texts],
          [`${name}_places`, texts.map((_, index) => index + 1)],
        ]),
      ),
    },
  )
  return partsFrom(rows, lists)
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
