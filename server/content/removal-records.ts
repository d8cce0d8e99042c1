// The statements that empty a content block, each of a bounded size.
import type { Records } from '../stores/records.ts'

/** Rows of one statement: an edit may hold a hundred kilobytes. */
const ROWS_AT_ONCE = 50

/** @returns whether there were any. */
export async function deleteSomeEdits(records: Records, propertyId: string, blockId: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('content_edits')
    .where('property_id', '=', propertyId)
    .where('seq', 'in', (of) =>
      of
        .selectFrom('content_edits')
        .select('seq')
        .where('property_id', '=', propertyId)
        .where('block_id', '=', blockId)
        .orderBy('seq')
        .limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** With its versions and phases, few and small beside the edits. False when there is no such block. */
export async function deleteBlockRow(records: Records, propertyId: string, blockId: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('content_blocks')
    .where('property_id', '=', propertyId)
    .where('id', '=', blockId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

export async function listBlockIds(records: Records, propertyId: string): Promise<string[]> {
  const rows = await records.selectFrom('content_blocks').select('id').where('property_id', '=', propertyId).execute()
  return rows.map(({ id }) => id)
}
