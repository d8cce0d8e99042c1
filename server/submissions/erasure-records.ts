// The statements that delete submissions: of a person, and one by one.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'

/** By what submissions are found to be somebody's. */
export interface Sender {
  /** The contact that they made, whatever its address is by now. */
  readonly contact_id: string
  /** The comparison form of their address (kernel/email.ts); null: none is known. */
  readonly email_key: string | null
  /** Their sessions: days since 1970-01-01, and the session hash in decimal. */
  readonly sessions: readonly { readonly day: number; readonly session: string }[]
}

/** Submissions of one statement, each a look into the index. */
const SUBMISSIONS_AT_ONCE = 100

export async function idsOfAddress(tx: Tx, propertyId: string, emailKey: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('submission_keys')
    .select('submission_id')
    .where('property_id', '=', propertyId)
    .where('email_key', '=', emailKey)
    .execute()
  return rows.map(({ submission_id }) => submission_id)
}

export async function eraseOfAddress(tx: Tx, propertyId: string, emailKey: string): Promise<number> {
  const ids = await idsOfAddress(tx, propertyId, emailKey)
  let erased = 0
  for (let at = 0; at < ids.length; at += SUBMISSIONS_AT_ONCE) {
    const some = ids.slice(at, at + SUBMISSIONS_AT_ONCE)
    erased += await changedBy(tx.deleteFrom('submissions').where('id', 'in', some))
  }
  return erased
}

export async function idsOfContact(tx: Tx, propertyId: string, contactId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('submissions')
    .select('id')
    .where('property_id', '=', propertyId)
    .where('contact_id', '=', contactId)
    .execute()
  return rows.map(({ id }) => id)
}

export const eraseOfContact = (tx: Tx, propertyId: string, contactId: string): Promise<number> =>
  changedBy(tx.deleteFrom('submissions').where('property_id', '=', propertyId).where('contact_id', '=', contactId))

export async function eraseOfSessions(tx: Tx, propertyId: string, sessions: Sender['sessions']): Promise<number> {
  const own = tx.deleteFrom('submissions').where('property_id', '=', propertyId)
  return changedBy(
    own.where((row) =>
      row.or(sessions.map(({ day, session }) => row.and([row('session_day', '=', day), row('session', '=', session)]))),
    ),
  )
}

/** Of the form, from before a moment. */
export async function listSome(records: Records, formId: string, beforeMs: number, most: number) {
  return records
    .selectFrom('submissions')
    .select(['seq', 'id'])
    .where('form_id', '=', formId)
    .where('submitted_ms', '<', beforeMs)
    .limit(most)
    .execute()
}

/** @returns how many there still were. */
export const deleteRows = (tx: Tx, seqs: readonly number[]): Promise<number> =>
  changedBy(tx.deleteFrom('submissions').where('seq', 'in', seqs))
