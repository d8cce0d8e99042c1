// The content blocks of a property that were seen most in a window, for its overview.
import { factsOf, type TopAsk } from '../sessions/scope.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopContent {
  readonly id: string
  readonly views: number
  readonly clicks: number
}

/**
 * By views, of equal ones by clicks, then by id; also blocks that are deleted by now. Of all phases, people alone. A row has the day of its
 * render, and what is told of it comes within a day.
 */
export async function readTopContent(facts: Pick<Facts, 'query'>, ask: TopAsk): Promise<TopContent[]> {
  const { sql, params } = factsOf('impressions', ask)
  const rows = await facts.query<{ block: string; views: string; clicks: string }>(
    'content.topContent',
    `SELECT block, countIf(kind = 'view') AS views, countIf(kind = 'click') AS clicks FROM impressions FINAL
WHERE is_bot = 0 AND day + 1 >= {first_day:Date} AND day <= {last_day:Date} AND ${sql}
GROUP BY block ORDER BY views DESC, clicks DESC, block LIMIT {limit:UInt32}`,
    params,
  )
  return rows.map((row) => ({ id: row.block, views: Number(row.views), clicks: Number(row.clicks) }))
}
