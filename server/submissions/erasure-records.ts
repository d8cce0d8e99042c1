// The statements that delete submissions: of a person, and one by one.
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'

/** By what submissions are found to be somebody's. */
export interface Sender {
  /** The contacts that they made, whatever these are called by now: several, once they were merged. */
  readonly contact_ids: readonly string[]
  /** The comparison forms of their addresses (kernel/email.ts). */
  readonly email_keys: readonly string[]
  /** Their sessions: days since 1970-01-01, and the session hash in decimal. */
  readonly sessions: readonly { readonly day: number; readonly session: string }[]
}

/** Submissions of one statement, each a look into the index. */
const SUBMISSIONS_AT_ONCE = 100

export async function idsOfAddresses(tx: Tx, propertyId: string, emailKeys: readonly string[]): Promise<string[]> {
  if (emailKeys.length === 0) return []
  const rows = await tx
    .selectFrom('submission_keys')
    .select('submission_id')
    .where('property_id', '=', propertyId)
    .where('email_key', 'in', emailKeys)
    .execute()
  return rows.map(({ submission_id }) => submission_id)
}

export async function eraseOfAddresses(tx: Tx, propertyId: string, emailKeys: readonly string[]): Promise<number> {
  const ids = await idsOfAddresses(tx, propertyId, emailKeys)
  let erased = 0
  for (let at = 0; at < ids.length; at += SUBMISSIONS_AT_ONCE) {
    const some = ids.slice(at, at + SUBMISSIONS_AT_ONCE)
    erased += await changedBy(tx.deleteFrom('submissions').where('id', 'in', some))
  }
  return erased
}

export async function idsOfContacts(tx: Tx, propertyId: string, contactIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('submissions')
    .select('id')
    .where('property_id', '=', propertyId)
    .where('contact_id', 'in', contactIds)
    .execute()
  return rows.map(({ id }) => id)
}

export const eraseOfContacts = (tx: Tx, propertyId: string, contactIds: readonly string[]): Promise<number> =>
  changedBy(tx.deleteFrom('submissions').where('property_id', '=', propertyId).where('contact_id', 'in', contactIds))

export async function idsOfSessions(tx: Tx, propertyId: string, sessions: Sender['sessions']): Promise<string[]> {
  const rows = await tx
    .selectFrom('submissions')
    .select('id')
    .where('property_id', '=', propertyId)
    .where((row) =>
      row.or(sessions.map(({ day, session }) => row.and([row('session_day', '=', day), row('session', '=', session)]))),
    )
    .execute()
  return rows.map(({ id }) => id)
}

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
