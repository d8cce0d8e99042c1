// The most viewed content blocks of a property in a window, for its overview.
import { countOutcomes, type InParts, mapParts, type TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopContent {
  readonly id: string
  readonly views: number
  readonly clicks: number
}

const counting = { name: 'content.topContent', table: 'impressions', order: ['shown', 'used'] } as const

/**
 * Ordered by views, clicks and id; includes deleted blocks. Over all phases, without bots.
 * @param cutMs in each part of the window that is cut then.
 */
export const readTopContent = async (
  facts: Pick<Facts, 'query'>,
  ask: TopQuery,
  cutMs?: number,
): Promise<InParts<TopContent>> =>
  mapParts(await countOutcomes(facts, counting, ask, cutMs), ({ id, shown, used }) => ({
    id,
    views: shown,
    clicks: used,
  }))
