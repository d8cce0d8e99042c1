// Conversions of the goal of an overview: by bucket, and by the values of its lists. From the sessions to
// which conversions are credited alone.
import { matchingAs } from '../conversions/conversions.ts'
import type { Fragment } from '../analytics/clause-sql.ts'
import type { Credit } from '../analytics/credit-sql.ts'
import { dimensionIds, dimensionOf, type DimensionId } from '../analytics/dimensions.ts'
import { rowsOf, type Scope } from '../analytics/facts.ts'
import {
  addGoalCounts,
  type GoalColumns,
  type GoalCounts,
  noGoalCounts,
  readGoalCounts,
} from '../analytics/goal-counts.ts'
import { boundsOf } from '../sessions/sessions.ts'
import { entryMs, namedEdges } from '../analytics/edges.ts'
import { topSets } from '../analytics/top-sets.ts'
import type { Facts } from '../stores/facts.ts'
import { isOfEvents } from './kept.ts'
import { numberOfValue, valueNumber } from '../stores/goal-sums.ts'
import { isSessionColumn } from '../stores/session-columns.ts'

/** A value of a list, and its country where it is a place. */
export interface ListedValue {
  readonly list: DimensionId
  readonly value: string
  readonly countryCode: string
}

/** As it is stored: a place with its country. */
const keptAs = ({ list, value, countryCode }: ListedValue): string =>
  dimensionOf(list).isPlace === true ? `${countryCode} ${value}` : value

const numberOf = (value: ListedValue): bigint => numberOfValue(keptAs(value))

const keyOfNumber = (list: DimensionId, number: string | bigint): string => `${list} ${number}`
export const keyOfValue = (value: ListedValue): string => keyOfNumber(value.list, numberOf(value))

/** What is credited to sessions with each value. Plain data, as answers are kept. */
export interface ValueCounts {
  /** By keyOfValue. */
  readonly rows: Readonly<Record<string, GoalCounts>>
  /** Lists that have more values than these, with less. */
  readonly cutLists: readonly DimensionId[]
}

/** Of all parts together. Undefined where one of them has too many values to tell. */
export function countsOfValue(parts: readonly ValueCounts[], value: ListedValue): GoalCounts | undefined {
  const key = keyOfValue(value)
  let sum = noGoalCounts
  for (const { rows, cutLists } of parts) {
    const own = rows[key]
    if (!own && cutLists.includes(value.list)) return undefined
    if (own) sum = addGoalCounts(sum, own)
  }
  return sum
}

export interface GoalParts {
  readonly byEdge: ReadonlyMap<number, GoalCounts>
  /** Together they are all. */
  readonly values: readonly ValueCounts[]
}

export const noParts: GoalParts = { byEdge: new Map(), values: [] }

/** Of one span, each of some of its sessions. */
export function addGoalParts(one: GoalParts, other: GoalParts): GoalParts {
  const byEdge = new Map(one.byEdge)
  for (const [edge, counts] of other.byEdge) byEdge.set(edge, addGoalCounts(byEdge.get(edge) ?? noGoalCounts, counts))
  return { byEdge, values: [...one.values, ...other.values] }
}

/** What is met on days before the cut, and what else there is. */
export interface CutParts {
  readonly past: GoalParts
  readonly rest: GoalParts
}

export interface GoalQuery {
  readonly credit: Credit
  /** Ascending milliseconds: parts of the span begin there. */
  readonly edges: readonly number[]
  /** `all`: those with the most conversions. */
  readonly values: 'all' | readonly ListedValue[]
  /** Values are counted of sessions since then; left out: of all. */
  readonly valuesFromMs?: number
}

/** Of each list. A value that is shown has many sessions, and so is nearly always among them. */
export const MOST_VALUES = 300

/** The place of each list in a row; the edges stand before them. */
export const EDGES = 0
export const lists = dimensionIds.map((name, index) => {
  const column = topSets.find((set) => set.name === name)!.sql
  return { name, column, place: index + 1 }
})

interface PairsOf {
  /** SQL of when the session began, and of the edge that it belongs to. */
  readonly at: string
  readonly edge: string
  /** Places of lists. */
  readonly places: readonly number[]
  /** SQL of an array: the edge, and the number in each list. */
  readonly numbers: string
}

