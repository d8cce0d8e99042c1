// A table of one page of a list, with the way to the other pages under it.
import type { UseQueryResult } from '@tanstack/react-query'
import type { Page } from '../api.ts'
import { useExistingPage } from '../paging.ts'
import { DataTable, type DataTableProps, Pagination } from './table.tsx'
import styles from './table.module.css'

type List<Row> = Pick<UseQueryResult<Page<Row>>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>

export interface PagedTableProps<Row> extends Omit<
  DataTableProps<Row>,
  'rows' | 'rowKey' | 'error' | 'onRetry' | 'isStale'
> {
  readonly list: List<Row>
  /** From 1. A page that the list no longer has is left for the first one. */
  readonly page: number
  readonly perPage: number
  readonly onPage: (page: number, how?: { readonly replace: boolean }) => void
  /** What stands below instead, when all rows are on one page. */
  readonly countWords?: ((total: number) => string) | undefined
  /** Left out where rows have an id. */
  readonly rowKey?: ((row: Row) => string) | undefined
}

export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { list, page, perPage, onPage, countWords, rowKey = idOf, ...table } = props
  const total = list.data?.total ?? 0
  useExistingPage(page, list.isPlaceholderData ? undefined : list.data, (first) => onPage(first, { replace: true }))
  return (
    <>
      <DataTable
        {...table}
        rows={list.data?.data}
        rowKey={rowKey}
        error={list.error}
        onRetry={list.refetch}
        isStale={list.isPlaceholderData}
      />
      <Pagination page={page} perPage={perPage} total={total} onPage={onPage} />
      {countWords && total > 0 && total <= perPage && <p className={styles.count}>{countWords(total)}</p>}
    </>
  )
}

const idOf = (row: unknown): string => (row as { readonly id: string }).id
