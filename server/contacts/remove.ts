// All contacts of a property, removed with it: a few at a time, so that nobody else waits, and without a trace in the search index.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { dropMarked } from '../stores/records-sqlite-search.ts'
import type { Records } from '../stores/records.ts'

/** Rows that one statement deletes: some milliseconds. */
const LINKS_AT_ONCE = 500
const CONTACTS_AT_ONCE = 25

/** @returns whether there are more. */
async function removeSomeLinks(records: Records, propertyId: string): Promise<boolean> {
  const next = await records
    .selectFrom('contact_sessions')
    .select(['day', 'session'])
    .where('property_id', '=', propertyId)
    .orderBy('day')
    .orderBy('session')
    .offset(LINKS_AT_ONCE)
    .limit(1)
    .executeTakeFirst()
  await records
    .deleteFrom('contact_sessions')
    .where('property_id', '=', propertyId)
    .$if(next !== undefined, (rows) =>
      rows.where((of) => of(of.refTuple('day', 'session'), '<', of.tuple(next?.day ?? 0, next?.session ?? ''))),
    )
    .execute()
  return next !== undefined
}

async function removeSomeContacts(records: Records, propertyId: string): Promise<boolean> {
  const next = await records
    .selectFrom('contacts')
    .select('seq')
    .where('property_id', '=', propertyId)
    .orderBy('seq')
    .offset(CONTACTS_AT_ONCE)
    .limit(1)
    .executeTakeFirst()
  await records
    .deleteFrom('contacts')
    .where('property_id', '=', propertyId)
    .$if(next !== undefined, (rows) => rows.where('seq', '<', next?.seq ?? 0))
    .execute()
  return next !== undefined
}

async function repeat(removeSome: () => Promise<boolean>): Promise<void> {
  while (await removeSome()) await nextTurn()
}

/** Calls that were under way when the property was closed may still add some: those go with the property itself. */
export async function removeContacts(records: Records, propertyId: string): Promise<void> {
  await repeat(() => removeSomeLinks(records, propertyId))
  await repeat(() => removeSomeContacts(records, propertyId))
  await dropMarked(records)
}
