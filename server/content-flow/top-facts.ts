// The most viewed content blocks of a property in a window, for its overview.
import { bindCut, factsOf, type InParts, inParts, isRecentByTime, type TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopContent {
  readonly id: string
  readonly views: number
  readonly clicks: number
}

/**
 * Ordered by views, clicks and id; includes deleted blocks. Over all phases, without bots. A row has the day
 * of its render, and interactions arrive within a day of it.
 * @param cutMs in each part of the window that is cut then.
 */
export async function readTopContent(
  facts: Pick<Facts, 'query'>,
  ask: TopQuery,
  cutMs?: number,
): Promise<InParts<TopContent>> {
  const { sql, params } = factsOf('impressions', ask)
  const rows = await facts.query<{ is_recent: number; block: string; views: string; clicks: string }>(
    'content.topContent',
    `SELECT ${isRecentByTime}, block, countIf(kind = 'view') AS views, countIf(kind = 'click') AS clicks FROM impressions FINAL
WHERE is_bot = 0 AND day + 1 >= {first_day:Date} AND day <= {last_day:Date} AND ${sql}
GROUP BY is_recent, block ORDER BY views DESC, clicks DESC, block LIMIT {limit:UInt32} BY is_recent`,
    { ...params, ...bindCut(cutMs) },
  )
  return inParts(rows, ({ block, views, clicks }) => ({ id: block, views: Number(views), clicks: Number(clicks) }))
}
