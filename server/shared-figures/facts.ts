// What an answer to a share link is made of: figures and lists with the cells that say whether they may be
// told.
import { ratesOf } from '../rates/rates.ts'
import type { Bucket } from '../kernel/buckets.ts'
import type { Facts } from '../stores/facts.ts'
import { foldedColumn, plainColumns, type SessionColumn } from '../stores/session-columns.ts'
import { NEVER_MS } from '../stores/tables.ts'
import type { Fragment } from '../analytics/clause-sql.ts'
import type { Clause } from '../analytics/clauses.ts'
import { targetOf } from '../analytics/dimensions.ts'
import {
  columnsOf,
  figureColumns,
  type FigureColumns,
  type PartsQuery,
  readFigures,
  type RowFacts,
  rowsOf,
  type Scope,
  type TopLists,
  type TopRow,
} from '../analytics/facts.ts'
import { liveBounds, liveSessions, liveSessionsOf } from '../analytics/live-facts.ts'
import { type FigureName, noFigures } from '../analytics/metrics.ts'
import { cellSql, type ColumnSql, type Distinction, liesIn, mayBeShown, noPart, type Part } from './cells.ts'
import { piecesOf, sharedRows, sharedTops, topPieces } from './lists.ts'
import { TOP_ROWS, type TopSetName } from '../analytics/top-sets.ts'

/**
 * Sessions of which a question chooses some: what stands behind FROM, to which more conditions can be added
 * after AND.
 */
interface Source extends Fragment {
  readonly columnOf: ColumnSql
}

const everybody = (scope: Scope): Scope => ({ ...scope, clauses: [] })
const asNamed: ColumnSql = (name) => name

async function windowSource(facts: RowFacts, scope: Scope, columns: readonly SessionColumn[]): Promise<Source> {
  return { ...(await rowsOf(facts, everybody(scope), columns)), columnOf: asNamed }
}

async function liveSource(facts: Pick<Facts, 'hasMarks'>, scope: Scope): Promise<Source> {
  const { sql, params } = await liveSessionsOf(facts, everybody(scope))
  return { sql: `sessions FINAL WHERE ${sql}`, params, columnOf: foldedColumn }
}

/** More would be of a name that is nearly everywhere. */
const MOST_PLACES = 200

async function lyingOf(
  facts: Pick<Facts, 'query'>,
  { id, values }: Clause,
  sourceOf: (columns: readonly SessionColumn[]) => Promise<Source>,
): Promise<Distinction[]> {
  const known = liesIn(id)
  const target = targetOf(id)
  if (known.length === 0 || target.on !== 'session') return []
  const { sql, params, columnOf } = await sourceOf([target.column, ...known.map(({ column }) => column)])
  const lists = known.map(
    ({ column, sql: of }, index) => `groupUniqArray(${MOST_PLACES})(${of(columnOf(column))}) AS lies_${index}`,
  )
  const [row] = await facts.query<Readonly<Record<string, readonly string[]>>>(
    'analytics.liesIn',
    `SELECT ${lists.join(', ')} FROM ${sql} AND ${columnOf(target.column)} IN {named:Array(String)}`,
    { ...params, named: values },
  )
  return known.map((lying, index) => ({ ...lying, values: row?.[`lies_${index}`] ?? [] }))
}

/** The cells of the question, in sessions of its window. */
export async function cellsOf(facts: RowFacts, scope: Scope, columnOf: ColumnSql = asNamed) {
  const isLive = columnOf === foldedColumn
  const sourceOf = async (columns: readonly SessionColumn[]) =>
    isLive ? liveSource(facts, scope) : windowSource(facts, scope, columns)
  const known = await Promise.all(scope.clauses.map((clause) => lyingOf(facts, clause, sourceOf)))
  return cellSql(scope.clauses, known.flat(), columnOf)
}

export type CellOf = Awaited<ReturnType<typeof cellsOf>>

type CellRow = FigureColumns & { readonly cell: string; readonly chosen: number; readonly there: string }

/** Of the rows of one part: figures of the cells that are chosen, sessions of all. */
function partOf(rows: readonly CellRow[]): Part {
  const part = { figures: { ...noFigures }, cells: new Map<string, number>() }
  for (const row of rows) {
    part.cells.set(row.cell, Number(row.there))
    if (row.chosen !== 1) continue
    for (const [name, value] of Object.entries(readFigures(row))) part.figures[name as FigureName] += value
  }
  return part
}

async function readParts(facts: RowFacts, scope: Scope, cell: CellOf, ask: PartsQuery): Promise<Part[]> {
  const { name, edges, figures } = ask
  const from = await windowSource(facts, scope, ['entry_at', ...columnsOf(figures), ...cell.columns])
  const rows = await facts.query<CellRow & { edge: string }>(
    name,
    `SELECT roundDown(toUnixTimestamp64Milli(entry_at), {edges:Array(Int64)}) AS edge, ${cell.sql} AS cell, toUInt8(cell % 2) AS chosen,
  count() AS there, ${figureColumns(figures, scope.money)}
FROM ${from.sql} GROUP BY edge, cell`,
    { ...from.params, ...cell.params, ...ratesOf(scope), edges, open_ms: scope.openFromMs ?? NEVER_MS },
  )
  const byEdge = Map.groupBy(rows, (row) => Number(row.edge))
  return edges.map((edge) => partOf(byEdge.get(edge) ?? []))
}

