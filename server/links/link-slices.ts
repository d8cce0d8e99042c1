// Counting the links of a property or a group, and finding where a page of them begins: slice by slice on SQLite, since a statement over
// a million of them would hold up every redirect of the process for a tenth of a second.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { recordsKind, type Records } from '../stores/records.ts'
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

/** Links by their place in the order, both ends included. */
interface Slice {
  readonly first: number
  readonly last: number
}

export interface CountedSlice extends Slice {
  readonly count: number
}

/** Places that one statement looks at, in some milliseconds. */
const SLICE = 50_000
/** The same of a search, which reads every text of them. */
const SEARCHED_SLICE = 5_000

const EVERYTHING: Slice = { first: 0, last: Number.MAX_SAFE_INTEGER }

/** Whatever is searched for: the index alone answers. */
async function endOf(records: Records, { propertyId, groupId }: LinkScope, direction: 'asc' | 'desc'): Promise<number> {
  const row = await linksOf(records, { propertyId, groupId })
    .select('seq')
    .orderBy('seq', direction)
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** Newest first. */
async function slicesOf(records: Records, scope: LinkScope): Promise<Slice[]> {
  if (recordsKind(records) !== 'sqlite') return [EVERYTHING]
  const [first, last] = [await endOf(records, scope, 'asc'), await endOf(records, scope, 'desc')]
  const slices: Slice[] = []
  const size = scope.words?.length ? SEARCHED_SLICE : SLICE
  for (let end = last; end >= first && end > 0; end -= size)
    slices.push({ first: Math.max(first, end - size + 1), last: end })
  return slices
}

async function countOf(records: Records, scope: LinkScope, { first, last }: Slice): Promise<number> {
  const row = await linksOf(records, scope)
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Newest first. */
export async function countSlices(records: Records, scope: LinkScope): Promise<CountedSlice[]> {
  const slices: CountedSlice[] = []
  for (const slice of await slicesOf(records, scope)) {
    if (slices.length > 0) await nextTurn()
    slices.push({ ...slice, count: await countOf(records, scope, slice) })
  }
  return slices
}

export const sumOf = (slices: readonly CountedSlice[]): number => slices.reduce((sum, { count }) => sum + count, 0)

/** What of a page that begins after `offset` newer rows and has `limit` stands in which slice. */
export function partsOf(
  slices: readonly CountedSlice[],
  offset: number,
  limit: number,
): { first: number; last: number; offset: number; limit: number }[] {
  let [skipped, left] = [offset, limit]
  return slices.flatMap(({ first, last, count }) => {
    const from = Math.min(skipped, count)
    skipped -= from
    const taken = Math.min(count - from, left)
    left -= taken
    return taken === 0 ? [] : [{ first, last, offset: from, limit: taken }]
  })
}

/** Where the row stands that has `offset` newer ones: its slice's newest place, and the newer ones within it. Undefined past the end. */
export function placeOf(slices: readonly CountedSlice[], offset: number): { last: number; offset: number } | undefined {
  let left = offset
  for (const { last, count } of slices) {
    if (left < count) return { last, offset: left }
    left -= count
  }
  return undefined
}
