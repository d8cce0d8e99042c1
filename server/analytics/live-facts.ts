// Figures of who is here: of sessions with a load in the last minutes.
import { DAY_MS } from '../kernel/days.ts'
import type { Bucket } from '../kernel/buckets.ts'
import { boundsOf, ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { foldedColumn, isCounted, plainColumns, type SessionColumn } from '../stores/session-columns.ts'
import { clauseCondition, type Fragment, sameDays } from './clause-sql.ts'
import { columnsOf, type FigureColumns, readFigures, type Scope } from './facts.ts'
import { type FigureName, type Figures, figureSources, noFigures } from './metrics.ts'

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
const ofLivePeople = (hasMarks: boolean): string =>
  `${isLive} AND (day, session) NOT IN (SELECT day, session FROM sessions WHERE ${sameDays} AND is_bot = 1)
  AND ${ofValidSession(hasMarks, 'day')}`

function liveLoads(figures: readonly FigureName[], hasMarks: boolean): string {
  const columns = figures.map((name) => `${loadSql[name]} AS figure_${name}`).join(', ')
  return `SELECT ${liveBucket}, ${columns} FROM views FINAL
WHERE ${ofLivePeople(hasMarks)} GROUP BY bucket`
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
  const { propertyId, span, clauses } = scope
  const { sql, params } =
    clauses.length > 0
      ? await liveSessionsOf(facts, scope).then((where) => ({
          ...where,
          sql: `count() AS sessions FROM sessions FINAL WHERE ${where.sql}`,
        }))
      : {
          sql: `uniqExact(day, session) AS sessions FROM views WHERE ${ofLivePeople(await facts.hasMarks(propertyId))}`,
          params: liveBounds(propertyId, span.fromMs, span.toMs),
        }
  const rows = await facts.query<{ sessions: string }>('analytics.countLive', `SELECT ${sql}`, params)
  return Number(rows[0]?.sessions ?? 0)
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
