// The most submitted forms of a property in a window, for its overview.
import { countOutcomes, type InParts, mapParts, type TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopForm {
  readonly id: string
  /** Form sessions: how often it was shown. */
  readonly sessions: number
  readonly submissions: number
}

const counting = { name: 'forms.topForms', table: 'form_events', order: ['used', 'shown'] } as const

/**
 * Ordered by submissions, views and id; includes deleted forms. Without bots.
 * @param cutMs in each part of the window that is cut then.
 */
export const readTopForms = async (
  facts: Pick<Facts, 'query'>,
  ask: TopQuery,
  cutMs?: number,
): Promise<InParts<TopForm>> =>
  mapParts(await countOutcomes(facts, counting, ask, cutMs), ({ id, shown, used }) => ({
    id,
    sessions: shown,
    submissions: used,
  }))
