// What is credited to sessions, told apart by when it was met: of settled days from what is added up there
// of the goal (stores/goal-sums.ts), where it is. The rest are sessions of the other days, and those of
// contacts, whose conversions are credited to the first session of each, whenever that was.
import type { Fragment } from '../analytics/clause-sql.ts'
import { creditedSql } from '../analytics/credit-sql.ts'
import type { Scope } from '../analytics/facts.ts'
import { summedGoal } from '../conversions/conversions.ts'
import { storedDay } from '../kernel/days.ts'
import { everySession, knownOf, onEachNode, type RowsQuery, summedDays, type Sums } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { goalComplete, goalContacts, goalKey, goalQuarters, goalSeconds, type SummedGoal } from '../stores/goal-sums.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { QUARTER_SECONDS } from '../stores/session-sums.ts'
import type { SettledDay } from '../stores/settled/settled.ts'
import {
  addGoalParts,
  type CountedColumns,
  type CutParts,
  cutPartsFrom,
  EDGES,
  type GoalQuery,
  lists,
  MOST_VALUES,
  namedOf,
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
  const { day_from, day_to } = known.bounds
  const asked = [...known.settled].flatMap(([day, held]) => (day >= day_from && day <= day_to ? [held] : []))
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

const hasSessions = ({ firstMs, lastMs }: SettledDay): boolean => firstMs <= lastMs

/** What is known of a goal, and whose it is. */
interface GoalSums {
  readonly goal: SummedGoal
  readonly known: Known
  readonly usable: ReadonlySet<SettledDay>
  /** Of the same days, with columns of sessions. */
  readonly of: (columns: RowsQuery['columns']) => Sums
}

/** @returns undefined where rows alone say it. */
async function openSums(facts: Facts, scope: Scope, query: GoalQuery): Promise<GoalSums | undefined> {
  const { propertyId, clauses, ofBots, span } = scope
  const goal = summedGoal(propertyId, query.credit.goal)
  if (!goal || clauses.length > 0 || ofBots) return undefined
  const known = unchanging(await knownOf(facts, propertyId, span))
  const sumsOf = (columns: RowsQuery['columns'], isUsable: (day: SettledDay) => boolean) =>
    summedDays({ ...known, columns, condition: everySession }, isUsable)
  const isSaid = saysIt(query)
  if (!sumsOf([], isSaid)) return undefined
  const usable = new Set([...(await daysAddedUp(facts, known, goal))].filter(isSaid))
  const of = (columns: RowsQuery['columns']) => sumsOf(columns, (day) => usable.has(day))
  if (!of([])?.days.some((day) => hasSessions(known.settled.get(day)!))) return undefined
  return { goal, known, usable, of: (columns) => of(columns)! }
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
function valuesFrom({ known, usable }: GoalSums, { valuesFromMs = 0 }: GoalQuery): string {
  const days = [...known.settled].filter(([, held]) => usable.has(held) && held.firstMs >= valuesFromMs)
  return days.map(([day]) => day).toSorted()[0] ?? storedDay(Infinity)
}

/** Days, YYYY-MM-DD. */
interface Days {
  /** The last one of the past. */
  readonly pastUntil: string
  readonly today: string
}

async function readSums(facts: Facts, sums: GoalSums, query: GoalQuery, { pastUntil }: Days): Promise<CutParts> {
  const { sql, params } = sums.of([])
  const cut = cutQuarters(query)
  const times = cut.length > 0 ? isTime : isWholeTime
  const also = `AND goal = {goal:String} AND (${query.values.length === 0 ? times : `${times} OR ${isValue}`})`
  const named = namedOf(query)
  const rows = await facts.query<CountedColumns>(
    'analytics.goalSums',
    `SELECT ${placeOf} AS place, if(place = ${EDGES}, roundDown(${timeOf}, {edges:Array(Int64)}), sums.number) AS number,
  sumIf(hits, day > {past_until:Date}) AS goal_hits, sumIf(sums.sessions, day > {past_until:Date}) AS goal_sessions,
  sumIf(hits, day <= {past_until:Date}) AS past_hits, sumIf(sums.sessions, day <= {past_until:Date}) AS past_sessions
FROM ${sql('settled_goals', ['day', 'list', 'number', 'hits', 'sessions'], also)} AS sums WHERE ${named.sql} GROUP BY place, number
ORDER BY goal_sessions + past_sessions DESC LIMIT ${MOST_VALUES + 1} BY place, if(place = ${EDGES}, number, 0)`,
    {
      ...params,
      ...named.params,
      goal: goalKey(sums.goal),
      edges: [...new Set(query.edges)],
      values_day: valuesFrom(sums, query),
      past_until: pastUntil,
      ...(cut.length > 0 && { cut_quarters: cut }),
    },
  )
  return cutPartsFrom(rows)
}

/** Sessions of contacts of the days that are added up, and what each of them met. */
function ofContacts({ goal, of }: GoalSums): { readonly met: Fragment; readonly openDays: readonly string[] } {
  const { sql, params, openDays } = of([])
  const columns = [
    'day AS met_day',
    'reinterpretAsUInt64(number) AS met_session',
    'hits AS met_hits',
    'toFloat64(0) AS met_cents',
  ]
  const also = `AND goal = {known_goal:String} AND list = '${goalContacts}'`
  return {
    met: {
      sql: `SELECT * FROM ${sql('settled_goals', columns, also)}`,
      params: { ...params, known_goal: goalKey(goal) },
    },
    openDays,
  }
}

/** Of days that are added up, those of contacts. */
const rowsBeside =
  ({ of }: GoalSums) =>
  (columns: readonly SessionColumn[]): Fragment => {
    const { rows, sql, params, joined } = of(columns)
    const names = columns.join(', ')
    const all = joined(`SELECT ${names} FROM ${rows.sql}`, `SELECT ${names} FROM ${sql('settled_contacts', columns)}`)
    return { sql: `(\n${all}\n) AS sessions_beside WHERE 1`, params }
  }

export async function readCreditedApart(facts: Facts, scope: Scope, query: GoalQuery, days: Days): Promise<CutParts> {
  const { credit } = query
  const sums = await openSums(facts, scope, query)
  if (!sums) return readCutParts(facts, scope, query, { credited: await creditedSql(facts, scope, credit, days) })
  // All statements have to mean the same days.
  const knowing: Facts = { ...facts, settledDays: async () => sums.known.settled }
  const credited = await creditedSql(knowing, scope, credit, { ...days, known: ofContacts(sums) })
  const [beside, summed] = await Promise.all([
    readCutParts(facts, scope, query, { credited, rows: rowsBeside(sums) }),
    readSums(facts, sums, query, days),
  ])
  return { past: addGoalParts(beside.past, summed.past), rest: addGoalParts(beside.rest, summed.rest) }
}
