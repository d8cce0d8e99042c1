// What webhooks have told of a person, forgotten with the person: in the transaction of the erasure. That there was a delivery stays, with
// its times; what it said and what was answered does not. What an endpoint was told before is its owner's to erase.
import type { Tx } from '../stores/records.ts'

/** By what deliveries are found to be about somebody. */
export interface Subject {
  /** Days since 1970-01-01, and the session hash in decimal. */
  readonly sessions: readonly { readonly day: number; readonly session: string }[]
  /** Null: no contact, submissions alone. */
  readonly contactId: string | null
  readonly submissionIds: readonly string[]
}

/** Of one statement, each a look into the index. */
const KEYS_AT_ONCE = 100

interface Found {
  readonly seq: number
  readonly id: string
  readonly property_id: string
}

function chunks<Key>(keys: readonly Key[]): (readonly Key[])[] {
  const count = Math.ceil(keys.length / KEYS_AT_ONCE)
  return Array.from({ length: count }, (_, at) => keys.slice(at * KEYS_AT_ONCE, (at + 1) * KEYS_AT_ONCE))
}

/** Each way through an index of its own: what is asked beside it would lead SQLite through all deliveries of the property. */
async function findAbout(tx: Tx, propertyId: string, subject: Subject): Promise<Found[]> {
  const all = tx.selectFrom('deliveries').select(['seq', 'id', 'property_id'])
  const found: Found[] = []
  if (subject.contactId !== null)
    found.push(
      ...(await all.where('property_id', '=', propertyId).where('contact_id', '=', subject.contactId).execute()),
    )
  for (const ids of chunks(subject.submissionIds))
    found.push(...(await all.where('submission_id', 'in', ids).execute()))
  for (const [day, sessions] of Map.groupBy(subject.sessions, (session) => session.day)) {
    const hashes = sessions.map(({ session }) => session)
    for (const some of chunks(hashes))
      found.push(
        ...(await all
          .where('property_id', '=', propertyId)
          .where('session_day', '=', day)
          .where('session', 'in', some)
          .execute()),
      )
  }
  return found.filter(({ property_id }) => property_id === propertyId)
}

async function forget(tx: Tx, rows: readonly { readonly seq: number; readonly id: string }[], nowMs: number) {
  const seqs = rows.map(({ seq }) => seq)
  // An attempt that is under way finds its claim gone, and writes nothing of what is answered.
  await tx.updateTable('deliveries').set({ body: null, event: null, claim: null }).where('seq', 'in', seqs).execute()
  await tx
    .updateTable('deliveries')
    .set({ state: 'erased', finished_ms: nowMs })
    .where('seq', 'in', seqs)
    .where('state', 'in', ['pending', 'held'])
    .execute()
  await tx
    .updateTable('delivery_attempts')
    .set({ response_body: '', response_headers: '{}' })
    .where(
      'delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
}

/** @returns how many there were. */
export async function eraseDeliveries(tx: Tx, propertyId: string, subject: Subject, nowMs: number): Promise<number> {
  const found = new Map((await findAbout(tx, propertyId, subject)).map((row) => [row.seq, row]))
  for (const rows of chunks([...found.values()])) await forget(tx, rows, nowMs)
  return found.size
}
