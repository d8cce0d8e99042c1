// The statements about links that work once. Whoever deletes the row has used the link; nobody else has.
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

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

/** While it is good. */
export async function findInvitation(records: Records, hash: string, nowTs: number): Promise<Invitation | undefined> {
  return records
    .selectFrom('invitations')
    .select(columns)
    .where('hash', '=', hash)
    .where('expires_ts', '>', nowTs)
    .executeTakeFirst()
}

/** True for one caller alone. */
export async function useInvitation(tx: Tx, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('invitations').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Earlier links of the same kind, which the newest one replaces: of the person, where there is one, whatever their address was then. */
export async function deleteEarlier(tx: Tx, { kind, property_id, email_key, user_id }: Invitation): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('kind', '=', kind)
    .where(user_id === null ? 'email_key' : 'user_id', '=', user_id ?? email_key)
    .$if(property_id !== null, (rows) => rows.where('property_id', '=', property_id))
    .execute()
}

export async function deleteInvitationsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('invitations').where('user_id', '=', userId).execute()
}

/** Of any property or none: nobody could use them any more. */
export async function deleteExpired(tx: Tx, nowTs: number): Promise<void> {
  await tx.deleteFrom('invitations').where('expires_ts', '<=', nowTs).execute()
}

const pendingOf = (records: Records, propertyId: string, nowTs: number) =>
  records.selectFrom('invitations').where('property_id', '=', propertyId).where('expires_ts', '>', nowTs)

export async function countInvitations(records: Records, propertyId: string, nowTs: number): Promise<number> {
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
