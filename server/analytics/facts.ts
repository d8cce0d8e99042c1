// Figures of sets of sessions, each from one pass over the facts: the summary, the top lists, the buckets of
// a graph, the live window. A question names its columns one by one: a fold reads a tuple whole, so a column
// too many is the dearest mistake here.
import { byName } from '../kernel/by-name.ts'
import type { Span } from '../kernel/window.ts'
import {
  ofValidSession,
  boundsOf,
  foldedDaysOf,
  knownOf,
  laterVisitRows,
  type ScopeFacts,
  sessionRows,
  type SessionScope,
} from '../sessions/sessions.ts'
import { type Currency, ratesOf } from '../rates/rates.ts'
import type { Facts, FactsLayout, HeldTables } from '../stores/facts.ts'
import { foldedColumn, isCounted, type SessionColumn } from '../stores/session-columns.ts'
import { type FactTable, NEVER_MS } from '../stores/tables.ts'
import type { TouchColumn } from '../stores/visit-columns.ts'
import { clauseColumns, clauseCondition, type Fragment, sameDays } from './clause-sql.ts'
import type { Clause } from './clauses.ts'
import { entryMs, namedEdges } from './edges.ts'
import { type Figures, figureNames, type FigureName, figureSources, figureSql, noFigures } from './metrics.ts'
import { summedParts } from './summed.ts'
import type { TopSetName } from './top-sets.ts'
import type { TopPass } from './top-pass.ts'

/** Which sessions a question is about. */
export interface Scope {
  readonly propertyId: string
  readonly span: Span
  readonly clauses: readonly Clause[]
  /** True: sessions of bots, which no other answer has. Left out: of people. */
  readonly ofBots?: boolean
  /** True: those that have events or a contact, and maybe others, of which nothing came. */
  readonly isEventful?: boolean
  /** For `judged`: bounces that began since then may still become none. Left out: all are over. */
  readonly openFromMs?: number
  /** In which money is told; left out: US cents. */
  readonly money?: Currency | undefined
  /** Where these sessions are kept for the question, with others of the same clauses (held.ts). */
  readonly held?: HeldSessions
  /** What one answer counts of them together (tops-facts.ts). */
  readonly pass?: TopPass
}

/** Sessions that began within the span. */
export interface HeldSessions {
  readonly tables: HeldTables
  readonly span: Span
  /** Of their rows (SessionScope). */
  readonly foldedDays: readonly string[] | undefined
}

const ofDays = 'day BETWEEN {day_from:Date} AND {day_to:Date}'
const isWithin =
  "entry_at >= fromUnixTimestamp64Milli({from_ms:Int64}, 'UTC') AND entry_at < fromUnixTimestamp64Milli({to_ms:Int64}, 'UTC')"

/**
 * The condition on rows of `sessions` read with FINAL, and what it binds. A session's day is that of its
 * entry.
 */
export async function sessionsOf(facts: Pick<Facts, 'hasMarks'>, scope: Scope): Promise<Fragment> {
  const people = isCounted(await facts.hasMarks(scope.propertyId))
  const clauses = clauseCondition(scope.clauses, foldedColumn)
  return {
    sql: `${sameDays} AND ${isWithin} AND ${scope.ofBots ? 'is_bot = 1' : people} AND ${clauses.sql}`,
    params: { ...clauses.params, ...boundsOf(scope.propertyId, scope.span) },
  }
}

/** What rowsOf asks. */
export type RowFacts = Pick<Facts, 'query'> & ScopeFacts

const isAllOf = ({ span }: Scope, { span: whole }: HeldSessions): boolean =>
  span.fromMs === whole.fromMs && span.toMs === whole.toMs

/** Sessions that are kept already: those of the span, which lies within that of what is kept. */
function heldRows(layout: FactsLayout, scope: Scope, held: HeldSessions) {
  const where = `AS sessions_of_window WHERE ${isAllOf(scope, held) ? '1' : `${ofDays} AND ${isWithin}`}`
  const { rows } = held.tables
  const onAll = layout.cluster ? `cluster('${layout.cluster}', view(SELECT * FROM ${rows}))` : rows
  return { sql: `${onAll} ${where}`, inSet: `${rows} ${where}`, params: { ...boundsOf(scope.propertyId, scope.span) } }
}

/**
 * The sessions of the scope, with these columns, as they are stored.
 * @param tableOf where facts are that its clauses look for (clauseCondition).
 */
