// A page that is a list: search, pages, and the dialog that creates a record. The URL holds its state.
import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OrderAsk, Page } from '../api.ts'
import { type sortingBy, useSorting } from '../sorting.ts'
import { flagParam, numberParam, textParam, useUrlState } from '../url.ts'
import { Asking, SearchBox } from './asking.tsx'
import { Button } from './button.tsx'
import { PageHeader, Panel, Stack } from './panel.tsx'
import { SortChoice } from './sort-choice.tsx'
import { EmptyState } from './states.tsx'
import type { Column } from './table.tsx'
import { PagedTable } from './paged-table.tsx'

export interface RecordAsk extends OrderAsk {
  readonly search: string
  readonly page: number
  readonly per_page: number
}

export interface RecordWords {
  readonly caption: string
  readonly add: string
  readonly search: string
  readonly emptyTitle: string
  readonly empty: string
  /** For people who may not create one. */
  readonly emptyViewer: string
  readonly noMatch: string
  readonly noMatchHint: string
  /** Takes the search away. */
  readonly clear: string
}

export interface RecordListProps<Row> {
  readonly title: string
  readonly subtitle: string
  readonly words: RecordWords
  readonly icon: ReactNode
  readonly columns: readonly Column<Row>[]
  /** By which columns it can be sorted. */
  readonly sorting: ReturnType<typeof sortingBy>
  readonly rowHref: (row: Row) => string
  /** The question is kept under it with what was asked. */
  readonly queryKey: QueryKey
  readonly load: (ask: RecordAsk, signal: AbortSignal) => Promise<Page<Row>>
  readonly canEdit: boolean
  /** In which one is made. */
  readonly dialog: (onClose: () => void) => ReactNode
}

interface State {
  readonly q: string
  readonly page: number
  readonly new: boolean
}

const PER_PAGE = 25
const codecs = { q: textParam, page: numberParam(1), new: flagParam }

export function RecordList<Row extends { readonly id: string }>(props: RecordListProps<Row>) {
  const { title, subtitle, words, icon, canEdit } = props
  const [{ q, page, new: isAdding }, setState] = useUrlState<State>(codecs)
  const { sort, onSort, ask: order } = useSorting(props.sorting)
  const ask = { search: q.trim(), page, per_page: PER_PAGE, ...order }
  const list = useQuery({
    queryKey: [...props.queryKey, ask],
    queryFn: ({ signal }) => props.load(ask, signal),
    placeholderData: keepPreviousData,
  })
  const total = list.data?.total ?? 0
  const add = canEdit && (
    <Button look="primary" icon={<Plus aria-hidden="true" />} onClick={() => setState({ new: true })}>
      {words.add}
    </Button>
  )
  return (
    <>
      <PageHeader title={title} subtitle={subtitle} actions={total > 0 || ask.search !== '' ? add : undefined} />
      <Stack>
        <Asking>
          <SearchBox
            label={words.search}
            value={q}
            onChange={(next) => setState({ q: next, page: 1 }, { replace: true })}
          />
          <SortChoice columns={props.columns} sort={sort} onSort={onSort} />
        </Asking>
        <Panel isFlush>
          <PagedTable
            list={list}
            page={page}
            perPage={PER_PAGE}
            onPage={(next, how) => setState({ page: next }, how)}
            caption={words.caption}
            columns={props.columns}
            sort={sort}
            onSort={onSort}
            rowHref={props.rowHref}
            empty={
              <Nothing
                words={words}
                icon={icon}
                add={add}
                canEdit={canEdit}
                onClear={ask.search === '' ? undefined : () => setState({ q: '', page: 1 })}
              />
            }
          />
        </Panel>
      </Stack>
      {canEdit && isAdding && props.dialog(() => setState({ new: false }, { replace: true }))}
    </>
  )
}

interface NothingProps extends Pick<RecordListProps<never>, 'words' | 'icon' | 'canEdit'> {
  readonly add: ReactNode
  /** Takes the search away, where there is one. */
  readonly onClear: (() => void) | undefined
}

const Nothing = ({ words, icon, canEdit, add, onClear }: NothingProps) =>
  onClear ? (
    <EmptyState icon={icon} title={words.noMatch} actions={<Button onClick={onClear}>{words.clear}</Button>}>
      {words.noMatchHint}
    </EmptyState>
  ) : (
    <EmptyState icon={icon} title={words.emptyTitle} actions={add}>
      {canEdit ? words.empty : words.emptyViewer}
    </EmptyState>
  )
