// All contacts of a property as CSV, read in batches: never all of them in memory, and no transaction that
// holds up others.
import type { Records } from '../stores/records.ts'
import { type Contact, type MetaEntry, textFields } from '../contacts/contact-model.ts'
import { csvHeader, csvRows } from './csv.ts'

/**
 * Mostly some tens of kilobytes; ten megabytes of contacts that have all they may have. One statement takes
 * some milliseconds.
 */
const ROWS_AT_ONCE = 100

const columns = [
  'seq',
  'id',
  ...textFields,
  'lifecycle_stage',
  'state',
  'meta',
  'first_seen_ts',
  'identified_ts',
  'last_seen_ms',
  'session_count',
] as const

interface Batch {
  readonly contacts: Contact[]
  readonly lastSeq: number
}

async function nextBatch(
  records: Records,
  propertyId: string,
  hasExternalId: boolean,
  afterSeq: number,
): Promise<Batch | undefined> {
  const rows = await records
    .selectFrom('contacts')
    .select(columns)
    .where('property_id', '=', propertyId)
    .where('seq', '>', afterSeq)
    .where('external_id', hasExternalId ? 'is not' : 'is', null)
    .where('state', '!=', 'deleted')
    .orderBy('seq')
    .limit(ROWS_AT_ONCE)
    .execute()
  const last = rows.at(-1)
  return (
    last && { contacts: rows.map((row) => ({ ...row, meta: JSON.parse(row.meta) as MetaEntry[] })), lastSeq: last.seq }
  )
}

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
