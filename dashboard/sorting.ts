// The order of a table in the URL, as its heads and the service take it. A table without one is in the order
// of the service, the newest first.
import type { OrderAsk } from './api.ts'
import { numberParam, sortParam, type SortState, useUrlState } from './url.ts'

type Sort = SortState<string>

/** Made once, outside of the component. @param ids of the columns that the service can sort by. */
export const sortingBy = (ids: readonly string[], byDefault: Sort | null) => ({
  codecs: { sort: sortParam(ids, byDefault), page: numberParam(1) },
})

export interface Sorting {
  readonly sort: Sort | undefined
  /** For a table: any other order begins with its first page. */
  readonly onSort: (sort: Sort) => void
  /** For the service. */
  readonly ask: OrderAsk
}

export function useSorting({ codecs }: ReturnType<typeof sortingBy>): Sorting {
  const [{ sort }, setState] = useUrlState<{ sort: Sort | null; page: number }>(codecs)
  return {
    sort: sort ?? undefined,
    onSort: (next) => setState({ sort: next, page: 1 }),
    ask: sort ? { sort: sort.by, order: sort.isDescending ? 'desc' : 'asc' } : {},
  }
}
