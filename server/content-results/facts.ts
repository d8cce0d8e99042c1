// Views and successes of a phase, added up by version (docs/definitions.md, "Content"). Without bots, except
// where bots are named.
import { dayOf, storedDay } from '../kernel/days.ts'
import { ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import type { GoalRows } from './goals.ts'

/** The phase of a block that is queried, and when it was. */
export interface PhaseRef {
  readonly propertyId: string
  readonly blockId: string
  readonly number: number
  readonly startedMs: number
  /** For the current phase: now. */
  readonly endedMs: number
  /** Ids of the versions that were active in it: figures cover these alone. */
  readonly versions: readonly string[]
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
  /** Mean over the views that reported one; null when none did. */
  readonly dwellMs: number | null
}

export interface PhaseFigures {
  readonly byVersion: ReadonlyMap<string, VersionFigures>
  readonly bots: Interactions
}

export const noFigures: VersionFigures = { n: 0, goals: 0, views: 0, clicks: 0, dwellMs: null }

/**
 * The day of a session is that of the visit, or the one before when it continued over midnight; the clocks of
 * nodes differ by less than a day.
 */
function bindPhase({ propertyId, blockId, number, startedMs, endedMs, versions }: PhaseRef) {
  const day = (timeMs: number, by: number) => storedDay(dayOf(timeMs) + by)
  return {
    property: propertyId,
    block: blockId,
    phase: number,
    day_from: day(startedMs, -1),
    day_to: day(endedMs, 1),
    never: NEVER_MS,
    versions,
  }
}

const ofBlock = 'property = {property:String} AND block = {block:String}'

/** More versions than a block can have. */
const PLACES = 1024

/**
 * One row per session that saw the phase, without bots: time and version of its first view as one number,
 * since there may be millions of such rows and texts would not fit into memory; and when it first saw a later
 * phase. What it does from then on belongs to that phase, so that no success counts for two. FINAL is not
 * needed: repeated views do not change the smallest time.
 */
const seenSql = (phases: '=' | '>=', hasMarks: boolean) => `SELECT session_day, session,
  minIf(toUnixTimestamp64Milli(at) * ${PLACES} + indexOf({versions:Array(String)}, version), phase = {phase:UInt32}) AS first_view,
  minIf(toUnixTimestamp64Milli(at), phase > {phase:UInt32} AND is_bot = 0) AS later
FROM impressions
WHERE ${ofBlock} AND phase ${phases} {phase:UInt32} AND kind = 'view' AND session_day BETWEEN {day_from:Date} AND {day_to:Date}
  AND ${ofValidSession(hasMarks, 'session_day')}
GROUP BY session_day, session HAVING countIf(phase = {phase:UInt32}) > 0 AND maxIf(is_bot, phase = {phase:UInt32}) = 0`

const seenVersion = `arrayElement({versions:Array(String)}, first_view % ${PLACES})`

type Query = Pick<Facts, 'query' | 'hasMarks'>
type Counts = ReadonlyMap<string, number>

const toCounts = (rows: readonly { version: string; sessions: string }[]): Counts =>
  new Map(rows.map(({ version, sessions }) => [version, Number(sessions)]))

async function countSessions(facts: Query, phase: PhaseRef): Promise<Counts> {
  const rows = await facts.query<{ version: string; sessions: string }>(
    'content.countSessions',
    `SELECT ${seenVersion} AS version, count() AS sessions FROM (${seenSql('=', await facts.hasMarks(phase.propertyId))}) GROUP BY version`,
    bindPhase(phase),
  )
  return toCounts(rows)
}

/** Joined by session: in a cluster all rows of a session are on one node, so every node adds up the same. */
async function countGoals(facts: Query, phase: PhaseRef, goal: GoalRows): Promise<Counts> {
  const isAfter = `toUnixTimestamp64Milli(reached.at) BETWEEN intDiv(first_view, ${PLACES}) AND if(later = 0, {never:Int64}, later) - 1`
  const seen = seenSql(goal.isAfterView ? '>=' : '=', await facts.hasMarks(phase.propertyId))
  const rows = await facts.query<{ version: string; sessions: string }>(
    'content.countGoals',
    `SELECT ${seenVersion} AS version, uniqExact(reached.session_day, reached.session) AS sessions
FROM (SELECT ${goal.day === 'day' ? 'day AS session_day' : 'session_day'}, session, at FROM ${goal.table} ${goal.isFolded ? 'FINAL' : ''}
  WHERE property = {property:String} AND ${goal.day} BETWEEN {day_from:Date} AND {day_to:Date} AND ${goal.sql}) AS reached
INNER JOIN (${seen}) AS seen ON reached.session_day = seen.session_day AND reached.session = seen.session
${goal.isAfterView ? `WHERE ${isAfter}` : ''} GROUP BY version`,
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
  const isValid = ofValidSession(await facts.hasMarks(phase.propertyId), 'session_day')
  return facts.query(
    'content.countInteractions',
    `SELECT version, is_bot, countIf(kind = 'view') AS views, countIf(kind = 'click') AS clicks,
  avgOrNullIf(dwell_ms, kind = 'view' AND dwell_ms > 0) AS dwell_ms
FROM impressions FINAL WHERE ${ofBlock} AND phase = {phase:UInt32}
  AND (is_bot = 1 OR ${isValid}) GROUP BY version, is_bot`,
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
        // A row that arrives between the two queries may be in one of them only.
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
