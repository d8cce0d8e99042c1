// Which links have the most of something in a window: for lists of links that are sorted by it.
import type { Span } from '../kernel/window.ts'
import { ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { readArrivals } from './arrival-facts.ts'
import { daysOf, isWithin } from './facts.ts'

export const rankedBy = ['clicks', 'arrived', 'engaged'] as const
export type RankedBy = (typeof rankedBy)[number]

/** Links below these are in the order of the list. Their ids are bound to one statement of the records. */
export const MOST_RANKED = 10_000

export interface RankQuery {
  readonly propertyId: string
  /** Null: of every group. */
  readonly groupId: string | null
  readonly span: Span
}

type RankFacts = Pick<Facts, 'query' | 'hasMarks' | 'layout'>

async function rankByClicks(facts: RankFacts, { propertyId, groupId, span }: RankQuery): Promise<string[]> {
  const ofGroup = groupId === null ? '' : 'AND link_group = {group:String}'
  const rows = await facts.query<{ through: string }>(
    'links.rankByClicks',
    `SELECT link AS through, count() AS clicks FROM clicks FINAL
WHERE property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date} AND ${isWithin('at')} ${ofGroup}
  AND is_bot = 0 AND ${ofValidSession(await facts.hasMarks(propertyId), 'session_day')}
GROUP BY through ORDER BY clicks DESC, through LIMIT ${MOST_RANKED}`,
    { property: propertyId, group: groupId, ...daysOf(span), from_ms: span.fromMs, to_ms: span.toMs },
  )
  return rows.map(({ through }) => through)
}

/** Ids of links, those with the most first; those without any are left out. */
export async function rankLinks(facts: RankFacts, by: RankedBy, query: RankQuery): Promise<string[]> {
  if (by === 'clicks') return rankByClicks(facts, query)
  const { propertyId, groupId, span } = query
  const arrivals = await readArrivals(facts, {
    propertyId,
    by: 'link',
    span,
    ...(groupId !== null && { groups: [groupId] }),
  })
  return [...arrivals]
    .filter(([, figures]) => figures[by] > 0)
    .toSorted(([a, one], [b, other]) => other[by] - one[by] || (a < b ? -1 : 1))
    .slice(0, MOST_RANKED)
    .map(([id]) => id)
}
