// Figures of sets of sessions, each from one pass over the facts: the summary, the top lists, the buckets of
// a graph, the live window. A question names its columns one by one: a fold reads a tuple whole, so a column
// too many is the dearest mistake here.
import { byName } from '../kernel/by-name.ts'
import { DAY_MS } from '../kernel/days.ts'
import type { Bucket, Span } from '../kernel/window.ts'
import { ofValidSession, boundsOf, type ScopeFacts, sessionRows, type SessionScope } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { foldedColumn, isCounted, plainColumns, type SessionColumn } from '../stores/session-columns.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { clauseColumns, clauseCondition, type Fragment, sameDays } from './clause-sql.ts'
import type { Clause } from './clauses.ts'
import { type Figures, figureNames, type FigureName, figureSources, noFigures } from './metrics.ts'
import { edgeSql, summedParts, summedTops } from './summed.ts'
import { readTop, TOP_ROWS, topOrder, type TopSet, topSets, type TopSetName, topSources } from './top-sets.ts'

/** Which sessions a question is about. */
export interface Scope {
  readonly propertyId: string
  readonly span: Span
  readonly clauses: readonly Clause[]
  /** True: sessions of bots, which no other answer has. Left out: of people. */
  readonly ofBots?: boolean
  /** For `judged`: bounces that began since then may still become none. Left out: all are over. */
  readonly openFromMs?: number
}

/**
 * The condition on rows of `sessions` read with FINAL, and what it binds. A session's day is that of its
 * entry.
 */
export async function sessionsOf(facts: Pick<Facts, 'hasMarks'>, scope: Scope): Promise<Fragment> {
  const people = isCounted(await facts.hasMarks(scope.propertyId))
  const clauses = clauseCondition(scope.clauses, foldedColumn)
  return {
    sql:
      `${sameDays} AND entry_at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND entry_at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')` +
      ` AND ${scope.ofBots ? 'is_bot = 1' : people} AND ${clauses.sql}`,
    params: { ...clauses.params, ...boundsOf(scope.propertyId, scope.span) },
  }
}

/** What rowsOf asks. */
export type RowFacts = Pick<Facts, 'query'> & ScopeFacts

/** The sessions of the scope, with these columns. */
export async function rowsOf(
  { settledDays, hasMarks, layout }: ScopeFacts,
  { propertyId, span, clauses, ofBots }: Scope,
  columns: readonly SessionColumn[],
): Promise<SessionScope> {
  const [settled, ofMarked] = await Promise.all([settledDays(), hasMarks(propertyId)])
  return sessionRows({
    settled,
    hasMarks: ofMarked,
    layout,
    bounds: boundsOf(propertyId, span),
    columns: [...columns, ...clauseColumns(clauses)],
    condition: clauseCondition(clauses, (name) => name),
    ofBots,
  })
}

export function figureColumns(names: readonly FigureName[]): string {
  return names.map((name) => `${figureSources[name].sql} AS figure_${name}`).join(', ')
}

export const columnsOf = (names: readonly FigureName[]): SessionColumn[] =>
  names.flatMap((name) => figureSources[name].columns)

export type FigureColumns = { readonly [Name in FigureName as `figure_${Name}`]?: string | number | null }

export const readFigures = (row: FigureColumns): Figures =>
  byName(figureNames, (name) => Number(row[`figure_${name}`] ?? 0))

export interface PartsQuery {
  /** Of the statement. */
  readonly name: string
  /** Ascending milliseconds; the first is the beginning of the span. */
  readonly edges: readonly number[]
  readonly figures: readonly FigureName[]
}

async function storedParts(facts: RowFacts, scope: Scope, figures: readonly FigureName[]): Promise<Fragment> {
  const { sql, params } = await rowsOf(facts, scope, ['entry_at', ...columnsOf(figures)])
  return { sql: `SELECT ${edgeSql}, ${figureColumns(figures)}\nFROM ${sql} GROUP BY edge`, params }
}

/**
 * Figures of the scope cut into consecutive parts, one for each edge: the part begins there and ends at the
 * next edge or the end of the span.
 */
export async function readParts(
  facts: RowFacts,
  scope: Scope,
  { name, edges, figures }: PartsQuery,
): Promise<Figures[]> {
  const openMs = scope.openFromMs ?? NEVER_MS
  const { sql, params } =
    (await summedParts(facts, scope, { edges, figures, openMs })) ?? (await storedParts(facts, scope, figures))
  const bounds = { edges, open_ms: openMs }
  const rows = await facts.query<FigureColumns & { edge: string }>(name, sql, { ...params, ...bounds })
  const byEdge = new Map(rows.map((row) => [Number(row.edge), readFigures(row)]))
  return edges.map((edge) => byEdge.get(edge) ?? noFigures)
}

