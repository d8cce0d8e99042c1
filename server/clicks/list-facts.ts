// Clicks, arrivals and stays of each link on a page of the list in a window, in two queries for all of them.
import type { Span } from '../kernel/window.ts'
import { ofValidSession } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { noArrivals, readArrivals } from './arrival-facts.ts'
import { daysOf, isWithin } from './facts.ts'
import { groupsOf, type Link } from '../links/link-model.ts'

export interface ListedFigures {
  /** Of people. */
  readonly clicks: number
  /** Visitors of these clicks who saw a page within a minute. */
  readonly arrived: number
  /** Those whose visit from there on was no bounce. */
  readonly engaged: number
}

export const noFigures: ListedFigures = { clicks: 0, arrived: 0, engaged: 0 }

/** Links with their groups: the facts are sorted by group. */
type Listed = readonly Pick<Link, 'id' | 'group_id' | 'past_groups'>[]

/** Links without any are left out. */
export async function readListFigures(
  facts: Pick<Facts, 'query' | 'hasMarks' | 'layout'>,
  propertyId: string,
  links: Listed,
  span: Span,
): Promise<Map<string, ListedFigures>> {
  if (links.length === 0) return new Map()
  const asked = { links: links.map(({ id }) => id), groups: [...new Set(links.flatMap(groupsOf))] }
  const isValid = ofValidSession(await facts.hasMarks(propertyId), 'session_day')
  const [clicked, arrivals] = await Promise.all([
    facts.query<{ through: string; clicks: string }>(
      'links.readListClicks',
      `SELECT link AS through, count() AS clicks FROM clicks FINAL
WHERE property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date} AND ${isWithin('at')}
  AND link_group IN {groups:Array(String)} AND link IN {links:Array(String)} AND is_bot = 0
  AND ${isValid} GROUP BY through`,
      { property: propertyId, ...asked, ...daysOf(span), from_ms: span.fromMs, to_ms: span.toMs },
    ),
    readArrivals(facts, { propertyId, by: 'link', ...asked, span }),
  ])
  return new Map(
    clicked.map(({ through, clicks }) => {
      const { arrived, engaged } = arrivals.get(through) ?? noArrivals
      return [through, { clicks: Number(clicks), arrived, engaged }]
    }),
  )
}
