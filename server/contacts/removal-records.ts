// All contacts of a property, removed with it: a few at a time, so that nobody else waits, and without a
// trace in the search index.
import { dropMarked } from '../stores/sqlite/search.ts'
import type { Records } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'

const LINKS_AT_ONCE = 500
/** Each has its places in the index of the search. */
const CONTACTS_AT_ONCE = 25

function removeSomeLinks(records: Records, propertyId: string, most: number): Promise<number> {
  const some = records.selectFrom('contact_sessions').select(['day', 'session']).where('property_id', '=', propertyId)
  return changedBy(
    records
      .deleteFrom('contact_sessions')
      .where('property_id', '=', propertyId)
      .where((of) => of(of.refTuple('day', 'session'), 'in', some.limit(most).$asTuple('day', 'session'))),
  )
}

function removeSomeContacts(records: Records, propertyId: string, most: number): Promise<number> {
  const some = records.selectFrom('contacts').select('seq').where('property_id', '=', propertyId)
  return changedBy(records.deleteFrom('contacts').where('seq', 'in', some.orderBy('seq').limit(most)))
}

/**
 * Calls that were under way when the property was closed may still add some: those go with the property
 * itself.
 */
export async function removeContacts(records: Records, propertyId: string): Promise<void> {
  await inSteps((most) => removeSomeLinks(records, propertyId, most), LINKS_AT_ONCE)
  await inSteps((most) => removeSomeContacts(records, propertyId, most), CONTACTS_AT_ONCE)
  await dropMarked(records)
}
