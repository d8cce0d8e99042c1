// The most submitted forms of a property in a window, for its overview.
import { bindCut, factsOf, type InParts, inParts, isRecentByTime, type TopQuery } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'

export interface TopForm {
  readonly id: string
  /** Form sessions: how often it was shown. */
  readonly sessions: number
  readonly submissions: number
}

/**
 * Ordered by submissions, views and id; includes deleted forms. Without bots.
 * @param cutMs in each part of the window that is cut then.
 */
export async function readTopForms(
  facts: Pick<Facts, 'query'>,
  ask: TopQuery,
  cutMs?: number,
): Promise<InParts<TopForm>> {
  const { sql, params } = factsOf('form_events', ask)
  const rows = await facts.query<{ is_recent: number; form: string; views: string; submitted: string }>(
    'forms.topForms',
    `SELECT ${isRecentByTime}, form, uniqExactIf(id, kind = 'view') AS views, uniqExactIf(id, kind = 'submit') AS submitted FROM form_events
WHERE kind IN ('view', 'submit') AND is_bot = 0 AND day BETWEEN {first_day:Date} AND {last_day:Date} AND ${sql}
GROUP BY is_recent, form ORDER BY submitted DESC, views DESC, form LIMIT {limit:UInt32} BY is_recent`,
    { ...params, ...bindCut(cutMs) },
  )
  return inParts(rows, ({ form, views, submitted }) => ({
    id: form,
    sessions: Number(views),
    submissions: Number(submitted),
  }))
}
