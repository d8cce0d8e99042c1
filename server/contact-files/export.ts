// All contacts of a property as CSV, read in batches: never all of them in memory, and no transaction that
// holds up others.
import type { Records } from '../stores/records.ts'
import type { Contact } from '../contacts/contact-model.ts'
import { csvHeader, csvRows } from './csv.ts'
import { nextBatch } from './records.ts'

async function* batches(records: Records, propertyId: string, hasExternalId: boolean): AsyncGenerator<Contact[]> {
  for (let afterSeq = 0; ;) {
    const batch = await nextBatch(records, propertyId, hasExternalId, afterSeq)
    if (!batch) return
    yield batch.contacts
    afterSeq = batch.lastSeq
  }
}

/** Everyone who is not deleted. */
export async function* contactBatches(records: Records, propertyId: string): AsyncGenerator<Contact[]> {
  for (const hasExternalId of [false, true]) yield* batches(records, propertyId, hasExternalId)
}

export interface CsvPart {
  readonly text: string
  readonly contacts: number
}

/**
 * The header, then everyone who is not deleted, the oldest first. Those without an external id come before
 * the others: an import matches them by address, and must not find somebody of the same file who has an id of
 * their own.
 */
export async function* exportContacts(records: Records, propertyId: string): AsyncGenerator<CsvPart> {
  yield { text: csvHeader(), contacts: 0 }
  for (const hasExternalId of [false, true]) {
    for await (const contacts of batches(records, propertyId, hasExternalId)) {
      yield { text: csvRows(contacts), contacts: contacts.length }
    }
  }
}
