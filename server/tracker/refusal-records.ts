// The statements about refused calls: how many a day, by reason and host.
import { sql } from 'kysely'
import { isForeignKeyViolation, type Records } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export type RefusedRow = RecordTables['refused_calls']

/** Adds to the stored counts; counts of a deleted property are dropped. */
export async function addRefused(records: Records, row: RefusedRow): Promise<void> {
  await records
    .insertInto('refused_calls')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['property_id', 'day', 'reason', 'host'])
        .doUpdateSet({ calls: sql<number>`refused_calls.calls + excluded.calls` }),
    )
    .execute()
    .catch((error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error
    })
}

export async function deleteRefusedBefore(records: Records, day: number): Promise<void> {
  await records.deleteFrom('refused_calls').where('day', '<', day).execute()
}

/** The most frequent first; counts without a host of their own are under ''. */
export async function listRefused(
  records: Records,
  propertyId: string,
  { sinceDay, limit }: { readonly sinceDay: number; readonly limit: number },
): Promise<Pick<RefusedRow, 'reason' | 'host' | 'calls'>[]> {
  const rows = await records
    .selectFrom('refused_calls')
    .select((of) => ['reason', 'host', of.fn.sum<number | string>('calls').as('calls')])
    .where('property_id', '=', propertyId)
    .where('day', '>=', sinceDay)
    .groupBy(['reason', 'host'])
    .orderBy('calls', 'desc')
    .orderBy('reason')
    .orderBy('host')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, calls: Number(row.calls) }))
}
