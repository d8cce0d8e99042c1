// Properties that keep their facts for a time of their own.
import type { Records } from '../stores/records.ts'

/** Those that keep their facts for a time of their own. */
export async function selectKeeping(records: Records): Promise<{ readonly id: string; readonly kept_days: number }[]> {
  const rows = await records
    .selectFrom('properties')
    .select(['id', 'kept_days'])
    .where('kept_days', 'is not', null)
    .execute()
  return rows.flatMap(({ id, kept_days }) => (kept_days === null ? [] : [{ id, kept_days }]))
}