/** What a session is counted as: places, and the number at each; before the values, its edge alone. */
export function pairsSql({ values, valuesFromMs }: GoalQuery, { at, edge, places, numbers }: PairsOf): string {
  if (values.length === 0) return `[(toUInt8(${EDGES}), ${edge})]`
  const all = `arrayZip([${[EDGES, ...places].map((place) => `toUInt8(${place})`).join(', ')}], ${numbers})`
  if (valuesFromMs === undefined) return all
  const isBefore = `${at} < fromUnixTimestamp64Milli({values_from_ms:Int64}, 'UTC')`
  return `arraySlice(${all}, 1, if(${isBefore}, 1, ${places.length + 1}))`
}

/** Of rows of sessions with all columns. */
const pairsOfRows = (edge: string): PairsOf => ({
  at: 'entry_at',
  edge,
  places: lists.map(({ place }) => place),
  numbers: `[${[edge, ...lists.map(({ column }) => valueNumber(column))].join(', ')}]`,
})

/** Of named values, these alone. */
export function namedOf({ values }: GoalQuery): Fragment {
  if (values === 'all' || values.length === 0) return { sql: '1', params: {} }
  const places = values.map(({ list }) => lists.find(({ name }) => name === list)!.place)
  return {
    sql: `(place = ${EDGES} OR (place, number) IN arrayZip({named_places:Array(UInt8)}, {named_numbers:Array(Int64)}))`,
    params: { named_places: places, named_numbers: values.map(numberOf) },
  }
}

/** Of an edge or a value, by the place of its list. */
export interface CountedColumns extends GoalColumns {
  readonly place: number
  readonly number: string
  readonly past_hits: string
  readonly past_sessions: string
  readonly past_cents?: number
}

const pastOf = ({ past_hits, past_sessions, past_cents }: CountedColumns): GoalCounts =>
  readGoalCounts({
    goal_hits: past_hits,
    goal_sessions: past_sessions,
    ...(past_cents !== undefined && { goal_cents: past_cents }),
  })

const listNames = new Map(lists.map(({ name, place }) => [place, name]))

function partsFrom(rows: readonly CountedColumns[], countsOf: (row: CountedColumns) => GoalCounts): GoalParts {
  const byEdge = new Map<number, GoalCounts>()
  const values: Record<string, GoalCounts> = {}
  const found = new Map<DimensionId, number>()
  for (const row of rows) {
    const list = listNames.get(row.place)
    if (list === undefined) byEdge.set(Number(row.number), countsOf(row))
    else {
      values[keyOfNumber(list, row.number)] = countsOf(row)
      found.set(list, (found.get(list) ?? 0) + 1)
    }
  }
  const cutLists = [...found].flatMap(([list, count]) => (count > MOST_VALUES ? [list] : []))
  return { byEdge, values: [{ rows: values, cutLists }] }
}

export const cutPartsFrom = (rows: readonly CountedColumns[]): CutParts => ({
  past: partsFrom(rows, pastOf),
  rest: partsFrom(rows, readGoalCounts),
})

interface CountedFrom {
  /**
   * Rows of `day`, `session`, `hits`, `cents`, `past_hits`, `past_cents` and `is_new`: whether the session is
   * none of the past.
   */
  readonly credited: Fragment
  /** A condition on the sessions, behind AND. */
  readonly also?: string
}

/**
 * All from one pass over the sessions that have any, each counted at its edge and under its values: one
 * grouping is planned in half the time of one for each list.
 */
async function countAll(
  facts: Facts,
  scope: Scope,
  query: GoalQuery,
  { credited, also = '' }: CountedFrom,
): Promise<readonly CountedColumns[]> {
  const { credit, values, valuesFromMs } = query
  const edges = namedEdges(query.edges)
  const listed = values.length === 0 ? [] : lists.map(({ column }) => column).filter(isSessionColumn)
  const columns = ['day', 'session', 'entry_at', ...listed] as const
  // What is credited to an earlier session is linked to it by a contact.
  const from = await rowsOf(facts, { ...scope, isEventful: isOfEvents(credit.goal) }, columns)
  const named = namedOf(query)
  return facts.query<CountedColumns>(
    'analytics.goalParts',
    `SELECT counted.1 AS place, counted.2 AS number, sum(hits) AS goal_hits, countIf(is_new) AS goal_sessions, sum(cents) AS goal_cents,
  sum(was_hits) AS past_hits, countIf(was_hits > 0) AS past_sessions, sum(was_cents) AS past_cents
FROM (
  SELECT arrayJoin(${pairsSql(query, pairsOfRows(edges.of(entryMs)))}) AS counted, hits, cents, is_new, credited.past_hits AS was_hits, credited.past_cents AS was_cents
  FROM (SELECT ${columns.join(', ')} FROM ${from.sql} ${also}) AS whole
    INNER JOIN (${credited.sql}) AS credited USING (day, session)
) WHERE ${named.sql} GROUP BY place, number
ORDER BY goal_sessions + past_sessions DESC LIMIT ${MOST_VALUES + 1} BY place, if(place = ${EDGES}, number, 0)`,
    {
      ...from.params,
      ...credited.params,
      ...named.params,
      ...edges.params,
      ...(valuesFromMs !== undefined && values.length > 0 && { values_from_ms: valuesFromMs }),
    },
  )
}

