// Searching the links of a property: no index knows what is in the middle of a text, so that a slice of them is looked at in each statement.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PageAsk } from '../kernel/page.ts'
import type { Listed } from '../properties/properties.ts'
import type { Records } from '../stores/records.ts'
import type { Link } from './link-model.ts'
import { countSlices, type LinkScope, linksOf, partsOf, sumOf } from './link-slices.ts'
import { linkColumns, toLink } from './records.ts'

/** Newest first. */
export async function searchLinkRows(
  records: Records,
  scope: LinkScope,
  { page, perPage }: PageAsk,
): Promise<Listed<Link>> {
  const slices = await countSlices(records, scope)
  const rows: Link[] = []
  for (const { first, last, offset, limit } of partsOf(slices, (page - 1) * perPage, perPage)) {
    if (rows.length > 0) await nextTurn()
    const found = await linksOf(records, scope)
      .select(linkColumns)
      .where('seq', '>=', first)
      .where('seq', '<=', last)
      .orderBy('seq', 'desc')
      .offset(offset)
      .limit(limit)
      .execute()
    rows.push(...found.map(toLink))
  }
  return { rows, total: sumOf(slices) }
}
