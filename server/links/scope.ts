// Which links a statement is about, and how many of them there are.
import { scanning } from '../stores/records-scans.ts'
import type { Records } from '../stores/records.ts'
import { holds } from './words-records.ts'

export interface LinkScope {
  readonly propertyId: string
  /** Null: of every group. */
  readonly groupId: string | null
  /** Each of them is somewhere in the name, the code or the destination. */
  readonly words?: readonly string[] | undefined
}

/** Links in use. The group is looked up in the property, so that its index alone answers, in its order. */
export function linksOf(records: Records, { propertyId, groupId, words }: LinkScope) {
  const all = records.selectFrom('links').where('is_deleted', '=', 0)
  const inUse = (words ?? []).reduce((query, word) => query.where(holds(word)), all)
  if (groupId === null) return inUse.where('property_id', '=', propertyId)
  return inUse.where('group_id', '=', (of) =>
    of.selectFrom('link_groups').select('id').where('id', '=', groupId).where('property_id', '=', propertyId),
  )
}

export async function countLinks(records: Records, scope: LinkScope): Promise<number> {
  const { count } = await linksOf(scanning(records), scope)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
