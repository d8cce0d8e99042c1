// Lists as commands answer them: complete.
import type { PageAsk } from '../server/kernel/page.ts'

const ROWS_AT_ONCE = 1000

/** Every row, page by page. */
export async function everyRow<Row>(list: (ask: PageAsk) => Promise<{ readonly rows: Row[] }>): Promise<Row[]> {
  const all: Row[] = []
  for (let page = 1; ; page++) {
    const { rows } = await list({ page, perPage: ROWS_AT_ONCE })
    all.push(...rows)
    if (rows.length < ROWS_AT_ONCE) return all
  }
}
