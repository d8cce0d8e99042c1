// Pages as they were seen by the sessions of a window: each with its views, visitors, time, scroll, entries
// and exits, by itself or by the folder that it lies in. docs/definitions.md, "Top pages".
import { type Fragment, sameDays } from '../analytics/clause-sql.ts'
import { type RowFacts, rowsOf, type Scope } from '../analytics/facts.ts'
import { type HeldFacts, withHeld } from '../analytics/held.ts'
import { keysOf, ofValidSession } from '../sessions/sessions.ts'
import type { SessionColumn } from '../stores/session-columns.ts'
import { NEVER_MS } from '../stores/tables.ts'

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

/**
 * That views are of the sessions of the scope. Without a clause these are all people of the days: only those
 * of the days at either end, which may have begun before or after the window, are looked up one by one.
 */
async function ofSessions(facts: RowFacts, scope: Scope): Promise<Fragment> {
  const from = await rowsOf(facts, scope, columns)
  if (scope.clauses.length > 0) {
    const keys = keysOf(from, `SELECT day, session FROM views WHERE ${sameDays}`)
    return { sql: `(day, session) IN ${keys}`, params: from.params }
  }
  const atEnds = 'day IN ({day_from:Date}, {day_to:Date})'
  const bots = `SELECT day, session FROM sessions WHERE ${sameDays} AND is_bot = 1`
  return {
    sql: `(day, session) NOT IN (${bots}) AND ${ofValidSession(from.hasMarks, 'day')}
  AND (NOT ${atEnds} OR (day, session) IN (SELECT day, session FROM ${from.inSet} AND ${atEnds}))`,
    params: from.params,
  }
}

/** What each source of rows counts; the others are 0 there. */
function counting(own: Readonly<Record<string, string>>): string {
  const zero = { loads: 0, sessions: 0, timed: 0, seconds_sum: 0, scrolled: 0, scroll_sum: 0, entered: 0, left_from: 0 }
  return Object.entries({ ...zero, ...own })
    .map(([name, sql]) => `toInt64(${sql}) AS ${name}`)
    .join(', ')
}

async function grouped(facts: RowFacts, scope: PageScope): Promise<Fragment> {
  const { depth, search } = scope
  const [from, mine] = await Promise.all([rowsOf(facts, scope, columns), ofSessions(facts, scope)])
  const ofViews = counting({
    loads: 'count()',
    sessions: 'uniqExact(day, session)',
    timed: 'countIf(seconds > 0)',
    seconds_sum: 'sum(seconds)',
    scrolled: 'countIf(scroll >= 0)',
    scroll_sum: 'sumIf(scroll, scroll >= 0)',
  })
  const found = search === '' ? '1' : 'position(lowerUTF8(listed), lowerUTF8({search:String})) > 0'
  const shown = pageMetricIds.map((id) => `${metrics[id]} AS metric_${id}`).join(', ')
  return {
    sql: `SELECT listed, ${shown} FROM (
  SELECT ${listedAs('path', depth)} AS listed, ${ofViews} FROM views FINAL
  WHERE ${sameDays} AND at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC') AND ${mine.sql} GROUP BY listed
  UNION ALL
  SELECT ${listedAs('toString(entry_path)', depth)} AS listed, ${counting({ entered: 'count()' })} FROM ${from.sql} GROUP BY listed
  UNION ALL
  SELECT ${listedAs('toString(exit_path)', depth)} AS listed, ${counting({ left_from: 'count()' })} FROM ${from.sql} GROUP BY listed
) WHERE listed != '' AND ${found} GROUP BY listed HAVING metric_views > 0`,
    params: { ...from.params, ...mine.params, search, depth: depth ?? 0 },
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