/** Sessions that began in an hour, counted from 1970-01-01 00:00. */
export interface HourCount {
  readonly hour: number
  readonly sessions: number
}

/** The hours in which sessions of the scope began. */
export async function readHours(facts: RowFacts, scope: Scope): Promise<HourCount[]> {
  const from = await rowsOf(facts, scope, ['entry_at'])
  const rows = await facts.query<{ hour: number; sessions: string }>(
    'analytics.hours',
    `SELECT intDiv(toUnixTimestamp(entry_at), 3600) AS hour, count() AS sessions FROM ${from.sql} GROUP BY hour ORDER BY hour`,
    from.params,
  )
  return rows.map(({ hour, sessions }) => ({ hour, sessions: Number(sessions) }))
}

// ---------------------------------------------------------------- top lists

export interface TopRow {
  readonly value: string
  /** Of regions, cities and countries; '' otherwise. */
  readonly countryCode: string
  readonly sessions: number
}

export type TopLists = Readonly<Record<TopSetName, readonly TopRow[]>>

type TopColumns = Readonly<Record<string, string>> & { readonly set: string; readonly sessions: string }

/**
 * Every top list from one pass, each with its largest values (empty ones left out), equal counts in the order
 * of the value.
 */
export async function readTopLists(facts: RowFacts, scope: Scope, most: number = TOP_ROWS): Promise<TopLists> {
  const { sql, params } = (await summedTops(facts, scope, most)) ?? (await storedTops(facts, scope, most))
  const rows = await facts.query<TopColumns>('analytics.readTopLists', sql, params)
  const bySet = Map.groupBy(rows, (row) => Number(row.set))
  return Object.fromEntries(
    topSets.map((set) => [set.name, (bySet.get(set.mask) ?? []).flatMap((row) => topRow(row, set))]),
  ) as unknown as TopLists
}

async function storedTops(facts: RowFacts, scope: Scope, most: number): Promise<Fragment> {
  const { sql, params } = await rowsOf(facts, scope, topSources)
  return {
    sql: `SELECT grouping(${topSets.map(({ column }) => column).join(', ')}) AS set, ${topSets
      .map(({ column, sql }) => (sql === column ? column : `${sql} AS ${column}`))
      .join(', ')},
  count() AS sessions
FROM ${sql}
GROUP BY GROUPING SETS (${topSets.map(({ column }) => `(${column})`).join(', ')})
ORDER BY sessions DESC, ${topOrder} LIMIT ${most + 1} BY set`,
    params,
  }
}

function topRow(row: TopColumns, set: TopSet): TopRow[] {
  const listed = readTop(set, row['value'] ?? row[set.column] ?? '')
  return listed.value === '' ? [] : [{ ...listed, sessions: Number(row.sessions) }]
}

// ---------------------------------------------------------------- live

/** Sessions of the last minutes may have begun on the day before. */
const LIVE_LOOK_BACK_MS = DAY_MS

export const liveBounds = (propertyId: string, fromMs: number, toMs: number) => ({
  ...boundsOf(propertyId, { fromMs: fromMs - LIVE_LOOK_BACK_MS, toMs }),
  from_ms: fromMs,
})

/** What the loads of a bucket answer by themselves. */
const loadSql: Partial<Record<FigureName, string>> = { sessions: 'uniqExact(day, session)', views: 'count()' }

const isLive = `${sameDays} AND at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')`
const liveBucket = 'intDiv(toUnixTimestamp64Milli(at) - {from_ms:Int64}, {bucket_ms:Int64}) AS bucket'

/** One view that gives a bot away makes the whole session a bot; to find these no fold is needed. */
function liveLoads(figures: readonly FigureName[], hasMarks: boolean): string {
  const columns = figures.map((name) => `${loadSql[name]} AS figure_${name}`).join(', ')
  return `SELECT ${liveBucket}, ${columns} FROM views FINAL
WHERE ${isLive} AND (day, session) NOT IN (SELECT day, session FROM sessions WHERE ${sameDays} AND is_bot = 1)
  AND ${ofValidSession(hasMarks, 'day')} GROUP BY bucket`
}

/**
 * Each session stands once in each bucket that holds loads of it.
 * @param cell when they are counted by cell (shared-figures/cells.ts): its SQL.
 */
