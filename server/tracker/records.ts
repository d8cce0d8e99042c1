// The daily salts. Two days are kept; a deleted one cannot be restored, and without it nobody can find the
// visitor of a session.
import { type Records, scrubDeleted } from '../stores/records.ts'

/**
 * When several callers or nodes create a day's salt at the same time, all get the one that was stored first.
 */
export async function getOrCreateSalt(records: Records, day: number, fresh: string): Promise<string> {
  const found = await findSalt(records, day)
  if (found !== undefined) return found
  await records
    .insertInto('salts')
    .values({ day, salt: fresh })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  const stored = await findSalt(records, day)
  if (stored === undefined)
    throw new Error('the salt of the day was deleted while it was made: the clocks of the nodes differ by days')
  return stored
}

export async function findSalt(records: Records, day: number): Promise<string | undefined> {
  const row = await records.selectFrom('salts').select('salt').where('day', '=', day).executeTakeFirst()
  return row?.salt
}

export async function removeSaltsBefore(records: Records, day: number): Promise<void> {
  const { numDeletedRows } = await records.deleteFrom('salts').where('day', '<', day).executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) await scrubDeleted(records)
}
