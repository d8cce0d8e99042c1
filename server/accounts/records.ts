// The statements about people. Rows are parsed here: past this file flags are booleans.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { ListedUser, User } from './user-model.ts'

/** What is stored of a person beyond what the API answers. */
export interface StoredUser extends ListedUser {
  readonly emailKey: string
  readonly passwordHash: string | null
  /** Encrypted under SECRET. */
  readonly totpSecret: string | null
  readonly totpPending: string | null
}

export const userColumns = [
  'id',
  'email',
  'email_key',
  'name',
  'password_hash',
  'is_owner',
  'is_active',
  'totp_secret',
  'totp_pending',
  'created_ts',
] as const

type UserRow = Pick<RecordTables['users'], (typeof userColumns)[number]>

export const toStored = (row: UserRow): StoredUser => ({
  id: row.id,
  email: row.email,
  name: row.name,
  is_owner: row.is_owner === 1,
  has_totp: row.totp_secret !== null,
  created_ts: row.created_ts,
  is_active: row.is_active === 1,
  has_password: row.password_hash !== null,
  emailKey: row.email_key,
  passwordHash: row.password_hash,
  totpSecret: row.totp_secret,
  totpPending: row.totp_pending,
})

export const userJson = ({ id, email, name, is_owner, has_totp, created_ts }: User): User => ({
  id,
  email,
  name,
  is_owner,
  has_totp,
  created_ts,
})

export const listedUserJson = (user: ListedUser): ListedUser => ({
  ...userJson(user),
  is_active: user.is_active,
  has_password: user.has_password,
})

export async function findUser(
  records: Records | Tx,
  column: 'id' | 'email_key',
  text: string,
): Promise<StoredUser | undefined> {
  const row = await records.selectFrom('users').select(userColumns).where(column, '=', text).executeTakeFirst()
  return row && toStored(row)
}

/** By id. A person without a name is called by their address. */
export async function findUserNames(records: Records, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name, email }) => [id, name || email]))
}

/** Newest first. */
export async function listUserRows(records: Records, query: PageQuery): Promise<Listed<ListedUser>> {
  const rows = await records
    .selectFrom('users')
    .select(userColumns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  const { total } = await records
    .selectFrom('users')
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map((row) => listedUserJson(toStored(row))), total }
}

export interface NewUser {
  readonly id: string
  readonly email: string
  readonly emailKey: string
  readonly name: string
  readonly passwordHash: string | null
  readonly is_owner: boolean
  readonly created_ts: number
}

/** @throws a unique violation when the address is taken. */
export async function insertUser(records: Records | Tx, user: NewUser): Promise<void> {
  const { emailKey, passwordHash, is_owner: isOwner, ...rest } = user
  await records
    .insertInto('users')
    .values({
      ...rest,
      email_key: emailKey,
      password_hash: passwordHash,
      is_owner: isOwner ? 1 : 0,
      is_active: 1,
      totp_secret: null,
      totp_pending: null,
      totp_last_step: null,
    })
    .execute()
}

export interface UserChange {
  readonly name?: string
  readonly email?: string
  readonly email_key?: string
  readonly password_hash?: string
  readonly is_owner?: number
  readonly is_active?: number
  readonly totp_secret?: string | null
  readonly totp_pending?: string | null
}

/** @throws a unique violation when the address is taken. */
export async function updateUserRow(records: Records | Tx, id: string, change: UserChange): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('users')
    .set({ id, ...change })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the password is still the one that was just verified; locked until the end of the transaction. */
export async function lockPassword(tx: Tx, { id, passwordHash }: StoredUser): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ id })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when the pending secret has changed or is gone. */
export async function confirmPending(tx: Tx, { id, totpPending }: StoredUser): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ totp_secret: totpPending, totp_pending: null })
    .where('id', '=', id)
    .where('totp_pending', '=', totpPending)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * False when the person was deactivated or removed meanwhile. @throws a unique violation when the address is
 * taken.
 */
export async function updateActiveUser(tx: Tx, id: string, change: UserChange): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ id, ...change })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Cascades to everything of the person, except invitations to their address. */
export async function deleteUserRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/** Another owner of the installation who can sign in: `favourite` if that is one, else the earliest. */
export async function findOtherOwner(tx: Tx, id: string, favourite?: string): Promise<string | undefined> {
  const owner = await tx
    .selectFrom('users')
    .select('id')
    .where('is_owner', '=', 1)
    .where('is_active', '=', 1)
    .where('password_hash', 'is not', null)
    .where('id', '!=', id)
    .orderBy((of) =>
      of
        .case()
        .when('id', '=', favourite ?? '')
        .then(0)
        .else(1)
        .end(),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return owner?.id
}
