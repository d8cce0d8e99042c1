// Deletes a content block with its versions, phases and edits: a few rows at a time, so that other writers
// can go on.
import { deleteEdits } from '../stores/edits.ts'
import type { Records } from '../stores/records.ts'
import type { ContentDirectory } from './directory.ts'
import { editsOf } from './history-records.ts'
import { deleteBlockRow, listBlockIds } from './removal-records.ts'

/**
 * @returns false when the property has no such block. The row is deleted last, so an interrupted call can be
 * repeated.
 */
export async function removeBlockRows(records: Records, propertyId: string, blockId: string): Promise<boolean> {
  const edits = editsOf({ property_id: propertyId, id: blockId })
  await deleteEdits(records, edits)
  return deleteBlockRow(records, propertyId, blockId)
}

/**
 * All blocks of a property that is being deleted. Blocks created meanwhile are deleted with the property
 * itself.
 */
export async function removeContent(
  { records, content }: { readonly records: Records; readonly content: Pick<ContentDirectory, 'forget'> },
  propertyId: string,
): Promise<void> {
  for (const id of await listBlockIds(records, propertyId)) {
    await removeBlockRows(records, propertyId, id)
    content.forget(id)
  }
}
