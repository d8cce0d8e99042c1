// What meets a goal and is credited to sessions, told apart by when it was met, in one statement: settled
// days add what is added up there of sessions without a contact (stores/goal-sums.ts), where it is; contacts
// and the other days are read as sessions, since what a contact met is credited to its first session,
// whenever that was.
import { creditedSql } from '../analytics/credit-sql.ts'
import { type NamedEdges, namedEdges } from '../analytics/edges.ts'
import type { Scope } from '../analytics/facts.ts'
import { matchingAs, pagesMetAs, summedGoal } from '../conversions/conversions.ts'
import { dayFromText, DAY_MS, storedDay } from '../kernel/days.ts'
import {
  boundsOf,
  copiedRows,
  daysWithin,
  type HeldDay,
  isInside,
  knownOf,
  metRows,
  ofOneProperty,
  onEachNode,
} from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import {
  goalComplete,
  goalKey,
  goalLists,
  goalQuarters,
  goalSeconds,
  numbersInText,
  type SummedGoal,
} from '../stores/goal-sums.ts'
import { QUARTER_SECONDS } from '../stores/session-sums.ts'
import type { SettledDay } from '../stores/settled/settled.ts'
import {
  addGoalParts,
  aloneRows,
  type CountedColumns,
  type CutParts,
  cutPartsFrom,
  EDGES,
  type GoalQuery,
  isMetAlone,
  lists,
  MOST_VALUES,
  namedOf,
  pairsSql,
  readAloneParts,
  readCutParts,
} from './goal-facts.ts'

type Known = Awaited<ReturnType<typeof knownOf>>

/** Days that are written to are no longer settled for questions that begin then: this one has begun. */
function unchanging({ settled, ...known }: Known): Known {
  const { emptyBefore } = settled
  return { ...known, settled: Object.assign(new Map(settled), emptyBefore !== undefined && { emptyBefore }) }
}

const textOf = ({ day, copy }: { readonly day: string; readonly copy: number | string }): string => `${copy} ${day}`

/** Of all days: copies and days with sessions of which not everything is added up. */
async function readMissing(facts: Facts, { bounds, layout }: Known, goal: SummedGoal): Promise<ReadonlySet<string>> {
  const complete = `SELECT copy, day FROM ${onEachNode('settled_goals', layout)} WHERE list = '${goalComplete}' AND goal = {goal:String} AND property = {property:String}`
  const stored = `SELECT copy, day FROM ${onEachNode('settled_figures', layout)} WHERE property = {property:String} AND (copy, day) NOT IN (${complete})`
  const from = layout.cluster ? `cluster('${layout.cluster}', view(${stored}))` : `(${stored})`
  const rows = await facts.lookup<{ copy: string; day: string }>(
    'analytics.goalDays',
    `SELECT DISTINCT toString(copy) AS copy, toString(day) AS day FROM ${from}`,
    { property: bounds.property, goal: goalKey(goal) },
  )
  return new Set(rows.map(textOf))
}

/**
 * Goals that are added up on a day, as long as its copy stands for it: copies and what is added up beside
 * them never change. Where others write too, days are other objects for each answer, and all is looked up.
 */
const addedUp = new WeakMap<SettledDay, Set<string>>()

/** @returns those of the days on which the goal is added up. */
async function daysAddedUp(facts: Facts, known: Known, goal: SummedGoal): Promise<ReadonlySet<SettledDay>> {
  const key = `${goal.propertyId} ${goalKey(goal)}`
  const isAddedUp = (held: SettledDay) => addedUp.get(held)?.has(key) === true
  const asked = daysWithin(known.settled, known.bounds).map(([, held]) => held)
  if (!asked.every(isAddedUp)) {
    const missing = await readMissing(facts, known, goal)
    for (const [day, held] of known.settled) {
      if (missing.has(textOf({ day, copy: held.copy }))) continue
      addedUp.set(held, (addedUp.get(held) ?? new Set()).add(key))
    }
  }
  return new Set(asked.filter(isAddedUp))
}

/** Whether the sums of a day say it: sessions are added up by the second, and values by the day. */
function saysIt({ edges, valuesFromMs = 0 }: GoalQuery): (day: SettledDay) => boolean {
  const cuts = [valuesFromMs, ...edges.filter((edge) => edge % 1000 !== 0)]
  return ({ firstMs, lastMs }) => !cuts.some((cut) => cut > firstMs - (firstMs % 1000) && cut <= lastMs)
}

const hasSessions = ([, { firstMs, lastMs }]: HeldDay): boolean => firstMs <= lastMs

/** Days, YYYY-MM-DD. */
interface Days {
  /** The last one of the past. */
  readonly pastUntil: string
  readonly today: string
}

const endOf = (day: string): number => (dayFromText(day) + 1) * DAY_MS

