// The statements about removals of facts: what is to go, and who works at it.
import { claimOldest } from '../stores/claims.ts'
import type { Records } from '../stores/records.ts'
import type { FactRemovalRow } from '../stores/tables.ts'

/** Of a property; those that are over for long go with the next one. */
const KEPT_MS = 90 * 86_400_000

export async function insertRemoval(records: Records, row: FactRemovalRow): Promise<void> {
  await records
    .deleteFrom('fact_removals')
    .where('state', '=', 'removed')
    .where('finished_ms', '<', row.created_ms - KEPT_MS)
    .execute()
  await records.insertInto('fact_removals').values(row).execute()
}

export const findOpenRemoval = (
  records: Records,
  propertyId: string,
  reason: FactRemovalRow['reason'],
): Promise<FactRemovalRow | undefined> =>
  records
    .selectFrom('fact_removals')
    .selectAll()
    .where('property_id', '=', propertyId)
    .where('reason', '=', reason)
    .where('state', '=', 'removing')
    .executeTakeFirst()

export const findLastRemoval = (records: Records, propertyId: string): Promise<FactRemovalRow | undefined> =>
  records
    .selectFrom('fact_removals')
    .selectAll()
    .where('property_id', '=', propertyId)
    .orderBy('created_ms', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** The oldest that nobody works at. */
export const claimRemoval = (
  records: Records,
  claim: { readonly nowMs: number; readonly untilMs: number },
): Promise<FactRemovalRow | undefined> =>
  claimOldest(records, { table: 'fact_removals', states: ['removing'], ...claim })

/** Undefined when it is another one's by now. */
export const noteRemoval = (
  records: Records,
  { id, claimed_until_ms }: FactRemovalRow,
  change: Partial<FactRemovalRow>,
): Promise<FactRemovalRow | undefined> =>
  records
    .updateTable('fact_removals')
    .set(change)
    .where('id', '=', id)
    .where('claimed_until_ms', '=', claimed_until_ms)
    .returningAll()
    .executeTakeFirst()
