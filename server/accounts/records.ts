// The statements about people and the sessions in which they are signed in. Rows are parsed here: past this file flags are booleans.
import type { PageAsk } from '../kernel/page.ts'
import type { Listed } from '../properties/properties.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'
import type { Role } from '../members/roles.ts'
import type { ListedUser, SignedIn, User } from './user-model.ts'

/** What is stored of a person beyond what is shown. */
export interface StoredUser extends ListedUser {
  readonly emailKey: string
  readonly passwordHash: string | null
  /** Sealed. */
  readonly totpSecret: string | null
  readonly totpPending: string | null
}

const columns = [
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

type UserRow = Pick<RecordTables['users'], (typeof columns)[number]>

const toStored = (row: UserRow): StoredUser => ({
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

export const shownUser = ({ id, email, name, is_owner, has_totp, created_ts }: User): User => ({
  id,
  email,
  name,
  is_owner,
  has_totp,
  created_ts,
})

export const listedUser = (user: ListedUser): ListedUser => ({
  ...shownUser(user),
  is_active: user.is_active,
  has_password: user.has_password,
})

export async function findUser(
  records: Records | Tx,
  column: 'id' | 'email_key',
  text: string,
): Promise<StoredUser | undefined> {
  const row = await records.selectFrom('users').select(columns).where(column, '=', text).executeTakeFirst()
  return row && toStored(row)
}

/** By id. What somebody is called by who has no name is their address. */
export async function findUserNames(records: Records, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name, email }) => [id, name || email]))
}

/** Newest first. */
export async function listUserRows(records: Records, ask: PageAsk): Promise<Listed<ListedUser>> {
  const rows = await records
    .selectFrom('users')
    .select(columns)
    .orderBy('seq', 'desc')
    .offset((ask.page - 1) * ask.perPage)
    .limit(ask.perPage)
    .execute()
  const { total } = await records
    .selectFrom('users')
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map((row) => listedUser(toStored(row))), total }
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

/** @throws a unique violation when somebody has the address already. */
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

/** @throws a unique violation when somebody has the address already. */
export async function updateUserRow(records: Records | Tx, id: string, change: UserChange): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('users')
    .set({ id, ...change })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the password is still the one that was just found right; held until the end of the transaction. */
export async function holdPassword(tx: Tx, { id, passwordHash }: StoredUser): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ id })
    .where('id', '=', id)
    .where('password_hash', '=', passwordHash)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when it is another one by now, or none. */
export async function confirmPending(tx: Tx, { id, totpPending }: StoredUser): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ totp_secret: totpPending, totp_pending: null })
    .where('id', '=', id)
    .where('totp_pending', '=', totpPending)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** False when the person was shut out or removed meanwhile. @throws a unique violation when somebody has the address already. */
export async function updateActiveUser(tx: Tx, id: string, change: UserChange): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ id, ...change })
    .where('id', '=', id)
    .where('is_active', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** With everything that hangs on the row; invitations to their address do not. */
export async function deleteUserRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute()
}

/**
 * Owners of the installation who can sign in, other than this one. The first of them: whom `favourite` names,
 * or who was there first.
 */
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

// ---------------------------------------------------------------- sessions

async function rolesOf(records: Records, userIds: readonly string[]): Promise<Map<string, Map<string, Role>>> {
  const roles = new Map<string, Map<string, Role>>(userIds.map((id) => [id, new Map()]))
  if (userIds.length === 0) return roles
  const rows = await records.selectFrom('members').selectAll().where('user_id', 'in', userIds).execute()
  for (const row of rows) roles.get(row.user_id)?.set(row.property_id, row.role)
  return roles
}

/** By the hash of the cookie; of people who are active alone. */
export async function selectSignedIn(records: Records, hashes: readonly string[]): Promise<Map<string, SignedIn>> {
  const rows = await records
    .selectFrom('user_sessions as session')
    .innerJoin('users as user', 'user.id', 'session.user_id')
    .select(['session.id as sessionId', 'session.hash', 'session.created_ts as createdTs'])
    .select(['session.last_seen_ts as lastSeenTs', ...columns.map((column) => `user.${column}` as const)])
    .where('session.hash', 'in', hashes)
    .where('user.is_active', '=', 1)
    .execute()
  const roles = await rolesOf(records, [...new Set(rows.map((row) => row.id))])
  return new Map(
    rows.map((row) => [
      row.hash,
      {
        sessionId: row.sessionId,
        createdTs: row.createdTs,
        lastSeenTs: row.lastSeenTs,
        user: shownUser(toStored(row)),
        roles: roles.get(row.id) ?? new Map<string, Role>(),
      },
    ]),
  )
}

export interface NewSession {
  readonly id: string
  readonly user_id: string
  readonly hash: string
  readonly created_ts: number
  readonly last_seen_ts: number
  readonly browser: string
  readonly os: string
}

/** @throws a foreign key violation when the person is gone. */
export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx.insertInto('user_sessions').values(session).execute()
}

export async function touchSession(records: Records, id: string, nowTs: number): Promise<void> {
  await records
    .updateTable('user_sessions')
    .set({ last_seen_ts: nowTs })
    .where('id', '=', id)
    .where('last_seen_ts', '<', nowTs)
    .execute()
}

export async function deleteSessionByHash(records: Records | Tx, hash: string): Promise<void> {
  await records.deleteFrom('user_sessions').where('hash', '=', hash).execute()
}

export async function deleteSession(records: Records, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** All of a person's, or all but one. */
export async function deleteSessionsOf(records: Records | Tx, userId: string, but?: string): Promise<void> {
  await records
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .$if(but !== undefined, (rows) => rows.where('id', '!=', but ?? ''))
    .execute()
}

export interface SessionAges {
  readonly seenSince: number
  readonly createdSince: number
  readonly most: number
}

/** Those of a person that are over, and the oldest of more than anybody has. */
export async function deleteOldSessions(tx: Tx, userId: string, ages: SessionAges): Promise<void> {
  await tx
    .deleteFrom('user_sessions')
    .where('user_id', '=', userId)
    .where((of) => of.or([of('last_seen_ts', '<', ages.seenSince), of('created_ts', '<', ages.createdSince)]))
    .execute()
  const oldest = await tx
    .selectFrom('user_sessions')
    .select('seq')
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .offset(ages.most)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await tx.deleteFrom('user_sessions').where('user_id', '=', userId).where('seq', '<=', oldest.seq).execute()
}

export async function listSessionRows(records: Records, userId: string) {
  return records
    .selectFrom('user_sessions')
    .select(['id', 'created_ts', 'last_seen_ts', 'browser', 'os'])
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .execute()
}
