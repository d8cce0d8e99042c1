// The statements behind a list of links that is sorted by what came of them.
import { scanning } from '../stores/records/scans.ts'
import type { Records } from '../stores/records.ts'
import type { Link } from './link-model.ts'
import { linkColumns, toLink } from './link-row.ts'
import { type LinkScope, linksOf } from './list-records.ts'

/** Where those of them that are in the scope stand in the order of creation, by id. */
export async function selectLinkPlaces(
  records: Records,
  scope: LinkScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await linksOf(scanning(records), scope).select(['id', 'seq']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, seq }) => [id, seq]))
}

/** In the order of the ids. */
export async function selectLinkRows(records: Records, scope: LinkScope, ids: readonly string[]): Promise<Link[]> {
  if (ids.length === 0) return []
  const rows = await linksOf(records, scope).select(linkColumns).where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, toLink(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Those without these places, newest first. */
export async function listOtherLinkRows(
  records: Records,
  scope: LinkScope,
  places: readonly number[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<Link[]> {
  if (limit === 0) return []
  const rows = await linksOf(scanning(records), scope)
    .select(linkColumns)
    .$if(places.length > 0, (links) => links.where('seq', 'not in', places))
    .orderBy('seq', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(toLink)
}
