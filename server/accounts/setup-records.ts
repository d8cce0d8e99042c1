// The one row about the first owner, which is also the lock of changes that have to see each other's outcome.
import type { Records, Tx } from '../stores/records.ts'

const NAME = 'owner'

/** The nonce of the one-time link. Undefined once there was an owner. */
export async function findNonce(records: Records): Promise<string | undefined> {
  const row = await records
    .selectFrom('account_setup')
    .select('nonce')
    .where('name', '=', NAME)
    .where('used_ts', 'is', null)
    .executeTakeFirst()
  return row?.nonce
}

/** True for one caller alone, however many try. */
export async function useUp(tx: Tx, nowTs: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_setup')
    .set({ used_ts: nowTs })
    .where('name', '=', NAME)
    .where('used_ts', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Until the end of the transaction nobody else is past this line. Needed by PostgreSQL, where two of them would not see each other. */
export async function lockOwners(tx: Tx): Promise<void> {
  await tx.updateTable('account_setup').set({ name: NAME }).where('name', '=', NAME).execute()
}