export async function storedRows(
  facts: ScopeFacts,
  { propertyId, span, clauses, ofBots, isEventful }: Scope,
  columns: readonly SessionColumn[],
  tableOf?: (table: FactTable) => string,
): Promise<SessionScope> {
  const known = await knownOf(facts, propertyId, span)
  // Of bots there are no copies.
  const foldedDays = ofBots ? undefined : foldedDaysOf(known)
  const rows = sessionRows({
    ...known,
    columns: [...columns, ...clauseColumns(clauses)],
    condition: clauseCondition(clauses, (name) => name, { tableOf, foldedDays }),
    ofBots,
    isEventful,
  })
  return columns.includes('paths') ? { ...rows, foldedDays } : rows
}

/** The sessions of the scope, with these columns. */
export async function rowsOf(
  facts: ScopeFacts,
  scope: Scope,
  columns: readonly SessionColumn[],
): Promise<SessionScope> {
  const { held } = scope
  if (!held) return storedRows(facts, scope, columns)
  const hasMarks = await facts.hasMarks(scope.propertyId)
  return { hasMarks, foldedDays: held.foldedDays, ...heldRows(facts.layout, scope, held) }
}

/** The same for facts that are looked up in them: with `keys`, where they are kept. */
export async function rowsAndKeysOf(
  facts: ScopeFacts,
  scope: Scope,
  columns: readonly SessionColumn[],
): Promise<SessionScope> {
  const rows = await rowsOf(facts, scope, columns)
  return scope.held && isAllOf(scope, scope.held) ? { ...rows, keys: await scope.held.tables.keys } : rows
}

/** What laterVisitsOf reads of a session. */
export const returningColumns = ['day', 'session', 're_entries'] as const satisfies readonly SessionColumn[]

/**
 * Visits of the sessions of the scope after the first one of each, with these columns of their first touch.
 * With `isLinked` those that came through a link, and some others, which takes less.
 */
export async function laterVisitsOf(
  facts: RowFacts,
  scope: Scope,
  names: readonly TouchColumn[],
  { isLinked }: { readonly isLinked?: boolean } = {},
): Promise<Pick<SessionScope, 'sql' | 'params'>> {
  const visits = laterVisitRows(names, { ...(await knownOf(facts, scope.propertyId, scope.span)), isLinked })
  if (scope.clauses.length === 0) return visits
  const { keys, inSet, params } = await rowsAndKeysOf(facts, scope, returningColumns)
  const own = keys ?? `(SELECT day, session FROM ${inSet} AND re_entries > 0)`
  return { sql: `${visits.sql} AND (day, session) IN ${own}`, params: { ...params, ...visits.params } }
}

/** The statement also binds `ratesOf`. */
export function figureColumns(names: readonly FigureName[], money: Currency | undefined): string {
  return names.map((name) => `${figureSql(name, money)} AS figure_${name}`).join(', ')
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

async function storedParts(facts: RowFacts, scope: Scope, { edges, figures }: PartsQuery): Promise<Fragment> {
  const { sql, params } = await rowsOf(facts, scope, ['entry_at', ...columnsOf(figures)])
  const named = namedEdges(edges)
  return {
    sql: `SELECT ${named.of(entryMs)} AS edge, ${figureColumns(figures, scope.money)}\nFROM ${sql} GROUP BY edge`,
    params: { ...params, ...named.params },
  }
}

/**
 * Figures of the scope cut into consecutive parts, one for each edge: the part begins there and ends at the
 * next edge or the end of the span. Of edges at one time only the last one's part has a length.
 */
export async function readParts(facts: RowFacts, scope: Scope, query: PartsQuery): Promise<Figures[]> {
  const { name, edges, figures } = query
  const openMs = scope.openFromMs ?? NEVER_MS
  const { sql, params } =
    (await summedParts(facts, scope, { edges, figures, openMs })) ?? (await storedParts(facts, scope, query))
  const bounds = { open_ms: openMs, ...ratesOf(scope) }
  const rows = await facts.query<FigureColumns & { edge: string }>(name, sql, { ...params, ...bounds })
  const byEdge = new Map(rows.map((row) => [Number(row.edge), readFigures(row)]))
  return edges.map((edge, index) => (edges[index + 1] !== edge && byEdge.get(edge)) || noFigures)
}

// ---------------------------------------------------------------- top lists

export interface TopRow {
  readonly value: string
  /** Of regions, cities and countries; '' otherwise. */
  readonly countryCode: string
  readonly sessions: number
}

export type TopLists = Readonly<Record<TopSetName, readonly TopRow[]>>

/**
 * When the first person was seen, of the facts that are kept; undefined before. Rows are in the order of
 * their days, and of one day that is known before no others are read.
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
WHERE ${people} AND day = (SELECT day FROM views WHERE ${people} ORDER BY day LIMIT 1)`,
    { property: propertyId },
  )
  return Number(row?.views ?? 0) > 0 ? Number(row?.first_ms) : undefined
}