/** What is known of a goal, and whose it is. */
interface GoalSums {
  readonly goal: SummedGoal
  /** Of all days whose sessions may have something credited, or have had the first one of a contact. */
  readonly known: Known
  /** Settled days of the window whose sums are read. */
  readonly summed: readonly HeldDay[]
  /** The others, whose sessions are read. */
  readonly whole: readonly HeldDay[]
}

/** @returns undefined where rows alone say it. */
async function openSums(facts: Facts, scope: Scope, query: GoalQuery, { today }: Days): Promise<GoalSums | undefined> {
  const { propertyId, clauses, ofBots, span } = scope
  const goal = summedGoal(propertyId, query.credit.goal)
  if (!goal || clauses.length > 0 || ofBots) return undefined
  const ever = { fromMs: 0, toMs: endOf(today) }
  const known = unchanging(await knownOf(facts, propertyId, query.credit.attribution === 'last' ? span : ever))
  const bounds = boundsOf(propertyId, span)
  const isSaid = saysIt(query)
  const held = daysWithin(known.settled, bounds).filter(hasSessions)
  const canBeSummed = ([, day]: HeldDay) => isInside(day, bounds) && isSaid(day)
  if (!held.some(canBeSummed)) return undefined
  const usable = await daysAddedUp(facts, { ...known, bounds }, goal)
  const { summed = [], whole = [] } = Object.groupBy(held, (day) =>
    canBeSummed(day) && usable.has(day[1]) ? 'summed' : 'whole',
  )
  return summed.length > 0 ? { goal, known, summed, whole } : undefined
}

const names = [goalSeconds, goalQuarters, ...lists.map(({ column }) => column)]
const places = [EDGES, EDGES, ...lists.map(({ place }) => place)]
const placeOf = `transform(list, [${names.map((name) => `'${name}'`).join(', ')}], [${places.join(', ')}], 255)`

const QUARTER_MS = QUARTER_SECONDS * 1000
/** When it was, of a row by the second or the quarter. */
const timeOf = `sums.number * if(list = '${goalQuarters}', ${QUARTER_MS}, 1000)`

/** Those in which an edge lies: of these seconds are read. */
const cutQuarters = ({ edges }: GoalQuery): number[] => [
  ...new Set(edges.filter((edge) => edge % QUARTER_MS !== 0).map((edge) => Math.floor(edge / QUARTER_MS))),
]
const isCut = '{cut_quarters:Array(Int64)}'
const isTime = `(list = '${goalSeconds}' AND intDiv(number, ${QUARTER_SECONDS}) IN ${isCut} OR list = '${goalQuarters}' AND number NOT IN ${isCut})`
const isWholeTime = `list = '${goalQuarters}'`
const isValue = `list IN (${lists.map(({ column }) => `'${column}'`).join(', ')}) AND day >= {values_day:Date}`

/** The first day whose values are asked for: none of those before is among them. */
function valuesFrom({ summed }: GoalSums, { valuesFromMs = 0 }: GoalQuery): string {
  const days = summed.filter(([, { firstMs }]) => firstMs >= valuesFromMs).map(([day]) => day)
  return days.toSorted()[0] ?? storedDay(Infinity)
}

/** What is added up: rows as those of sessions, each of many. */
function summedSql(sums: GoalSums, query: GoalQuery, edges: NamedEdges) {
  const { goal, known, summed } = sums
  const { sql, params } = copiedRows(summed, known.layout, ofOneProperty)
  const cut = cutQuarters(query)
  const times = cut.length > 0 ? isTime : isWholeTime
  const also = `AND goal = {goal:String} AND (${query.values.length === 0 ? times : `${times} OR ${isValue}`})`
  const isPast = 'day <= {past_until:Date}'
  return {
    sql: `SELECT ${placeOf} AS place, if(place = ${EDGES}, ${edges.of(timeOf)}, sums.number) AS number,
  if(${isPast}, 0, hits) AS new_hits, if(${isPast}, 0, sums.sessions) AS new_sessions, if(${isPast}, hits, 0) AS was_hits, if(${isPast}, sums.sessions, 0) AS was_sessions
FROM ${sql('settled_goals', ['day', 'list', 'number', 'hits', 'sessions'], also)} AS sums`,
    params: {
      ...params,
      goal: goalKey(goal),
      values_day: valuesFrom(sums, query),
      ...(cut.length > 0 && { cut_quarters: cut }),
    },
  }
}

/** Whose sessions are taken together. */
const ofSession = "concat(toString(day), ' ', toString(session))"
const ofContact = `if(contact_id = '', ${ofSession}, contact_id)`

/** The order of sessions, by beginning, day and number: one number is compared faster than a tuple. */
const sessionOrder =
  'bitShiftLeft(toUInt128(toUnixTimestamp64Milli(entry_at)), 80) + bitShiftLeft(toUInt128(toUInt16(day)), 64) + session'

