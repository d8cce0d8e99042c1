// What webhooks have told of a person, forgotten with the person: in the transaction of the erasure. That
// there was a delivery stays, with its times; what it said and what was answered does not. What an endpoint
// was told before is its owner's to erase.
import { recordsKind, type Records, type Tx } from '../stores/records.ts'

/** By what deliveries are found to be about somebody. */
export interface Subject {
  /** Days since 1970-01-01, and the session hash in decimal. */
  readonly sessions: readonly { readonly day: number; readonly session: string }[]
  /** None: submissions alone. */
  readonly contactIds: readonly string[]
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

/** What was forgotten once holds nothing any more. */
const unforgotten = (records: Records | Tx) =>
  records
    .selectFrom('deliveries')
    .select(['seq', 'id', 'property_id'])
    .where((of) =>
      of.or([of('event', 'is not', null), of('body', 'is not', null), of('state', 'in', ['pending', 'held'])]),
    )

/**
 * Each way through an index of its own: what is asked beside it would lead SQLite through all deliveries of
 * the property.
 */
function waysTo(records: Records | Tx, propertyId: string, { sessions, contactIds, submissionIds }: Subject) {
  const all = unforgotten(records)
  const ofProperty = all.where('property_id', '=', propertyId)
  const days = [...Map.groupBy(sessions, ({ day }) => day)]
  return [
    ...chunks(contactIds).map((ids) => ofProperty.where('contact_id', 'in', ids)),
    ...chunks(submissionIds).map((ids) => all.where('submission_id', 'in', ids)),
    ...days.flatMap(([day, own]) =>
      chunks(own.map(({ session }) => session)).map((some) =>
        ofProperty.where('session_day', '=', day).where('session', 'in', some),
      ),
    ),
  ]
}

async function forget(tx: Tx, rows: readonly { readonly seq: number; readonly id: string }[], nowMs: number) {
  const seqs = rows.map(({ seq }) => seq)
  // In one order: two that forget the same rows each in its own would wait for each other.
  if (recordsKind(tx) === 'postgres')
    await tx.selectFrom('deliveries').select('seq').where('seq', 'in', seqs).orderBy('seq').forUpdate().execute()
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

/** Rows that are found at once. */
const FOUND_AT_ONCE = 1_000

type Way = ReturnType<typeof waysTo>[number]

async function findSome(
  way: Way,
  propertyId: string,
  after: number,
): Promise<{ rows: Found[]; last: number | undefined }> {
  const found = await way.where('seq', '>', after).orderBy('seq').limit(FOUND_AT_ONCE).execute()
  const isWhole = found.length < FOUND_AT_ONCE
  return { rows: found.filter((row) => row.property_id === propertyId), last: isWhole ? undefined : found.at(-1)?.seq }
}

/**
 * A few at a time, before the transaction that erases the person, which then finds little left: however many
 * there are, nobody waits for it. Each of them is forgotten, and not sent any more, from its own moment on; a
 * call that is cut short may be repeated.
 */
export async function eraseAhead(records: Records, propertyId: string, subject: Subject, nowMs: number): Promise<void> {
  for (const way of waysTo(records, propertyId, subject))
    for (let after: number | undefined = 0; after !== undefined;) {
      const { rows, last }: Awaited<ReturnType<typeof findSome>> = await findSome(way, propertyId, after)
      for (const some of chunks(rows)) await records.transaction().execute((tx) => forget(tx, some, nowMs))
      after = last
    }
}

/** @returns how many there were that had not been forgotten yet. */
export async function eraseDeliveries(tx: Tx, propertyId: string, subject: Subject, nowMs: number): Promise<number> {
  const found = new Map<number, Found>()
  for (const way of waysTo(tx, propertyId, subject))
    for (const row of await way.execute()) if (row.property_id === propertyId) found.set(row.seq, row)
  for (const rows of chunks([...found.values()].toSorted((a, b) => a.seq - b.seq))) await forget(tx, rows, nowMs)
  return found.size
}