/** @param credited rows of `day`, `session`, `hits`, `cents` and `is_new`. */
export async function countCredited(
  facts: Facts,
  scope: Scope,
  query: GoalQuery,
  { credited: { sql, params }, also = '' }: { readonly credited: Fragment; readonly also?: string },
): Promise<GoalParts> {
  const credited = { sql: `SELECT *, 0 AS past_hits, 0 AS past_cents FROM (${sql})`, params }
  return partsFrom(await countAll(facts, scope, query, { credited, also }), readGoalCounts)
}

/** @param credited rows of `day`, `session`, `hits` and `cents`. */
export async function readGoalParts(
  facts: Facts,
  scope: Scope,
  query: GoalQuery,
  { sql, params }: Fragment,
): Promise<GoalParts> {
  return countCredited(facts, scope, query, { credited: { sql: `SELECT *, 1 AS is_new FROM (${sql})`, params } })
}

/** @param credited rows of `day`, `session`, `hits`, `cents`, `past_hits` and `past_cents`. */
export async function readCutParts(
  facts: Facts,
  scope: Scope,
  query: GoalQuery,
  { sql, params }: Fragment,
): Promise<CutParts> {
  const credited = { sql: `SELECT *, past_hits = 0 AS is_new FROM (${sql})`, params }
  return cutPartsFrom(await countAll(facts, scope, query, { credited }))
}

/** Whether it may be met without a session. A question about some of the sessions has none of that. */
export const isMetAlone = ({ clauses }: Pick<Scope, 'clauses'>, { goal }: Credit): boolean =>
  matchingAs('goal', goal).table === 'form_events' && clauses.length === 0

/** Submissions of people without a session, when they were sent: what stands behind FROM. */
export function aloneRows({ propertyId, span }: Pick<Scope, 'propertyId' | 'span'>, { goal }: Credit): Fragment {
  const { sql, params } = matchingAs('goal', goal)
  const { day_from: since_day, day_to: until_day, from_ms: since_ms, to_ms: until_ms } = boundsOf(propertyId, span)
  return {
    sql: `form_events FINAL
WHERE property = {property:String} AND day BETWEEN {since_day:Date} AND {until_day:Date} AND session = 0 AND is_bot = 0 AND ${sql}
  AND at >= fromUnixTimestamp64Milli({since_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({until_ms:Int64}, 'UTC')`,
    params: { ...params, property: propertyId, since_day, until_day, since_ms, until_ms },
  }
}

/** @param cutMs what was sent before is told apart; left out: nothing is. */
export async function readAloneParts(
  facts: Facts,
  scope: Scope,
  { credit, edges }: GoalQuery,
  cutMs = 0,
): Promise<CutParts> {
  if (!isMetAlone(scope, credit)) return { past: noParts, rest: noParts }
  const { sql, params } = aloneRows(scope, credit)
  const named = namedEdges(edges)
  const rows = await facts.query<{ edge: string; past: string; number: string }>(
    'analytics.goalAlone',
    `SELECT ${named.of('toUnixTimestamp64Milli(at)')} AS edge,
  countIf(at < fromUnixTimestamp64Milli({cut_ms:Int64}, 'UTC')) AS past, count() - past AS number FROM ${sql} GROUP BY edge`,
    { ...params, ...named.params, cut_ms: cutMs },
  )
  const parts = (numberOf: (row: (typeof rows)[number]) => string): GoalParts => ({
    byEdge: new Map(rows.map((row) => [Number(row.edge), { ...noGoalCounts, hits: Number(numberOf(row)) }])),
    values: [],
  })
  return { past: parts(({ past }) => past), rest: parts(({ number }) => number) }
}
