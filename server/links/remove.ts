// All links and groups of a property, removed with it.
import type { Records } from '../stores/records.ts'
import { deleteLinks } from './code-records.ts'

/** Groups go with the property itself: there are never many. */
export const removeLinks = (records: Records, propertyId: string): Promise<void> =>
  deleteLinks(records, 'property_id', propertyId)
