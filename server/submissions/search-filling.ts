// Submissions from before there was a column for the search are given theirs: a few at a time, with turns for
// others in between.
import type { Deps } from '../kernel/deps.ts'
import { inSteps } from '../stores/steps.ts'
import type { Answer } from '../forms/form-model.ts'
import { searchText } from './search.ts'
import { listUnsearchedRows, writeSearchTexts } from './search-records.ts'

/** Of one transaction: some milliseconds, however long their answers are. */
const ROWS_AT_ONCE = 50

/** Another node may be at it too: both write the same. @returns how many there were. */
export async function fillSearch({ records }: Pick<Deps, 'records'>): Promise<number> {
  return inSteps(async (most) => {
    const rows = await listUnsearchedRows(records, most)
    const texts = rows.map(({ seq, fields }) => ({ seq, search: searchText(JSON.parse(fields) as Answer[]) }))
    if (rows.length > 0) await records.transaction().execute(async (tx) => writeSearchTexts(tx, texts))
    return rows.length
  }, ROWS_AT_ONCE)
}
