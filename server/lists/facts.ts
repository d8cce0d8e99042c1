// One list of values with the sessions of each: a page of it, how many values there are, and all of them in
// slices. No value is part of the text of a statement; what is searched for is bound.
import { ratesOf } from '../rates/rates.ts'
import { channels } from '../enrich/enrich.ts'
import { type Fragment, sameDays } from '../analytics/clause-sql.ts'
import { dimensionOf, type ListId, targetOf } from '../analytics/dimensions.ts'
import { type Credit, creditedSql } from '../analytics/credit-sql.ts'
import {
  columnsOf,
  type FigureColumns,
  laterVisitsOf,
  readFigures,
  returningColumns,
  type RowFacts,
  rowsOf,
  type Scope,
  type TopRow,
} from '../analytics/facts.ts'
import { type HeldFacts, withHeld } from '../analytics/held.ts'
import { type GoalColumns, readGoalCounts } from '../analytics/goal-counts.ts'
import type { Cells } from '../shared-figures/cells.ts'
import type { CellOf } from '../shared-figures/facts.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { isTouchColumn, type TouchColumn } from '../stores/visit-columns.ts'
import {
  type Counted,
  countedByVisit,
  countedSql,
  figuresFor,
  isCostMetric,
  type RowMetricId,
  sortSql,
} from './row-metrics.ts'
import { withCosts } from './cost-rows.ts'
import { piecesOf, sharedList, sharedMany, sharedRows } from '../shared-figures/lists.ts'

export interface ListScope extends Scope {
  readonly id: ListId
  /** '' for all. */
  readonly search: string
  /** Counted of each value besides its sessions. */
  readonly metrics: readonly RowMetricId[]
  readonly sort: { readonly by: RowMetricId; readonly isAscending: boolean }
  /** Whose conversions are counted. */
  readonly credit?: Credit | undefined
  /** What advertising with each value cost, in minor units; left out where the list has none. */
  readonly costs?: ReadonlyMap<string, number> | undefined
  /** For a share link: the cells that decide which values it may show. */
  readonly ofShare?: SharedCells
}

/** The cells of a question that a share link asks, and how many sessions of the window each has. */
export interface SharedCells {
  readonly cell: CellOf
  readonly cells: Cells
}

/** Columns of a session that its value is read from. */
function valueColumns(id: ListId): readonly SessionColumn[] {
  const target = targetOf(id)
  if (target.on === 'tags') return ['tags']
  if (target.on === 'event') return ['day', 'session', 'has_event']
  if (target.on !== 'session') throw new Error(`there is no list of ${id}`)
  return dimensionOf(id).isPlace ? [target.column, 'country_code'] : [target.column]
}

/** The column whose values visits after the first one have of their own, where visits are counted. */
function touchOf({ id, metrics }: ListScope): TouchColumn | undefined {
  const target = targetOf(id)
  if (!metrics.includes('visits') || target.on !== 'session') return undefined
  return isTouchColumn(target.column) ? target.column : undefined
}

/** Columns that its figures are counted from. */
const countedColumns = ({ metrics, credit }: ListScope): readonly SessionColumn[] => [
  ...new Set<SessionColumn>([...columnsOf(figuresFor(metrics)), ...(credit ? (['day', 'session'] as const) : [])]),
]

/** What a list reads of a session. */
const columnsOfList = (scope: ListScope): readonly SessionColumn[] => [
  ...valueColumns(scope.id),
  ...countedColumns(scope),
  ...(touchOf(scope) ? returningColumns : []),
]

/** Rows of (listed, code) and what is counted, once for each session that has the value. */
async function rowsOfList(facts: RowFacts, scope: ListScope): Promise<Fragment> {
  const target = targetOf(scope.id)
  const counted = countedColumns(scope)
  const from = await rowsOf(facts, scope, columnsOfList(scope))
  const { params } = from
  const also = counted.map((name) => `, ${name}`).join('')
  if (target.on === 'tags')
    return { sql: `SELECT arrayJoin(tags) AS listed, '' AS code${also} FROM ${from.sql}`, params }
  if (target.on === 'event') {
    const listed = target.kind === 'pairs' ? `arrayJoin(${target.column})` : target.column
    const happened = `SELECT DISTINCT day, session, ${listed} AS listed, '' AS code FROM events FINAL
WHERE ${sameDays} AND kind = 'event' AND (day, session) IN (SELECT day, session FROM ${from.inSet} AND has_event = 1)`
    if (counted.length === 0) return { sql: happened, params }
    const own = [...new Set(['day', 'session', ...counted])].join(', ')
    return {
      sql: `SELECT listed, code${also} FROM (${happened}) AS happened
INNER JOIN (SELECT ${own} FROM ${from.sql} AND has_event = 1) AS whole USING (day, session)`,
      params,
    }
  }
  if (target.on !== 'session') throw new Error(`there is no list of ${scope.id}`)
  const code = dimensionOf(scope.id).isPlace ? 'country_code' : "''"
  return { sql: `SELECT ${target.column} AS listed, ${code} AS code${also} FROM ${from.sql}`, params }
}

