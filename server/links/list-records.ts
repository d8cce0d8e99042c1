// Which links a statement is about, how many of them there are, and those that are exported.
import { linkColumns } from './link-row.ts'
import { scanning } from '../stores/records/scans.ts'
import type { Records } from '../stores/records.ts'
import { hasTag, holds } from './words-records.ts'

export interface LinkScope {
  readonly propertyId: string
  /** Null: of every group. */
  readonly groupId: string | null
  /** Each of them is somewhere in what is searched of a link (words-records.ts). */
  readonly words?: readonly string[] | undefined
  readonly tag?: string | undefined
  /** Undefined: those that are archived, and those that are not. */
  readonly isArchived?: boolean | undefined
}

/** Links in use. The group is looked up in the property, so that its index alone answers, in its order. */
export function linksOf(records: Records, { propertyId, groupId, words, tag, isArchived }: LinkScope) {
  const all = records.selectFrom('links').where('is_deleted', '=', 0)
  const found = (words ?? []).reduce((query, word) => query.where(holds(word)), all)
  const tagged = tag === undefined ? found : found.where(hasTag(tag))
  const inUse = isArchived === undefined ? tagged : tagged.where('is_archived', '=', Number(isArchived))
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

/** Some hundred kilobytes; one statement takes some milliseconds. */
const ROWS_AT_ONCE = 1_000

const exported = ['seq', ...linkColumns, 'rules', 'password_hash', 'uses'] as const

/** The next links in use after one, the oldest first. */
export async function nextLinks(records: Records, { propertyId, groupId }: LinkScope, afterSeq: number) {
  const after = records
    .selectFrom('links')
    .select(exported)
    .where('property_id', '=', propertyId)
    .where('is_deleted', '=', 0)
    .where('seq', '>', afterSeq)
  const wanted = groupId === null ? after : after.where('group_id', '=', groupId)
  return wanted.orderBy('seq').limit(ROWS_AT_ONCE).execute()
}

export type ExportedLink = Awaited<ReturnType<typeof nextLinks>>[number]
