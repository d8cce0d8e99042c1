// Pages as they were seen by the sessions of a window: each with its views, visitors, time, scroll, entries
// and exits, by itself or by the folder that it lies in. docs/definitions.md, "Top pages".
import { type Fragment, sameDays } from '../analytics/clause-sql.ts'
import { type RowFacts, rowsAndKeysOf, type Scope } from '../analytics/facts.ts'
import { type HeldFacts, withHeld } from '../analytics/held.ts'
import { sumsOf } from '../analytics/summed.ts'
import { keysOf, ofValidSession, type SessionScope, type Sums } from '../sessions/sessions.ts'
import { isLoaded, pageSumNames, pageSums } from '../stores/page-sums.ts'
import type { SessionColumn } from '../stores/session-columns.ts'

/** Over the row of a page; null where it is not known of any view. Rounded, so that what looks equal is. */
const metrics = {
  views: 'sum(loads)',
  visitors: 'sum(sessions)',
  time: 'if(sum(timed) = 0, NULL, floor(sum(seconds_sum) / sum(timed) + 0.5))',
  scroll: 'if(sum(scrolled) = 0, NULL, floor(sum(scroll_sum) / sum(scrolled) + 0.5))',
  entries: 'sum(entered)',
  exits: 'sum(left_from)',
} as const

export type PageMetricId = keyof typeof metrics
export const pageMetricIds = Object.keys(metrics) as PageMetricId[]

export interface PageScope extends Scope {
  /** '' for all. */
  readonly search: string
  /** Folders of so many parts of the path; null for whole paths. */
  readonly depth: number | null
  readonly sort: { readonly by: PageMetricId; readonly isAscending: boolean }
}

type KnownId = 'time' | 'scroll'

export interface PageRow
  extends Readonly<Record<Exclude<PageMetricId, KnownId>, number>>, Readonly<Record<KnownId, number | null>> {
  readonly path: string
}

const columns = ['day', 'session', 'entry_path', 'exit_path'] as const satisfies readonly SessionColumn[]

/** `/blog/` of `/blog/a/b`, with a depth of one; a page that lies in no folder so deep stands by itself. */
function listedAs(path: string, depth: number | null): string {
  if (depth === null) return path
  const parts = `splitByChar('/', ${path})`
  return `if(length(${parts}) > {depth:UInt8} + 1, concat(arrayStringConcat(arraySlice(${parts}, 1, {depth:UInt8} + 1), '/'), '/'), ${path})`
}

/** The sessions of the scope, and what those of settled days add up to, where nothing is asked of them. */
interface Source {
  /** Those that are read one by one. */
  readonly from: SessionScope
  readonly sums: Sums | undefined
}

/** Whoever saw two pages of a folder saw one folder: sums of pages tell nothing of folders. */
async function sourceOf(facts: RowFacts, scope: PageScope): Promise<Source> {
  const sums = scope.depth === null ? await sumsOf(facts, scope, columns) : undefined
  return { sums, from: sums?.rows ?? (await rowsAndKeysOf(facts, scope, columns)) }
}

/**
 * That views are of the sessions that are read one by one. Without a clause these are all people of the days:
 * only those of the days at either end, which may have begun before or after the window, are looked up.
 */
function ofSessions(scope: Scope, { from, sums }: Source): string {
  if (scope.clauses.length > 0)
    return `(day, session) IN ${keysOf(from, `SELECT day, session FROM views WHERE ${sameDays}`)}`
  const open = sums ? `${sameDays} AND day NOT IN {summed_days:Array(Date)}` : sameDays
  const atEnds = 'day IN ({day_from:Date}, {day_to:Date})'
  const bots = `SELECT day, session FROM sessions WHERE ${open} AND is_bot = 1`
  return `${open} AND (day, session) NOT IN (${bots}) AND ${ofValidSession(from.hasMarks, 'day')}
  AND (NOT ${atEnds} OR (day, session) IN (SELECT day, session FROM ${from.inSet} AND ${atEnds}))`
}

/** What each source of rows counts; the others are 0 there. */
function counting(own: Readonly<Record<string, string>>): string {
  const zero = { loads: 0, sessions: 0, timed: 0, seconds_sum: 0, scrolled: 0, scroll_sum: 0, entered: 0, left_from: 0 }
  return Object.entries({ ...zero, ...own })
    .map(([name, sql]) => `toInt64(${sql}) AS ${name}`)
    .join(', ')
}

