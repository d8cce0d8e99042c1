// The statements about the sessions in which people are signed in, found by the hash of their cookie.
import type { Role } from '../kernel/roles.ts'
import type { Records, Tx } from '../stores/records.ts'
import { userJson, toStored, userColumns } from './records.ts'
import type { SignedIn } from './user-model.ts'

async function rolesOf(records: Records, userIds: readonly string[]): Promise<Map<string, Map<string, Role>>> {
  const roles = new Map<string, Map<string, Role>>(userIds.map((id) => [id, new Map()]))
  if (userIds.length === 0) return roles
  const rows = await records.selectFrom('members').selectAll().where('user_id', 'in', userIds).execute()
  for (const row of rows) roles.get(row.user_id)?.set(row.property_id, row.role)
  return roles
}

/** By the hash of the cookie; only active people. */
export async function selectSignedIn(records: Records, hashes: readonly string[]): Promise<Map<string, SignedIn>> {
  const rows = await records
    .selectFrom('user_sessions as session')
    .innerJoin('users as user', 'user.id', 'session.user_id')
    .select(['session.id as sessionId', 'session.hash', 'session.created_ts as createdTs'])
    .select(['session.last_seen_ts as lastSeenTs', ...userColumns.map((column) => `user.${column}` as const)])
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
        user: userJson(toStored(row)),
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

/** All sessions of a person, or all except one. */
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

/** Expired sessions of a person, and the oldest ones beyond the limit. */
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
