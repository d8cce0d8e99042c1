// The outcomes of clicks on a link or a group in a window: how many people clicked, arrived and stayed
// (docs/definitions.md).
import type { Deps } from '../kernel/deps.ts'
import { parseWindow, windowJson, type Span, type WindowDefaults, type WindowQuery } from '../kernel/window.ts'
import type { Property } from '../properties/properties.ts'
import { withBeginning } from '../sessions/sessions.ts'
import type { Facts } from '../stores/facts.ts'
import { type ArrivalFigures, noArrivals, readArrivals } from './arrival-facts.ts'
import { type Owner, readClickFigures } from './facts.ts'

const DECIMALS = 10_000

/** 4 decimals; 0 when there is nothing to divide by. */
function rate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * DECIMALS) / DECIMALS
}

async function readOwnArrivals(
  facts: Pick<Facts, 'query' | 'hasMarks' | 'layout'>,
  propertyId: string,
  { groupIds, linkId }: Owner,
  span: Span,
): Promise<ArrivalFigures> {
  const ofLink = linkId === undefined ? ({ by: 'link_group' } as const) : ({ by: 'link', links: [linkId] } as const)
  const found = await readArrivals(facts, { propertyId, groups: groupIds, span, ...ofLink })
  return found.get(linkId ?? groupIds[0] ?? '') ?? noArrivals
}

/** @throws Problem('validation_failed') for an impossible window. */
export async function readStatistics(
  { facts, now }: Pick<Deps, 'facts' | 'now'>,
  property: Pick<Property, 'id'> & WindowDefaults,
  owner: Owner,
  query: WindowQuery,
) {
  const window = parseWindow(query, now(), await withBeginning(facts, property, query))
  const [{ clicks, visitors, bots }, arrivals] = await Promise.all([
    readClickFigures(facts, property.id, owner, window),
    readOwnArrivals(facts, property.id, owner, window),
  ])
  const { arrived, already_on_site, engaged } = arrivals
  return {
    ...windowJson(window),
    clicks,
    visitors,
    bots,
    count_bots: Object.values(bots).reduce((sum, count) => sum + count, 0),
    arrived,
    already_on_site,
    engaged,
    arrival_rate: rate(arrived, visitors),
    engagement_rate: rate(engaged, arrived),
  }
}