/** Of settled days: the same, added up. */
function summedRows({ sums }: Source): readonly string[] {
  if (!sums) return []
  const added = ['sessions', ...pageSumNames]
  const ofPages = counting(Object.fromEntries(added.map((name) => [name, `sum(sums.${name})`])))
  const [entered, left_from] = ['entry_path', 'exit_path'].map((list) => `sumIf(sums.sessions, sums.list = '${list}')`)
  return [
    `SELECT path AS listed, ${ofPages} FROM ${sums.sql('settled_pages', ['path', ...added])} AS sums GROUP BY listed`,
    `SELECT value AS listed, ${counting({ entered: entered!, left_from: left_from! })}
  FROM ${sums.sql('settled_values', ['list', 'value', 'sessions'])} AS sums WHERE list IN ('entry_path', 'exit_path') GROUP BY listed`,
  ]
}

/** Of sessions that are read one by one, where there may be some. */
function countedRows(scope: PageScope, source: Source): readonly string[] {
  const { from, sums } = source
  if (sums && !sums.hasRows) return []
  const listed = (path: string) => `${listedAs(path, scope.depth)} AS listed`
  return [
    `SELECT ${listed('path')}, ${counting({ ...pageSums, sessions: 'uniqExact(day, session)' })} FROM views FINAL
  WHERE ${sameDays} AND ${isLoaded} AND ${ofSessions(scope, source)} GROUP BY listed`,
    `SELECT ${listed('toString(entry_path)')}, ${counting({ entered: 'count()' })} FROM ${from.sql} GROUP BY listed`,
    `SELECT ${listed('toString(exit_path)')}, ${counting({ left_from: 'count()' })} FROM ${from.sql} GROUP BY listed`,
  ]
}

async function grouped(facts: RowFacts, scope: PageScope): Promise<Fragment> {
  const { depth, search } = scope
  const source = await sourceOf(facts, scope)
  const { from, sums } = source
  const found = search === '' ? '1' : 'position(lowerUTF8(listed), lowerUTF8({search:String})) > 0'
  const shown = pageMetricIds.map((id) => `${metrics[id]} AS metric_${id}`).join(', ')
  const params = { ...from.params, ...sums?.params, ...(sums && { summed_days: sums.days }) }
  return {
    sql: `SELECT listed, ${shown} FROM (
  ${[...countedRows(scope, source), ...summedRows(source)].join('\n  UNION ALL\n  ')}
) WHERE listed != '' AND ${found} GROUP BY listed HAVING metric_views > 0`,
    params: { ...params, search, depth: depth ?? 0 },
  }
}

type Columns = Readonly<Record<`metric_${PageMetricId}`, string | number | null>> & { readonly listed: string }

const toRow = (row: Columns): PageRow => {
  const figures = pageMetricIds.map((id) => [id, row[`metric_${id}`] === null ? null : Number(row[`metric_${id}`])])
  return { path: row.listed, ...(Object.fromEntries(figures) as Omit<PageRow, 'path'>) }
}

export interface PageList {
  readonly rows: readonly PageRow[]
  /** Pages that there are. */
  readonly total: number
}

async function countPages(facts: RowFacts, scope: PageScope): Promise<number> {
  const { sql, params } = await grouped(facts, scope)
  const [row] = await facts.query<{ total: string }>(
    'analytics.countPages',
    `SELECT count() AS total FROM (${sql})`,
    params,
  )
  return Number(row?.total ?? 0)
}

/** @param limit of rows. Equal ones go by views, then by path. */
export async function readPages(
  facts: HeldFacts,
  scope: PageScope,
  page: { readonly offset: number; readonly limit: number },
): Promise<PageList> {
  const { by, isAscending } = scope.sort
  const inOrder = `ORDER BY metric_${by} ${isAscending ? 'ASC' : 'DESC'} NULLS LAST, metric_views DESC, listed`
  return withHeld(facts, { name: 'analytics.heldPages', scope, columns }, async (own) => {
    const { sql, params } = await grouped(facts, own)
    const rows = await facts.query<Columns & { readonly total: string }>(
      'analytics.pages',
      `SELECT *, count() OVER () AS total FROM (${sql}) ${inOrder} LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
      { ...params, ...page },
    )
    const isBeyond = rows.length === 0 && page.offset > 0
    return { rows: rows.map(toRow), total: isBeyond ? await countPages(facts, own) : Number(rows[0]?.total ?? 0) }
  })
}
