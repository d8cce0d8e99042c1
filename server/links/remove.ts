// All links and groups of a property, removed with it: a few at a time, so that no redirect waits for them.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Records } from '../stores/records.ts'
import { deleteSomeLinks } from './records.ts'

/** Groups go with the property itself: there are never many. */
export async function removeLinks(records: Records, propertyId: string): Promise<void> {
  while (await deleteSomeLinks(records, 'property_id', propertyId)) await nextTurn()
}