/** Channels are found by what they are called, too. */
function searched({ id, search }: ListScope): Fragment {
  if (search === '') return { sql: "listed != ''", params: {} }
  const wanted = search.toLowerCase()
  const named = channels.filter(({ label }) => label.toLowerCase().includes(wanted)).map((channel) => channel.id)
  const contains = 'position(lowerUTF8(listed), lowerUTF8({search:String})) > 0'
  if (id !== 'channel') return { sql: `listed != '' AND ${contains}`, params: { search } }
  return { sql: `(${contains} OR listed IN {named:Array(String)})`, params: { search, named } }
}

/** Values that a share link may show. A search does not change which these are. */
async function sharedOf(facts: RowFacts, scope: ListScope, { cell, cells }: SharedCells): Promise<Fragment> {
  const target = targetOf(scope.id)
  const everybody = { ...scope, clauses: [] }
  if (target.on === 'session') {
    const list = sharedList(scope.id, target.column)
    const from = await rowsOf(facts, everybody, [...list.columns, ...cell.columns])
    const rows = `SELECT ${list.columns.join(', ')}, ${cell.sql} AS cell FROM ${from.sql}`
    return { sql: sharedRows(piecesOf(scope.id, list, rows)), params: { ...from.params, ...cell.params } }
  }
  if (target.on !== 'event') throw new Error(`a share link has no list of ${scope.id}`)
  const from = await rowsOf(facts, everybody, ['day', 'session', 'has_event', ...cell.columns])
  const pieces = `SELECT '' AS list, ${target.column} AS listed, '' AS code, cell, count() AS pieces FROM (
  SELECT DISTINCT day, session, ${target.column} FROM events FINAL WHERE ${sameDays} AND kind = 'event'
) AS happened INNER JOIN (
  SELECT day, session, ${cell.sql} AS cell FROM ${from.sql} AND has_event = 1
) AS whole USING (day, session) GROUP BY listed, cell`
  const ofCell = 'transform(cell, {cells:Array(UInt64)}, {of_cells:Array(UInt64)}, toUInt64(0))'
  // As numbers: as text in an array it would not be read as one.
  const numbers = [...cells.keys()].map(BigInt)
  const params = { ...from.params, ...cell.params, cells: numbers, of_cells: [...cells.values()] }
  return { sql: sharedMany(pieces, ofCell), params }
}

/** Values with their sessions, in no order. */
async function grouped(facts: RowFacts, scope: ListScope): Promise<Fragment> {
  return withCosts(scope, await groupedSessions(facts, scope), searched(scope))
}

async function groupedSessions(facts: RowFacts, scope: ListScope): Promise<Fragment> {
  const search = searched(scope)
  if (scope.ofShare) {
    const told = await sharedOf(facts, scope, scope.ofShare)
    const sql = `SELECT listed, code, sessions FROM (${told.sql}) WHERE ${search.sql}`
    return { sql, params: { ...told.params, ...search.params } }
  }
  const source = await rowsOfList(facts, scope)
  const credited = scope.credit && (await creditedSql(facts, scope, scope.credit))
  const joined = credited ? `AS whole LEFT JOIN (${credited.sql}) AS credited USING (day, session)` : ''
  const count = (counted: string) =>
    `SELECT listed, code, ${counted}\nFROM (${source.sql}) ${joined} WHERE ${search.sql} GROUP BY listed, code`
  const bound = { ...ratesOf(scope), open_ms: scope.openFromMs ?? NEVER_MS }
  const params = { ...source.params, ...search.params, ...credited?.params, ...bound }
  const [figures, touch] = [figuresFor(scope.metrics), touchOf(scope)]
  if (!touch) return { sql: count(countedSql(figures, credited !== undefined, scope.money)), params }
  const visits = await laterVisitsOf(facts, scope, [touch])
  const { ofSessions, ofVisits, ofBoth } = countedByVisit(figures, credited !== undefined, scope.money)
  return {
    sql: `SELECT listed, code, ${ofBoth} FROM (
${count(ofSessions)}
UNION ALL
SELECT listed, code, ${ofVisits} FROM (SELECT ${touch} AS listed, '' AS code FROM ${visits.sql}) WHERE ${search.sql} GROUP BY listed, code
) AS counted GROUP BY listed, code`,
    params: { ...params, ...visits.params },
  }
}

