// The statements about who belongs to a property. Each names the property.
import type { PageAsk } from '../kernel/page.ts'
import type { Listed } from '../properties/properties.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { Role } from './roles.ts'

/** A person as the owners of a property see them. */
export interface Member {
  /** Of the person: `us_…`. */
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly has_totp: boolean
  readonly is_active: boolean
  /** Since when they are a member. */
  readonly created_ts: number
}

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

/** In the order in which they came. */
export async function listMemberRows(records: Records, propertyId: string, ask: PageAsk): Promise<Listed<Member>> {
  const rows = await membersOf(records, propertyId)
    .select(columns)
    .orderBy('member.created_ts')
    .orderBy('user.seq')
    .offset((ask.page - 1) * ask.perPage)
    .limit(ask.perPage)
    .execute()
  return { rows: rows.map(toMember), total: await countMembers(records, propertyId) }
}

export async function countMembers(records: Records, propertyId: string): Promise<number> {
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

/** Who could still decide who belongs to the property, other than this one. */
export async function countOtherPropertyOwners(tx: Tx, propertyId: string, userId: string): Promise<number> {
  const { count } = await membersOf(tx, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('member.role', '=', 'owner')
    .where('user.is_active', '=', 1)
    .where('user.id', '!=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export interface NewMember {
  readonly property_id: string
  readonly user_id: string
  readonly role: Role
  readonly created_ts: number
}

/** False when they belong to it already. @throws a foreign key violation when the property or the person is gone. */
export async function insertMember(records: Records | Tx, member: NewMember): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await records
    .insertInto('members')
    .values(member)
    .onConflict((of) => of.columns(['property_id', 'user_id']).doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
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
