// What came of each link of a page of the list in a window, in two questions for all of them.
import type { Span } from '../kernel/window.ts'
import { bouncedSql } from '../sessions/facts.ts'
import type { Facts } from '../stores/facts.ts'
import { daysOf, isWithin } from './facts.ts'

export interface ListedFigures {
  /** Of people. */
  readonly clicks: number
  /** Sessions that began through it. */
  readonly arrived: number
  /** Those of them that did not bounce. */
  readonly engaged: number
}

export const noFigures: ListedFigures = { clicks: 0, arrived: 0, engaged: 0 }

/** Links with their groups, by which the facts are in order. */
type Listed = readonly { readonly id: string; readonly group_id: string }[]

const OWN = `property = {property:String} AND day BETWEEN {day_from:Date} AND {day_to:Date}
  AND link_group IN {groups:Array(String)} AND link IN {links:Array(String)} AND is_bot = 0`

/** Links that nothing came of are left out. */
export async function readListFigures(
  facts: Pick<Facts, 'query'>,
  propertyId: string,
  links: Listed,
  span: Span,
): Promise<Map<string, ListedFigures>> {
  if (links.length === 0) return new Map()
  const params = {
    property: propertyId,
    links: links.map(({ id }) => id),
    groups: [...new Set(links.map(({ group_id }) => group_id))],
    ...daysOf(span),
    from_ms: span.fromMs,
    to_ms: span.toMs,
  }
  const [clicked, arrived] = await Promise.all([
    facts.query<{ through: string; clicks: string }>(
      'links.readListClicks',
      `SELECT link AS through, count() AS clicks FROM clicks FINAL WHERE ${OWN} AND ${isWithin('at')} GROUP BY through`,
      params,
    ),
    facts.query<{ through: string; arrived: string; engaged: string }>(
      'links.readListArrivals',
      `SELECT link AS through, count() AS arrived, countIf(NOT (${bouncedSql})) AS engaged
FROM sessions FINAL WHERE ${OWN} AND ${isWithin('entry_at')} GROUP BY through`,
      params,
    ),
  ])
  const figures = new Map(clicked.map(({ through, clicks }) => [through, { ...noFigures, clicks: Number(clicks) }]))
  for (const row of arrived) {
    const known = figures.get(row.through) ?? noFigures
    figures.set(row.through, { ...known, arrived: Number(row.arrived), engaged: Number(row.engaged) })
  }
  return figures
}
