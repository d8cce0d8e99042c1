// The statements about segments. Every one names its property.
import type { ClauseInput } from '../analytics/clauses.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export interface Segment {
  readonly id: string
  readonly property_id: string
  /** Whose it is; null: everybody's in the property. */
  readonly user_id: string | null
  readonly name: string
  readonly clauses: readonly ClauseInput[]
  /** Unix seconds. */
  readonly created_ts: number
  readonly updated_ts: number
}

const toSegment = (row: RecordTables['segments']): Segment => ({
  ...row,
  clauses: JSON.parse(row.clauses) as ClauseInput[],
})

const segmentsOf = (records: Records, propertyId: string) =>
  records.selectFrom('segments').selectAll().where('property_id', '=', propertyId)

export async function countSegments(records: Records, propertyId: string): Promise<number> {
  const { count } = await records
    .selectFrom('segments')
    .where('property_id', '=', propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Everybody's, and those of the person. */
export async function listSegmentRows(records: Records, propertyId: string, userId: string | null): Promise<Segment[]> {
  const rows = await segmentsOf(records, propertyId)
    .where((of) => of.or([of('user_id', 'is', null), ...(userId === null ? [] : [of('user_id', '=', userId)])]))
    .orderBy('created_ts', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toSegment)
}

/** Anything else cannot exist, and may hold what a database does not take. */
const idShape = /^sg_[0-9A-Za-z]{20}$/

/** By id; those of other properties are left out. */
export async function findSegments(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<Map<string, Segment>> {
  const wanted = ids.filter((id) => idShape.test(id))
  if (wanted.length === 0) return new Map()
  const rows = await segmentsOf(records, propertyId).where('id', 'in', wanted).execute()
  return new Map(rows.map((row) => [row.id, toSegment(row)]))
}

/** @throws a foreign key violation when the property or the person is gone. */
export async function insertSegment(tx: Tx, { clauses, ...row }: Segment): Promise<void> {
  await tx
    .insertInto('segments')
    .values({ ...row, clauses: JSON.stringify(clauses) })
    .execute()
}

export async function updateSegmentRow(tx: Tx, { id, property_id, clauses, ...row }: Segment): Promise<void> {
  const { name, user_id, updated_ts } = row
  await tx
    .updateTable('segments')
    .set({ name, user_id, updated_ts, clauses: JSON.stringify(clauses) })
    .where('property_id', '=', property_id)
    .where('id', '=', id)
    .execute()
}

/** @throws a foreign key violation when a share link shows it. */
export async function deleteSegmentRow(tx: Tx, propertyId: string, id: string): Promise<void> {
  await tx.deleteFrom('segments').where('property_id', '=', propertyId).where('id', '=', id).execute()
}
