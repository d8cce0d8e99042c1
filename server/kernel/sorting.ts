// Lists in an order that the caller chooses. Lists that are short enough are sorted here, as a whole; what
// has no value stands last either way, and equal rows in the order of the list.
import { everyRow, type Listed, offsetOf, type PageQuery } from './page.ts'

export const orders = ['asc', 'desc'] as const

export interface SortQuery<Id extends string> {
  readonly sort?: Id | undefined
  /** Left out: desc. */
  readonly order?: (typeof orders)[number] | undefined
}

type SortValue = number | string | null

/** What rows are sorted by, by the names that a caller may ask for. */
export type SortValues<Row, Id extends string> = Readonly<Record<Id, (row: Row) => SortValue>>

function compare(one: number | string, other: number | string): number {
  if (typeof one === 'string') return one.localeCompare(String(other), 'en', { numeric: true })
  return one - Number(other)
}

export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => SortValue,
  order: SortQuery<string>['order'],
): Row[] {
  const sign = order === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return sign * compare(one, other)
  })
}

/**
 * A page of a list of some hundred rows. Without `sort` in the order of the list, of which one page is read.
 */
export async function sortedPage<Row, Id extends string>(
  ask: PageQuery,
  { sort, order }: SortQuery<Id>,
  values: SortValues<Row, Id>,
  list: (page: PageQuery) => Promise<Listed<Row>>,
): Promise<Listed<Row>> {
  if (sort === undefined) return list(ask)
  const rows = sortRows(await everyRow(list), values[sort], order)
  return { rows: rows.slice(offsetOf(ask), offsetOf(ask) + ask.perPage), total: rows.length }
}
