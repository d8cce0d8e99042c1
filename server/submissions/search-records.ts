// The statements that give submissions from before the column `search` their text. They go along an index of
// those alone.
import type { SubmissionTable } from '../stores/tables/form-tables.ts'
import type { Records, Tx } from '../stores/records.ts'

interface UnsearchedRow extends Pick<SubmissionTable, 'fields'> {
  readonly seq: number
}

export async function listUnsearchedRows(records: Records, limit: number): Promise<UnsearchedRow[]> {
  return records
    .selectFrom('submissions')
    .select(['seq', 'fields'])
    .where('search', 'is', null)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function writeSearchTexts(
  tx: Tx,
  texts: readonly { readonly seq: number; readonly search: string }[],
): Promise<void> {
  for (const { seq, search } of texts)
    await tx.updateTable('submissions').set({ search }).where('seq', '=', seq).execute()
}
