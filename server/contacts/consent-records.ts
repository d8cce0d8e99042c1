// To what people agreed: in which words, when, and at which form. Gone with the person.
import type { Records, Tx } from '../stores/records.ts'
import type { ConsentTable } from '../stores/tables/contact-tables.ts'

export type Consent = Readonly<ConsentTable>

/** Once for a submission, however often that is looked at. */
export async function insertConsent(tx: Tx, consent: Consent): Promise<void> {
  await tx
    .insertInto('contact_consents')
    .values(consent)
    .onConflict((conflict) => conflict.columns(['contact_id', 'submission_id']).doNothing())
    .execute()
}

/** More than anybody agrees to. */
const MOST_CONSENTS = 100

/** Newest first. */
export const listConsents = (records: Records, propertyId: string, contactId: string): Promise<Consent[]> =>
  records
    .selectFrom('contact_consents')
    .selectAll()
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .orderBy('given_ms', 'desc')
    .limit(MOST_CONSENTS)
    .execute()

/** As the interface and exports show it. */
export const consentJson = ({ words, given_ms, form_id, form_name, submission_id }: Consent) => ({
  words,
  given_ts: Math.floor(given_ms / 1000),
  form: { id: form_id, name: form_name },
  submission_id,
})

const BATCH = 500

/** Of all contacts of a property, for whoever takes everything along. */
export async function* consentBatches(records: Records, propertyId: string): AsyncGenerator<Consent[]> {
  let last = ['', '']
  for (;;) {
    const [contact = '', submission = ''] = last
    const rows = await records
      .selectFrom('contact_consents')
      .selectAll()
      .where('property_id', '=', propertyId)
      .where((row) =>
        row.or([
          row('contact_id', '>', contact),
          row.and([row('contact_id', '=', contact), row('submission_id', '>', submission)]),
        ]),
      )
      .orderBy('contact_id')
      .orderBy('submission_id')
      .limit(BATCH)
      .execute()
    if (rows.length > 0) yield rows
    const end = rows.at(-1)
    if (!end || rows.length < BATCH) return
    last = [end.contact_id, end.submission_id]
  }
}

export async function eraseConsents(tx: Tx, propertyId: string, contactId: string): Promise<void> {
  await tx
    .deleteFrom('contact_consents')
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .execute()
}