/** As readParts (facts.ts), with the cells of each part. */
export async function readCellParts(facts: RowFacts, scope: Scope, ask: PartsQuery): Promise<Part[]> {
  return readParts(facts, scope, await cellsOf(facts, scope), ask)
}

/** Sessions of the window by cell. */
export async function readCells(facts: RowFacts, scope: Scope, cell: CellOf): Promise<Part> {
  const ask = { name: 'analytics.cells', edges: [scope.span.fromMs], figures: ['sessions'] } as const
  const [part] = await readParts(facts, scope, cell, ask)
  return part ?? noPart
}

// ---------------------------------------------------------------- lists

interface SharedRow {
  readonly list: string
  readonly listed: string
  readonly code: string
  readonly sessions: string
}

const toTopRow = ({ listed, code, sessions }: SharedRow): TopRow => ({
  value: listed,
  countryCode: code,
  sessions: Number(sessions),
})

const topColumns = [...new Set(Object.values(sharedTops).flatMap(({ columns }) => columns))]
const noTops = Object.fromEntries(Object.keys(sharedTops).map((name) => [name, []])) as unknown as TopLists

/** As readTopLists (analytics/facts.ts), of what a share link may show. */
export async function readSharedTops(facts: RowFacts, scope: Scope): Promise<TopLists> {
  const cell = await cellsOf(facts, scope)
  const { cells } = await readCells(facts, scope, cell)
  if (!mayBeShown(cells)) return noTops
  const { sql, params } = await windowSource(facts, scope, [...topColumns, ...cell.columns])
  const rows = await facts.query<SharedRow>(
    'analytics.readSharedTops',
    `${sharedRows(topPieces(`SELECT ${topColumns.join(', ')}, ${cell.sql} AS cell FROM ${sql}`))}
ORDER BY sessions DESC, listed, code LIMIT ${TOP_ROWS + 1} BY list`,
    { ...params, ...cell.params },
  )
  const byList = Map.groupBy(rows, ({ list }) => list)
  const tops = Object.keys(sharedTops).map((name) => [name, (byList.get(name) ?? []).map(toTopRow)])
  return Object.fromEntries(tops) as TopLists
}

// ---------------------------------------------------------------- who is here

/** Sessions that are here, by cell. */
export async function readLiveCells(facts: RowFacts, scope: Scope): Promise<Part> {
  const [cell, { sql, params }] = await Promise.all([cellsOf(facts, scope, foldedColumn), liveSource(facts, scope)])
  const rows = await facts.query<CellRow>(
    'analytics.liveCells',
    `SELECT ${cell.sql} AS cell, toUInt8(cell % 2) AS chosen, count() AS there, there AS figure_sessions FROM ${sql} GROUP BY cell`,
    { ...params, ...cell.params },
  )
  return partOf(rows)
}

/** As readLive (facts.ts), with the cells of each bucket. */
export async function readLiveParts(
  facts: RowFacts,
  { propertyId, clauses }: Omit<Scope, 'span'>,
  buckets: readonly Bucket[],
  figures: readonly FigureName[],
): Promise<Part[]> {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (!first || !last) return []
  const scope = { propertyId, clauses, span: { fromMs: first.fromMs, toMs: last.toMs } }
  const [cell, hasMarks] = await Promise.all([cellsOf(facts, scope, foldedColumn), facts.hasMarks(propertyId)])
  const bounds = liveBounds(propertyId, first.fromMs, last.toMs)
  const rows = await facts.query<CellRow & { bucket: string }>(
    'analytics.readLiveParts',
    `SELECT *, toUInt8(cell % 2) AS chosen FROM (${liveSessions(figures, '1', hasMarks, cell.sql)})`,
    { ...cell.params, ...bounds, bucket_ms: first.toMs - first.fromMs },
  )
  const byBucket = Map.groupBy(rows, (row) => Number(row.bucket))
  return buckets.map((_, index) => partOf(byBucket.get(index) ?? []))
}

/** Rows of a list of who is here. */
export async function readSharedLive(
  facts: RowFacts,
  scope: Scope,
  name: TopSetName,
  limit: number,
): Promise<TopRow[]> {
  const list = sharedTops[name]
  const [cell, { sql, params }] = await Promise.all([cellsOf(facts, scope, foldedColumn), liveSource(facts, scope)])
  const rows = await facts.query<SharedRow>(
    'analytics.readSharedLive',
    `${sharedRows(piecesOf(name, list, `SELECT ${plainColumns(list.columns)}, ${cell.sql} AS cell FROM ${sql}`))}
ORDER BY sessions DESC, listed, code LIMIT ${limit}`,
    { ...params, ...cell.params },
  )
  return rows.map(toTopRow)
}
