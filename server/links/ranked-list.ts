// Links sorted by what came of them: the facts say which have the most, and the records which of those are
// listed; all others, of which nothing came, follow with the newest first.
import { rankLinks, type RankedBy } from '../clicks/ranked-facts.ts'
import type { Deps } from '../kernel/deps.ts'
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { SortQuery } from '../kernel/sorting.ts'
import type { Span } from '../kernel/window.ts'
import type { Link } from './link-model.ts'
import { countLinks, type LinkScope } from './list-records.ts'
import { listOtherLinkRows, selectLinkPlaces, selectLinkRows } from './ranked-records.ts'

/** The rows of a page that lie in the part of a list which begins and ends there. */
const partOf = (page: PageQuery, from: number, to: number) => {
  const first = offsetOf(page)
  const [begin, end] = [Math.max(first, from), Math.min(first + page.perPage, to)]
  return { offset: begin - from, limit: Math.max(0, end - begin) }
}

export interface RankedQuery {
  readonly by: RankedBy
  readonly order: SortQuery<RankedBy>['order']
  readonly span: Span
}

/** Of those that are ranked, the places in the list of newest first; in the order of their rank. */
async function rankedPlaces({ records, facts }: Pick<Deps, 'records' | 'facts'>, scope: LinkScope, ask: RankedQuery) {
  const ids = await rankLinks(facts, ask.by, { ...scope, span: ask.span })
  const places = await selectLinkPlaces(records, scope, ids)
  const found = ids.flatMap((id) => {
    const seq = places.get(id)
    return seq === undefined ? [] : [{ id, seq }]
  })
  return ask.order === 'asc' ? found.toReversed() : found
}

export async function listRankedLinks(
  deps: Pick<Deps, 'records' | 'facts'>,
  scope: LinkScope,
  page: PageQuery,
  ask: RankedQuery,
): Promise<Listed<Link>> {
  const [total, ranked] = await Promise.all([countLinks(deps.records, scope), rankedPlaces(deps, scope, ask)])
  const others = Math.max(0, total - ranked.length)
  const isUp = ask.order === 'asc'
  const own = isUp ? partOf(page, others, others + ranked.length) : partOf(page, 0, ranked.length)
  const rest = isUp ? partOf(page, 0, others) : partOf(page, ranked.length, Infinity)
  const ids = ranked.slice(own.offset, own.offset + own.limit).map(({ id }) => id)
  const [first, second] = await Promise.all([
    selectLinkRows(deps.records, scope, ids),
    listOtherLinkRows(
      deps.records,
      scope,
      ranked.map(({ seq }) => seq),
      rest,
    ),
  ])
  return { rows: isUp ? [...second, ...first] : [...first, ...second], total }
}
