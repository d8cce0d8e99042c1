// The statements about the sign-in log and recovery codes.
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export type SignIn = Omit<RecordTables['sign_ins'], 'seq' | 'user_id' | 'client'>

/** A plain insert: its duration must not reveal how many entries the person has. */
export async function insertSignIn(records: Records | Tx, row: Omit<RecordTables['sign_ins'], 'seq'>): Promise<void> {
  await records.insertInto('sign_ins').values(row).execute()
}

/** Whether the account signed in from this client before: one index look-up, however long the log is. */
export async function wasHere(records: Records, userId: string, client: string, sinceTs: number): Promise<boolean> {
  const row = await records
    .selectFrom('sign_ins')
    .select('seq')
    .where('user_id', '=', userId)
    .where('client', '=', client)
    .where('outcome', '=', 'ok')
    .where('ts', '>=', sinceTs)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

interface Place {
  readonly browser: string
  readonly os: string
  readonly country: string
}

/**
 * Whether the person has signed in before, but never with this browser on this system, or never from this
 * country. A country that is not known is none.
 */
export async function isNewPlace(
  tx: Tx,
  userId: string,
  { browser, os, country }: Place,
  sinceTs: number,
): Promise<boolean> {
  const places = await tx
    .selectFrom('sign_ins')
    .select(['browser', 'os', 'country'])
    .distinct()
    .where('user_id', '=', userId)
    .where('outcome', '=', 'ok')
    .where('ts', '>=', sinceTs)
    .execute()
  if (places.length === 0) return false
  const hasBrowser = places.some((place) => place.browser === browser && place.os === os)
  return !hasBrowser || (country !== '' && places.every((place) => place.country !== country))
}

/** Newest first. */
export async function listSignInRows(records: Records, userId: string, query: PageQuery): Promise<Listed<SignIn>> {
  const rows = await records
    .selectFrom('sign_ins')
    .select(['ts', 'outcome', 'browser', 'os', 'country', 'address'])
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  const { total } = await records
    .selectFrom('sign_ins')
    .select((of) => of.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { rows, total }
}

// ---------------------------------------------------------------- second factor

/** False when a code of this step or a later one was used before: the row decides races. */
export async function useStep(records: Records | Tx, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('users')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where((of) => of.or([of('totp_last_step', 'is', null), of('totp_last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** True for exactly one caller. */
export async function useRecoveryCode(records: Records, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length > 0)
    await tx
      .insertInto('recovery_codes')
      .values(hashes.map((hash) => ({ user_id: userId, hash })))
      .execute()
}
