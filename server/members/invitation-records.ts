// The statements about links that work once. Deleting the row uses the link: only one caller succeeds.
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { StoredUser } from '../accounts/records.ts'

export type Invitation = Omit<RecordTables['invitations'], 'seq' | 'hash'>

const columns = [
  'id',
  'kind',
  'property_id',
  'role',
  'email',
  'email_key',
  'user_id',
  'drops_totp',
  'created_ts',
  'expires_ts',
] as const

/** @throws a foreign key violation when the property or the person is gone. */
export async function insertInvitation(tx: Tx, row: Invitation, hash: string): Promise<void> {
  await tx
    .insertInto('invitations')
    .values({ ...row, hash })
    .execute()
}

/** Only links that have not expired. */
export async function findInvitation(records: Records, hash: string, nowTs: number): Promise<Invitation | undefined> {
  return records
    .selectFrom('invitations')
    .select(columns)
    .where('hash', '=', hash)
    .where('expires_ts', '>', nowTs)
    .executeTakeFirst()
}

/** True for exactly one caller. */
export async function useInvitation(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Earlier links for the same purpose, which the newest one replaces: for the property, or for the person's
 * password.
 */
export async function deleteEarlier(tx: Tx, { property_id, email_key, user_id }: Invitation): Promise<void> {
  if (user_id !== null) return deletePasswordLinks(tx, user_id)
  await tx.deleteFrom('invitations').where('property_id', '=', property_id).where('email_key', '=', email_key).execute()
}

/** Links for the person's password, whatever address they had when the links were created. */
export async function deletePasswordLinks(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('user_id', '=', userId).execute()
}

/** Invitations of the person's address into one property: a decision about the person replaces them. */
export async function deleteInvitationsInto(tx: Tx, propertyId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('property_id', '=', propertyId)
    .where('email_key', 'in', (of) => of.selectFrom('users').select('email_key').where('id', '=', userId))
    .execute()
}

/** Links for the person's password, and invitations of the address into any property. */
export async function deleteLinksOf(tx: Tx, { id, emailKey }: Pick<StoredUser, 'id' | 'emailKey'>): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where((of) => of.or([of('user_id', '=', id), of('email_key', '=', emailKey)]))
    .execute()
}

/** Links of any property or none that have expired. */
export async function deleteExpired(tx: Tx, nowTs: number): Promise<void> {
  await tx.deleteFrom('invitations').where('expires_ts', '<=', nowTs).execute()
}

const pendingOf = (records: Records | Tx, propertyId: string, nowTs: number) =>
  records.selectFrom('invitations').where('property_id', '=', propertyId).where('expires_ts', '>', nowTs)

export async function countInvitations(records: Records | Tx, propertyId: string, nowTs: number): Promise<number> {
  const { count } = await pendingOf(records, propertyId, nowTs)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first; all of them, since a property has few. */
export async function listInvitationRows(records: Records, propertyId: string, nowTs: number): Promise<Invitation[]> {
  return pendingOf(records, propertyId, nowTs).select(columns).orderBy('seq', 'desc').execute()
}

export async function deleteInvitation(records: Records, propertyId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('invitations')
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