export function liveSessions(
  figures: readonly FigureName[],
  condition: string,
  hasMarks: boolean,
  cell?: string,
): string {
  const columns = figures.map(
    (name) => `${name === 'views' ? 'sum(loads)' : figureSources[name].sql} AS figure_${name}`,
  )
  const whole: SessionColumn[] = ['day', 'session', ...columnsOf(figures.filter((name) => name !== 'views'))]
  return `SELECT bucket, ${cell ? 'cell, count() AS there, ' : ''}${columns.join(', ')}
FROM (
  SELECT day, session, ${liveBucket}, count() AS loads FROM views FINAL WHERE ${isLive} GROUP BY day, session, bucket
) AS live INNER JOIN (
  SELECT ${plainColumns(whole)}${cell ? `, ${cell} AS cell` : ''}
  FROM sessions FINAL
  WHERE ${sameDays} AND ${isCounted(hasMarks)} AND (day, session) IN (SELECT day, session FROM views WHERE ${isLive}) AND ${condition}
) AS whole USING (day, session)
GROUP BY bucket${cell ? ', cell' : ''}`
}

/**
 * The condition on rows of `sessions` read with FINAL, without bots: those with a load within the span, which
 * may have begun on the day before.
 */
export async function liveSessionsOf(
  facts: Pick<Facts, 'hasMarks'>,
  { propertyId, span, clauses }: Scope,
): Promise<Fragment> {
  const condition = clauseCondition(clauses, foldedColumn)
  return {
    sql: `${sameDays} AND ${isCounted(await facts.hasMarks(propertyId))} AND (day, session) IN (SELECT day, session FROM views WHERE ${isLive}) AND ${condition.sql}`,
    params: {
      ...condition.params,
      ...liveBounds(propertyId, span.fromMs, span.toMs),
    },
  }
}

/** Sessions with a load within the span. */
export async function countLive(facts: Pick<Facts, 'query' | 'hasMarks'>, scope: Scope): Promise<number> {
  const where = await liveSessionsOf(facts, scope)
  const rows = await facts.query<{ sessions: string }>(
    'analytics.countLive',
    `SELECT count() AS sessions FROM sessions FINAL WHERE ${where.sql}`,
    where.params,
  )
  return Number(rows[0]?.sessions ?? 0)
}

/**
 * When the first person was seen, of the facts that are kept; undefined before. Rows are in the order of
 * their days.
 */
export async function readFirstView(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  propertyId: string,
): Promise<number | undefined> {
  const isValid = ofValidSession(await facts.hasMarks(propertyId), 'day')
  const people = `property = {property:String} AND is_bot = 0 AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') AND ${isValid}`
  const [row] = await facts.query<{ views: string; first_ms: string }>(
    'analytics.firstView',
    `SELECT count() AS views, toUnixTimestamp64Milli(min(at)) AS first_ms FROM views
WHERE ${people} AND day IN (SELECT day FROM views WHERE ${people} ORDER BY day LIMIT 1)`,
    { property: propertyId },
  )
  return Number(row?.views ?? 0) > 0 ? Number(row?.first_ms) : undefined
}

/**
 * Figures of each bucket: of the sessions with a load in it, `views` counting the loads in the bucket and the
 * rest the whole sessions.
 * @param buckets consecutive and of equal length.
 * @param figures those that the metrics of a graph need; the others stay 0.
 */
export async function readLive(
  facts: Pick<Facts, 'query' | 'hasMarks'>,
  { propertyId, clauses }: Omit<Scope, 'span'>,
  buckets: readonly Bucket[],
  figures: readonly FigureName[],
): Promise<Figures[]> {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) return []
  const condition = clauseCondition(clauses, foldedColumn)
  const bounds = liveBounds(propertyId, first.fromMs, last.toMs)
  const hasMarks = await facts.hasMarks(propertyId)
  const isOfLoads = clauses.length === 0 && figures.every((name) => name in loadSql)
  const rows = await facts.query<FigureColumns & { bucket: string }>(
    'analytics.readLive',
    isOfLoads ? liveLoads(figures, hasMarks) : liveSessions(figures, condition.sql, hasMarks),
    { ...condition.params, ...bounds, bucket_ms: first.toMs - first.fromMs },
  )
  const byBucket = new Map(rows.map((row) => [Number(row.bucket), readFigures(row)]))
  return buckets.map((_, index) => byBucket.get(index) ?? noFigures)
}
