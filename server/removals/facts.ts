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

async function hasRows(facts: Facts, table: string, { property, week }: { property: string; week: string }) {
  const rows = await facts.query(
    'removals.hasRows',
    `SELECT 1 AS one FROM ${table} WHERE property = {property:String} AND day >= {from:String} AND day < {to:String} LIMIT 1`,
    { property, from: week, to: storedDay(dayFromText(week) + DAYS_A_WEEK) },
  )
  return rows.length > 0
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

/** @param pause between two looks. @returns once none of the week is left. Done again, it changes nothing. */
export async function removeWeek(
  facts: Facts,
  { property, week }: { readonly property: string; readonly week: string },
  pause: () => Promise<void>,
): Promise<void> {
  if (!idShape.test(property)) throw new Error('this is no id of a property')
  const settled = async (): Promise<void> => {
    while (await isRewriting(facts, property)) await pause()
  }
  await settled()
  for (const table of tables) {
    if (!(await hasRows(facts, table, { property, week }))) continue
    await facts.command(
      'removals.removeWeek',
      `ALTER TABLE ${storedName(table, facts.layout)} DELETE IN PARTITION '${week}' WHERE property = '${property}'`,
    )
    await settled()
  }
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
