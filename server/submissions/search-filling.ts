// Submissions from before there was a column for the search are given theirs: a few at a time, with turns for others in between.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '../kernel/deps.ts'
import type { Answer } from '../forms/form-model.ts'
import { searchText } from './search.ts'
import { listUnsearchedRows, writeSearchTexts } from './search-records.ts'

/** Of one transaction: some milliseconds, however long their answers are. */
const ROWS_AT_ONCE = 50

/** Another node may be at it too: both write the same. @returns how many there were. */
export async function fillSearch({ records }: Pick<Deps, 'records'>): Promise<number> {
  for (let filled = 0; ;) {
    const rows = await listUnsearchedRows(records, ROWS_AT_ONCE)
    if (rows.length === 0) return filled
    const texts = rows.map(({ seq, fields }) => ({ seq, search: searchText(JSON.parse(fields) as Answer[]) }))
    await records.transaction().execute(async (tx) => writeSearchTexts(tx, texts))
    filled += rows.length
    await nextTurn()
  }
}
