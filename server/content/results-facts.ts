// What visitors saw of a phase and did with it, added up by version (docs/definitions.md, "Content"). People alone, but where bots are named.
import { dayOf, dayText } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import type { GoalRows } from './goals.ts'

/** The phase of a block that is asked about, and when it was. */
export interface PhaseRef {
  readonly propertyId: string
  readonly blockId: string
  readonly number: number
  readonly startedMs: number
  /** Of a phase that counts now: now. */
  readonly endedMs: number
}

export interface Interactions {
  readonly views: number
  readonly clicks: number
}

export interface VersionFigures extends Interactions {
  /** Sessions that saw it. */
  readonly n: number
  /** Those of them that reached the goal. */
  readonly goals: number
  /** Mean of the views that told one; null when none did. */
  readonly dwellMs: number | null
}

export interface PhaseFigures {
  readonly byVersion: ReadonlyMap<string, VersionFigures>
  readonly bots: Interactions
}

export const noFigures: VersionFigures = { n: 0, goals: 0, views: 0, clicks: 0, dwellMs: null }

/** The last day that a `Date` can hold, 2149-06-06. */
const LAST_DAY = 65_535

/** The day of a session is that of the visit or the one before it, carried over midnight; clocks of nodes differ by less than a day. */
function bindPhase({ propertyId, blockId, number, startedMs, endedMs }: PhaseRef) {
  const day = (timeMs: number, by: number) => dayText(Math.min(Math.max(0, dayOf(timeMs) + by), LAST_DAY))
  return {
    property: propertyId,
    block: blockId,
    phase: number,
    day_from: day(startedMs, -1),
    day_to: day(endedMs, 1),
    never: NEVER_MS,
  }
}

const ofBlock = 'property = {property:String} AND block = {block:String}'

/**
 * One row a session that saw the phase: the version that it saw first, when, and when it saw a later phase. What it does from then on
 * belongs to that one: no success counts for two phases.
 */
const seenSql = `SELECT session_day, session, argMinIf(version, (at, version), phase = {phase:UInt32}) AS seen_version,
  minIf(at, phase = {phase:UInt32}) AS seen_at,
  ifNull(minOrNullIf(at, phase > {phase:UInt32}), fromUnixTimestamp64Milli({never:Int64}, 'UTC')) AS left_at
FROM impressions FINAL
WHERE ${ofBlock} AND phase >= {phase:UInt32} AND kind = 'view' AND is_bot = 0 AND session_day BETWEEN {day_from:Date} AND {day_to:Date}
GROUP BY session_day, session HAVING countIf(phase = {phase:UInt32}) > 0`

const seenWithoutLater = seenSql.replace('phase >= {phase:UInt32}', 'phase = {phase:UInt32}')

type Query = Pick<Facts, 'query'>
type Counts = ReadonlyMap<string, number>

const toCounts = (rows: readonly { version: string; sessions: string }[]): Counts =>
  new Map(rows.map(({ version, sessions }) => [version, Number(sessions)]))

async function countSessions(facts: Query, phase: PhaseRef): Promise<Counts> {
  const rows = await facts.query<{ version: string; sessions: string }>(
    'content.countSessions',
    `SELECT seen_version AS version, count() AS sessions FROM (${seenWithoutLater}) GROUP BY version`,
    bindPhase(phase),
  )
  return toCounts(rows)
}

/** Joined by session: in a cluster the rows of a session are on one node, and whichever node adds up gets the same. */
async function countGoals(facts: Query, phase: PhaseRef, goal: GoalRows): Promise<Counts> {
  const when = goal.isAfterView ? 'WHERE reached.at >= seen.seen_at AND reached.at < seen.left_at' : ''
  const rows = await facts.query<{ version: string; sessions: string }>(
    'content.countGoals',
    `SELECT seen.seen_version AS version, uniqExact(reached.session_day, reached.session) AS sessions
FROM (SELECT ${goal.day === 'day' ? 'day AS session_day' : 'session_day'}, session, at FROM ${goal.table} FINAL
  WHERE property = {property:String} AND ${goal.day} BETWEEN {day_from:Date} AND {day_to:Date} AND ${goal.sql}) AS reached
INNER JOIN (${seenSql}) AS seen ON reached.session_day = seen.session_day AND reached.session = seen.session
${when} GROUP BY version`,
    { ...goal.params, ...bindPhase(phase) },
  )
  return toCounts(rows)
}

interface InteractionRow {
  readonly version: string
  readonly is_bot: number
  readonly views: string
  readonly clicks: string
  readonly dwell_ms: number | null
}

async function countInteractions(facts: Query, phase: PhaseRef): Promise<InteractionRow[]> {
  return facts.query(
    'content.countInteractions',
    `SELECT version, is_bot, countIf(kind = 'view') AS views, countIf(kind = 'click') AS clicks,
  avgOrNullIf(dwell_ms, kind = 'view' AND dwell_ms > 0) AS dwell_ms
FROM impressions FINAL WHERE ${ofBlock} AND phase = {phase:UInt32} GROUP BY version, is_bot`,
    bindPhase(phase),
  )
}

const sumOf = (rows: readonly InteractionRow[], what: 'views' | 'clicks') =>
  rows.reduce((sum, row) => sum + Number(row[what]), 0)

/** @param goal undefined: nothing reaches it. */
export async function readPhaseFigures(
  facts: Query,
  phase: PhaseRef,
  goal: GoalRows | undefined,
): Promise<PhaseFigures> {
  const [rows, sessions, goals] = await Promise.all([
    countInteractions(facts, phase),
    countSessions(facts, phase),
    goal ? countGoals(facts, phase, goal) : new Map<string, number>(),
  ])
  const ofPeople = rows.filter(({ is_bot }) => is_bot === 0)
  const byVersion = ofPeople.map(({ version, views, clicks, dwell_ms }): [string, VersionFigures] => {
    const n = sessions.get(version) ?? 0
    return [
      version,
      {
        n,
        // What arrives between the questions may be in one alone.
        goals: Math.min(goals.get(version) ?? 0, n),
        views: Number(views),
        clicks: Number(clicks),
        dwellMs: dwell_ms === null ? null : Math.round(dwell_ms),
      },
    ]
  })
  const ofBots = rows.filter(({ is_bot }) => is_bot === 1)
  return {
    byVersion: new Map(byVersion),
    bots: { views: sumOf(ofBots, 'views'), clicks: sumOf(ofBots, 'clicks') },
  }
}
