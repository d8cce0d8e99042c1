// A content block with its versions, phases and edits, removed for good: some rows at a time, so that nobody else waits.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deleteSomeEdits } from '../stores/edits.ts'
import type { Records } from '../stores/records.ts'
import type { ContentDirectory } from './directory.ts'
import { editsOf } from './history-records.ts'
import { deleteBlockRow, listBlockIds } from './removal-records.ts'

/** @returns false when the property has no such block. The row goes last: a call that was cut short may be repeated. */
export async function removeBlockRows(records: Records, propertyId: string, blockId: string): Promise<boolean> {
  const edits = editsOf({ property_id: propertyId, id: blockId })
  while (await deleteSomeEdits(records, edits)) await nextTurn()
  return deleteBlockRow(records, propertyId, blockId)
}

/** All blocks of a property, removed with it. Those made meanwhile go with the property itself. */
export async function removeContent(
  { records, content }: { readonly records: Records; readonly content: Pick<ContentDirectory, 'forget'> },
  propertyId: string,
): Promise<void> {
  for (const id of await listBlockIds(records, propertyId)) {
    await removeBlockRows(records, propertyId, id)
    content.forget(id)
  }
}
