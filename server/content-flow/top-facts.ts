// The most viewed content blocks of a property in a window, for its overview.
import { factsOf, type TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopContent {
  readonly id: string
  readonly views: number
  readonly clicks: number
}

/**
 * Ordered by views, clicks and id; includes deleted blocks. Over all phases, without bots. A row has the day
 * of its render, and interactions arrive within a day of it.
 */
export async function readTopContent(facts: Pick<Facts, 'query'>, ask: TopQuery): Promise<TopContent[]> {
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
