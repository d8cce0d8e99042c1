// The statements about changes of many links at once: the links as they are, what their owner may change of
// them together, and all tags of a property.
import type { Records, Tx } from '../stores/records.ts'
import { scanning } from '../stores/records/scans.ts'
import { parseRules } from './rules-model.ts'
import { linkColumns, textsIn, toLink } from './link-row.ts'
import { linksOf } from './list-records.ts'
import type { Link } from './link-model.ts'

/** A link with the rules that are stored of it. */
export interface RuledLink {
  readonly link: Link
  readonly rules: ReturnType<typeof parseRules>
}

/** Those in use, by id. */
export async function readRuledLinks(
  tx: Tx,
  propertyId: string,
  ids: readonly string[],
): Promise<Map<string, RuledLink>> {
  const own = linksOf(tx, { propertyId, groupId: null })
  const rows = await own
    .select([...linkColumns, 'rules'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ rules, ...row }) => [row.id, { link: toLink(row), rules: parseRules(rules) }]))
}

/** Every tag of links in use, with how many have it, in no order. */
export async function countTags(records: Records, propertyId: string): Promise<Map<string, number>> {
  const rows = await linksOf(scanning(records), { propertyId, groupId: null })
    .select(['tags', (of) => of.fn.countAll<number>().as('links')])
    .where('tags', 'is not', null)
    .groupBy('tags')
    .execute()
  const counts = new Map<string, number>()
  for (const { tags, links } of rows) for (const tag of textsIn(tags)) counts.set(tag, (counts.get(tag) ?? 0) + links)
  return counts
}
