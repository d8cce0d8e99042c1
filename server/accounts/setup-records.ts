// The single row about the first owner. It is also the lock for changes that must see each other's outcome.
import type { Records, Tx } from '../stores/records.ts'

const NAME = 'owner'

/** The nonce of the one-time link; undefined once there has been an owner. */
export async function findNonce(records: Records): Promise<string | undefined> {
  const row = await records
    .selectFrom('account_setup')
    .select('nonce')
    .where('name', '=', NAME)
    .where('used_ts', 'is', null)
    .executeTakeFirst()
  return row?.nonce
}

/** True for exactly one caller. */
export async function useUp(tx: Tx, nowTs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_setup')
    .set({ used_ts: nowTs })
    .where('name', '=', NAME)
    .where('used_ts', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Locks until the end of the transaction. PostgreSQL needs it: two concurrent transactions would not see each
 * other's changes.
 */
export async function lockOwners(tx: Tx): Promise<void> {
  await tx.updateTable('account_setup').set({ name: NAME }).where('name', '=', NAME).execute()
}
