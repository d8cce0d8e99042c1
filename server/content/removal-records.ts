// The statements that delete a content block after its edits.
import type { Records } from '../stores/records.ts'

/** With its versions and phases, which are few and small. False when there is no such block. */
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
