// The statements of the files of contacts: those that are exported, and the state that a row sets.
import type { Records, Tx } from '../stores/records.ts'
import { type Contact, type MetaEntry, textFields } from '../contacts/contact-model.ts'

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

/** The next contacts after one, the oldest first, of those with an external id or without. */
export async function nextBatch(
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

/** The row is held by this transaction since it was upserted. */
export async function setState(tx: Tx, propertyId: string, contact: Contact, state: Contact['state']): Promise<void> {
  if (contact.state === state) return
  await tx
    .updateTable('contacts')
    .set({ state })
    .where('property_id', '=', propertyId)
    .where('id', '=', contact.id)
    .execute()
}
