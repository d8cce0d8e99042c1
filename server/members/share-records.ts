// The statements about share links. Each names its property, except the look-up of a link by its token.
import type { Selectable } from 'kysely'
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { ShareJson } from '../accounts/schema.ts'
import type { SharedWith } from '../accounts/user-model.ts'

export type Share = ShareJson

type ShareRow = Omit<Selectable<RecordTables['shares']>, 'seq' | 'hash'>

const toShare = ({ password_hash: hash, badge_key: badge, origins, ...row }: ShareRow): Share => ({
  ...row,
  has_password: hash !== null,
  origins: JSON.parse(origins) as string[],
  badge_path: badge === null ? null : badgePath(badge),
})

/** Of the image, below BASE_URL. */
export const badgePath = (key: string): string => `/icons/live/${key}.svg`

const columns = [
  'id',
  'property_id',
  'name',
  'password_hash',
  'segment_id',
  'origins',
  'badge_key',
  'created_by',
  'created_ts',
] as const

export async function selectShares(records: Records, ids: readonly string[]): Promise<Map<string, SharedWith>> {
  const rows = await records
    .selectFrom('shares')
    .select(['id', 'property_id', 'segment_id'])
    .where('id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [row.id, { shareId: row.id, propertyId: row.property_id, segmentId: row.segment_id }]),
  )
}

export async function findShareByHash(
  records: Records,
  hash: string,
): Promise<{ share: Share; passwordHash: string | null } | undefined> {
  const row = await records.selectFrom('shares').select(columns).where('hash', '=', hash).executeTakeFirst()
  return row && { share: toShare(row), passwordHash: row.password_hash }
}

/** By the public key of its badge. */
export async function findShareByBadge(records: Records, key: string): Promise<SharedWith | undefined> {
  const row = await records
    .selectFrom('shares')
    .select(['id', 'property_id', 'segment_id'])
    .where('badge_key', '=', key)
    .executeTakeFirst()
  return row && { shareId: row.id, propertyId: row.property_id, segmentId: row.segment_id }
}

const sharesOf = (records: Records, propertyId: string) =>
  records.selectFrom('shares').where('property_id', '=', propertyId)

/** Newest first. */
export async function listShareRows(records: Records, propertyId: string, query: PageQuery): Promise<Listed<Share>> {
  const rows = await sharesOf(records, propertyId)
    .select(columns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return { rows: rows.map(toShare), total: await countShares(records, propertyId) }
}

/** Newest first. @param propertyId left out: all properties. */
export async function listSharesOfMaker(tx: Tx, userId: string, propertyId?: string): Promise<Share[]> {
  const all = tx.selectFrom('shares').select(columns).where('created_by', '=', userId)
  const theirs = propertyId === undefined ? all : all.where('property_id', '=', propertyId)
  return (await theirs.orderBy('seq', 'desc').execute()).map(toShare)
}

/** Those that show nothing but the segment. */
export async function listSharesOfSegment(tx: Tx, propertyId: string, segmentId: string): Promise<Share[]> {
  const rows = await sharesOf(tx, propertyId).select(columns).where('segment_id', '=', segmentId).execute()
  return rows.map(toShare)
}

export async function countShares(records: Records, propertyId: string): Promise<number> {
  const { count } = await sharesOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** @throws a foreign key violation when the property is gone. */
export async function insertShare(
  records: Records,
  row: Omit<Selectable<RecordTables['shares']>, 'seq'>,
): Promise<void> {
  await records.insertInto('shares').values(row).execute()
}

export async function deleteShare(records: Records, propertyId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('shares')
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