type ListedColumns = FigureColumns & GoalColumns

interface ListedRow extends ListedColumns {
  readonly listed: string
  readonly code: string
  readonly sessions: string
}

/** A value with what was counted of its sessions. */
export interface CountedRow extends TopRow, Counted {}

const toRow = ({ costs }: ListScope, row: ListedRow): CountedRow => ({
  cost: costs?.get(row.listed) ?? null,
  value: row.listed,
  countryCode: row.code,
  sessions: Number(row.sessions),
  figures: { ...readFigures(row), sessions: Number(row.sessions) },
  goal: readGoalCounts(row),
})

const BY_SESSIONS = 'sessions DESC, listed, code'

/** Values of which it is not known come last, whichever way it is sorted. */
function inOrder({ sort: { by, isAscending } }: ListScope): string {
  return `ORDER BY ${sortSql(by)} ${isAscending ? 'ASC' : 'DESC'} NULLS LAST, ${BY_SESSIONS}`
}

export interface ListPage {
  readonly rows: readonly CountedRow[]
  /** Values that there are. */
  readonly total: number
  /** Sessions of the window, with and without a value. */
  readonly sessions: number
}

interface Stretch {
  readonly offset: number
  readonly limit: number
}

/** As they are sorted; equal ones by sessions, then in the order of the value. */
export async function readListPage(facts: HeldFacts, scope: ListScope, page: Stretch): Promise<ListPage> {
  // What a share link may be told is cut out of all sessions of the window.
  if (scope.ofShare) return readPageOf(facts, scope, page)
  const held = { name: 'analytics.heldList', scope, columns: columnsOfList(scope) }
  return withHeld(facts, held, (own) => readPageOf(facts, own, page))
}

async function readPageOf(facts: RowFacts, scope: ListScope, page: Stretch): Promise<ListPage> {
  const { sql: rows, params } = await grouped(facts, scope)
  const [listed, total, sessions] = await Promise.all([
    facts.query<ListedRow>(
      'analytics.list',
      `SELECT * FROM (${rows}) ${inOrder(scope)} LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
      { ...params, ...page },
    ),
    countValues(facts, scope),
    countSessions(facts, scope),
  ])
  return { rows: listed.map((row) => toRow(scope, row)), total, sessions }
}

/** How many there are: for that alone nothing is counted of them. */
async function countValues(facts: RowFacts, scope: ListScope): Promise<number> {
  const metrics: RowMetricId[] = [
    ...(touchOf(scope) ? (['visits'] as const) : []),
    ...(scope.metrics.some(isCostMetric) ? (['cost'] as const) : []),
  ]
  const { sql, params } = await grouped(facts, { ...scope, metrics, credit: undefined })
  const [row] = await facts.query<{ total: string }>(
    'analytics.countList',
    `SELECT count() AS total FROM (${sql})`,
    params,
  )
  return Number(row?.total ?? 0)
}

export async function countSessions(facts: RowFacts, scope: Scope): Promise<number> {
  const from = await rowsOf(facts, scope, ['day'])
  const [row] = await facts.query<{ sessions: string }>(
    'analytics.countSessions',
    `SELECT count() AS sessions FROM ${from.sql}`,
    from.params,
  )
  return Number(row?.sessions ?? 0)
}

/** Rows of one statement: some megabytes of the longest values. */
const SLICE_ROWS = 10_000

/**
 * All of it, by sessions. What changes while it is read may be in it or not, and no value is there
 * twice at the same count.
 */
export async function* readWholeList(facts: RowFacts, scope: ListScope): AsyncGenerator<CountedRow[]> {
  for (let last: ListedRow | undefined; ;) {
    const after = last
      ? '(sessions < {after:UInt64} OR (sessions = {after:UInt64} AND (listed, code) > ({value:String}, {code:String})))'
      : '1'
    // Anew for each: a week may be settled, or touched, in between.
    const { sql: rows, params } = await grouped(facts, scope)
    const slice: ListedRow[] = await facts.query<ListedRow>(
      'analytics.listSlice',
      `SELECT * FROM (${rows}) WHERE ${after} ORDER BY ${BY_SESSIONS} LIMIT ${SLICE_ROWS}`,
      {
        ...params,
        ...(last && { after: last.sessions, value: last.listed, code: last.code }),
      },
    )
    yield slice.map((row) => toRow(scope, row))
    last = slice.at(-1)
    if (slice.length < SLICE_ROWS || !last) return
  }
}