const inSql = (timeMs: string) => `fromUnixTimestamp64Milli({${timeMs}:Int64}, 'UTC')`

/** Of contacts, and of sessions without one, of which the rows have what they count as in one text. */
const pairsOfContacts = (edge: string) => ({
  at: 'first_at',
  edge,
  places: goalLists.map((name) => lists.find(({ column }) => column === name)!.place),
  numbers: `arrayPushFront(${numbersInText}, ${edge})`,
})

function creditedRows({ known, whole }: GoalSums, scope: Scope, query: GoalQuery, edges: NamedEdges) {
  const { attribution, goal } = query.credit
  const isListed = query.values.length > 0
  const facts = matchingAs('goal', goal)
  const met = { ...facts, ofPaths: facts.table === 'views' ? pagesMetAs('goal', goal) : undefined }
  const { day_from: sinceDay } = boundsOf(scope.propertyId, scope.span)
  const { sql, params } = metRows({ ...known, met, sinceDay, isListed, whole })
  const edge = edges.of('toUnixTimestamp64Milli(first_at)')
  return {
    sql: `SELECT counted.1 AS place, counted.2 AS number, later_hits AS new_hits, toUInt64(past_hits = 0) AS new_sessions, past_hits AS was_hits, toUInt64(past_hits > 0) AS was_sessions
FROM (
  SELECT later_hits, past_hits, arrayJoin(${pairsSql(query, pairsOfContacts(edge))}) AS counted
  FROM (
    SELECT min(entry_at) AS first_at, argMin(value_numbers, ${sessionOrder}) AS value_numbers,
      sumIf(hits, day > {past_until:Date}) AS later_hits, sumIf(hits, day <= {past_until:Date}) AS past_hits
    FROM ${sql}
    GROUP BY ${attribution === 'last' ? ofSession : ofContact}
    HAVING first_at >= ${inSql('since_ms')} AND first_at < ${inSql('until_ms')} AND later_hits + past_hits > 0
  )
)`,
    params: { ...params, since_ms: scope.span.fromMs, until_ms: scope.span.toMs },
  }
}

/** Submissions without a session: rows as those of sessions. */
function aloneSql(scope: Scope, { credit }: GoalQuery, edges: NamedEdges, cutMs: number) {
  const { sql, params } = aloneRows(scope, credit)
  const isPast = `at < ${inSql('cut_ms')}`
  return {
    sql: `SELECT ${EDGES} AS place, ${edges.of('toUnixTimestamp64Milli(at)')} AS number, toUInt64(NOT ${isPast}) AS new_hits, 0 AS new_sessions, toUInt64(${isPast}) AS was_hits, 0 AS was_sessions
FROM ${sql}`,
    params: { ...params, cut_ms: cutMs },
  }
}

async function readRows(facts: Facts, scope: Scope, query: GoalQuery, { pastUntil, today }: Days): Promise<CutParts> {
  const [credited, alone] = await Promise.all([
    creditedSql(facts, scope, query.credit, { pastUntil, today }).then((sql) => readCutParts(facts, scope, query, sql)),
    readAloneParts(facts, scope, query, endOf(pastUntil)),
  ])
  return { past: addGoalParts(credited.past, alone.past), rest: addGoalParts(credited.rest, alone.rest) }
}

/** Of the goal in the scope, however it was met. */
export async function readGoalApart(facts: Facts, scope: Scope, query: GoalQuery, days: Days): Promise<CutParts> {
  const sums = await openSums(facts, scope, query, days)
  if (!sums) return readRows(facts, scope, query, days)
  const edges = namedEdges(query.edges)
  const parts = [
    creditedRows(sums, scope, query, edges),
    summedSql(sums, query, edges),
    ...(isMetAlone(scope, query.credit) ? [aloneSql(scope, query, edges, endOf(days.pastUntil))] : []),
  ]
  const named = namedOf(query)
  const { values, valuesFromMs } = query
  const rows = await facts.query<CountedColumns>(
    'analytics.goalSums',
    `SELECT place, number, sum(new_hits) AS goal_hits, sum(new_sessions) AS goal_sessions, sum(was_hits) AS past_hits, sum(was_sessions) AS past_sessions
FROM (
${parts.map(({ sql }) => sql).join('\nUNION ALL\n')}
) WHERE ${named.sql} GROUP BY place, number
ORDER BY goal_sessions + past_sessions DESC LIMIT ${MOST_VALUES + 1} BY place, if(place = ${EDGES}, number, 0)`,
    {
      ...Object.assign({}, ...parts.map(({ params }) => params)),
      ...named.params,
      ...edges.params,
      past_until: days.pastUntil,
      ...(valuesFromMs !== undefined && values.length > 0 && { values_from_ms: valuesFromMs }),
    },
  )
  return cutPartsFrom(rows)
}
