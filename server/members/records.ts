// The statements about who belongs to a property. Each names the property.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { Role } from '../kernel/roles.ts'
import type { MemberJson } from '../accounts/schema.ts'

/** A person as the owners of a property see them. */
export type Member = MemberJson

const membersOf = (records: Records | Tx, propertyId: string) =>
  records
    .selectFrom('members as member')
    .innerJoin('users as user', 'user.id', 'member.user_id')
    .where('member.property_id', '=', propertyId)

const columns = [
  'user.id',
  'user.email',
  'user.name',
  'member.role',
  'user.totp_secret',
  'user.is_active',
  'member.created_ts',
] as const

interface Row extends Pick<Member, 'id' | 'email' | 'name' | 'role' | 'created_ts'> {
  readonly totp_secret: string | null
  readonly is_active: number
}

const toMember = ({ totp_secret: secret, is_active: isActive, ...row }: Row): Member => ({
  ...row,
  has_totp: secret !== null,
  is_active: isActive === 1,
})

/** In the order in which they joined. */
export async function listMemberRows(records: Records, propertyId: string, query: PageQuery): Promise<Listed<Member>> {
  const rows = await membersOf(records, propertyId)
    .select(columns)
    .orderBy('member.created_ts')
    .orderBy('user.seq')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return { rows: rows.map(toMember), total: await countMembers(records, propertyId) }
}

export async function countMembers(records: Records | Tx, propertyId: string): Promise<number> {
  const { count } = await membersOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function findMember(
  records: Records | Tx,
  propertyId: string,
  userId: string,
): Promise<Member | undefined> {
  const row = await membersOf(records, propertyId).select(columns).where('user.id', '=', userId).executeTakeFirst()
  return row && toMember(row)
}

/** Owners of properties, other than this person, who can sign in. */
const otherOwners = (tx: Tx, userId: string) =>
  tx
    .selectFrom('members as owner')
    .innerJoin('users as other', 'other.id', 'owner.user_id')
    .select('owner.property_id')
    .where('owner.role', '=', 'owner')
    .where('other.is_active', '=', 1)
    .where('other.password_hash', 'is not', null)
    .where('other.id', '!=', userId)

export async function hasOtherOwner(tx: Tx, propertyId: string, userId: string): Promise<boolean> {
  const other = await otherOwners(tx, userId).where('owner.property_id', '=', propertyId).limit(1).executeTakeFirst()
  return other !== undefined
}

/** Ids of the properties whose only owner who can sign in is this person. */
export async function listOwnedAlone(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('members')
    .select('property_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .where('property_id', 'not in', otherOwners(tx, userId))
    .orderBy('property_id')
    .execute()
  return rows.map((row) => row.property_id)
}

/**
 * Email addresses of the owners who are active; of those of the installation, where the property has none.
 */
export async function listOwnerEmails(records: Records, propertyId: string): Promise<string[]> {
  const owners = await membersOf(records, propertyId)
    .select('user.email')
    .where('member.role', '=', 'owner')
    .where('user.is_active', '=', 1)
    .orderBy('user.seq')
    .execute()
  if (owners.length > 0) return owners.map(({ email }) => email)
  const ofInstallation = records
    .selectFrom('users')
    .select('email')
    .where('is_owner', '=', 1)
    .where('is_active', '=', 1)
  return (await ofInstallation.orderBy('seq').execute()).map(({ email }) => email)
}

export interface NewMember {
  readonly property_id: string
  readonly user_id: string
  readonly role: Role
  readonly created_ts: number
}

/**
 * False when the person is a member already. @throws a foreign key violation when the property or the person
 * is gone.
 */
export async function insertMember(records: Records | Tx, member: NewMember): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('members')
    .values(member)
    .onConflict((of) => of.columns(['property_id', 'user_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Rows per statement: both databases take some ten thousand parameters. */
const ROWS_AT_ONCE = 500

/** Makes the person an owner of each, whatever role they had. */
export async function insertOwner(
  tx: Tx,
  propertyIds: readonly string[],
  { user_id, created_ts }: Pick<NewMember, 'user_id' | 'created_ts'>,
): Promise<void> {
  const rows = propertyIds.map((property_id) => ({ property_id, user_id, role: 'owner' as const, created_ts }))
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await tx
      .insertInto('members')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((of) => of.columns(['property_id', 'user_id']).doUpdateSet({ role: 'owner' }))
      .execute()
}

export async function updateMemberRole(tx: Tx, propertyId: string, userId: string, role: Role): Promise<void> {
  await tx
    .updateTable('members')
    .set({ role })
    .where('property_id', '=', propertyId)
    .where('user_id', '=', userId)
    .execute()
}

export async function deleteMember(tx: Tx, propertyId: string, userId: string): Promise<void> {
  await tx.deleteFrom('members').where('property_id', '=', propertyId).where('user_id', '=', userId).execute()
}
