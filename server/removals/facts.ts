// The facts of a property: how many there are, and how they go. A week of a table is rewritten without them,
// one after the other, so that nothing takes long and whoever asks for another property waits for nobody.
import { DAYS_A_WEEK, dayFromText, storedDay } from '../kernel/days.ts'
import type { Facts } from '../stores/facts.ts'
import { storedName } from '../stores/migrations/facts.ts'

/** In the order in which they go: what is folded after what it is folded from, marks last. */
const tables = [
  'views',
  'events',
  'clicks',
  'form_events',
  'impressions',
  'vitals',
  'lib_errors',
  'sessions',
  'marks',
] as const

/** Mondays with facts of the property, newest first: those whose weeks end before the day. */
export async function listWeeks(facts: Facts, property: string, beforeDay: string): Promise<string[]> {
  const days = tables.map((table) => `SELECT DISTINCT day FROM ${table} WHERE property = {property:String}`)
  const rows = await facts.query<{ week: string }>(
    'removals.listWeeks',
    `SELECT DISTINCT toString(toMonday(day)) AS week FROM (${days.join(' UNION ALL ')}) WHERE day < {before:String} ORDER BY week DESC`,
    { property, before: beforeDay },
  )
  const last = dayFromText(beforeDay) - DAYS_A_WEEK
  return rows.map(({ week }) => week).filter((week) => dayFromText(week) <= last)
}

/** A week of a property that goes. */
export interface GoingWeek {
  readonly property: string
  /** Its Monday, YYYY-MM-DD. */
  readonly week: string
  /** Milliseconds: what came later stays. Left out: all goes. */
  readonly untilMs?: number | undefined
}

/** When a row came, in milliseconds; undefined where it does not say, since it is folded from others. */
function cameAt(table: (typeof tables)[number]): string | undefined {
  if (table === 'sessions') return undefined
  if (table === 'marks') return 'intDiv(mark, 2)' // at least the time of the word (marks/facts.ts)
  // A ping has no `at`; a view that was pinged later has been there since its `at`.
  return `toUnixTimestamp64Milli(${table === 'views' ? 'least(at, seen)' : 'at'})`
}

/** Rows of the property that go, in whatever week. */
function goingSql(table: (typeof tables)[number], { property, untilMs }: GoingWeek): string {
  const at = untilMs === undefined ? undefined : cameAt(table)
  return `property = '${property}'${at === undefined ? '' : ` AND ${at} <= ${untilMs}`}`
}

async function hasRows(facts: Facts, table: (typeof tables)[number], going: GoingWeek): Promise<boolean> {
  const rows = await facts.query(
    'removals.hasRows',
    `SELECT 1 AS one FROM ${table} WHERE ${goingSql(table, going)} AND day >= {from:String} AND day < {to:String} LIMIT 1`,
    { from: going.week, to: storedDay(dayFromText(going.week) + DAYS_A_WEEK) },
  )
  return rows.length > 0
}

/** What sessions are folded from, and the column with the day of the session. */
const folded = [
  ['views', 'day'],
  ['events', 'day'],
  ['clicks', 'session_day'],
  ['form_events', 'session_day'],
  ['marks', 'day'],
] as const

/**
 * Sends what is left of a week through the folds once more: each takes a row once, so it changes nothing
 * else.
 */
async function foldAgain(facts: Facts, going: GoingWeek): Promise<void> {
  const { property, week } = going
  for (const [table, day] of folded) {
    const stored = storedName(table, facts.layout)
    // The only ones that are still to go.
    const isLeft = table === 'marks' ? `AND NOT (${goingSql(table, going)})` : ''
    // A click or a step of a form lies in the week of its own day, at most one after that of its session.
    await facts.command(
      'removals.foldAgain',
      `INSERT INTO ${stored} SELECT * FROM ${stored} WHERE property = '${property}'
AND toMonday(${day}) = '${week}' AND day >= toDate('${week}') - 1 AND day <= toDate('${week}') + ${DAYS_A_WEEK + 1} ${isLeft}`,
      'shard',
    )
  }
}

/**
 * Whether a rewriting that was begun before is still under way: a server may take longer than it is waited
 * for.
 */
async function isRewriting(facts: Facts, property: string): Promise<boolean> {
  const { cluster } = facts.layout
  const mutations = cluster ? `clusterAllReplicas('${cluster}', system.mutations)` : 'system.mutations'
  const rows = await facts.query(
    'removals.isRewriting',
    `SELECT 1 AS one FROM ${mutations} WHERE database = currentDatabase() AND NOT is_done AND position(command, {property:String}) > 0 LIMIT 1`,
    { property },
  )
  return rows.length > 0
}

const idShape = /^pr_\w+$/

/**
 * Sessions hold what goes and what stays in one, so all of a week go and those with something left are folded
 * anew: right after the engine was asked to rewrite the table, which leaves rows alone that come later.
 * @param pause between two looks.
 * @returns once none of the week is left. Done again, it changes nothing.
 */
export async function removeWeek(facts: Facts, going: GoingWeek, pause: () => Promise<void>): Promise<void> {
  if (!idShape.test(going.property)) throw new Error('this is no id of a property')
  const settled = async (): Promise<void> => {
    // A replica takes its moment to hear of it.
    if (facts.layout.isReplicated) await pause()
    while (await isRewriting(facts, going.property)) await pause()
  }
  await settled()
  for (const table of tables) {
    const isFoldedAgain = table === 'sessions' && going.untilMs !== undefined
    if (await hasRows(facts, table, going)) {
      await facts.command(
        'removals.removeWeek',
        `ALTER TABLE ${storedName(table, facts.layout)} DELETE IN PARTITION '${going.week}' WHERE ${goingSql(table, going)}`,
        'shard',
      )
    }
    if (isFoldedAgain) await foldAgain(facts, going)
    await settled()
  }
  // Whatever was asked while rows went is forgotten with every command: also what was asked of the last ones.
  await facts.command('removals.removeWeek', 'SELECT 1')
}

export interface Stored {
  readonly sessions: number
  readonly views: number
  readonly events: number
  readonly clicks: number
  readonly form_events: number
  readonly impressions: number
  readonly first_day: string | null
  readonly last_day: string | null
}

const counted = ['sessions', 'views', 'events', 'clicks', 'form_events', 'impressions'] as const

/** Bots and visitors alike, as often as they are stored. */
export async function countStored(facts: Facts, property: string): Promise<Stored> {
  const counts = counted.map(
    (table) =>
      `SELECT '${table}' AS name, toString(count()) AS rows, toString(min(day)) AS first, toString(max(day)) AS last FROM ${table} FINAL WHERE property = {property:String}`,
  )
  const rows = await facts.query<{ name: string; rows: string; first: string; last: string }>(
    'removals.countStored',
    counts.join(' UNION ALL '),
    { property },
  )
  const of = (name: string): number => Number(rows.find((row) => row.name === name)?.rows ?? 0)
  const filled = rows.filter((row) => row.rows !== '0')
  return {
    sessions: of('sessions'),
    views: of('views'),
    events: of('events'),
    clicks: of('clicks'),
    form_events: of('form_events'),
    impressions: of('impressions'),
    first_day: filled.map(({ first }) => first).toSorted()[0] ?? null,
    last_day:
      filled
        .map(({ last }) => last)
        .toSorted()
        .at(-1) ?? null,
  }
}
