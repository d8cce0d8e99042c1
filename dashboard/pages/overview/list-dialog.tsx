// A list in full: searched, page by page, as CSV; every row chooses or leaves out.
import { useQuery } from '@tanstack/react-query'
import { Download, FilterX } from 'lucide-react'
import { useRef } from 'react'
import { downloadList, type ListId, type ListRow, readList } from '../../api/overview.ts'
import { listIds } from '../../api/overview-ids.ts'
import { isPathId, keptAddress } from '../../address.ts'
import { number } from '../../format.ts'
import { toastError } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchField, Select } from '../../parts/fields.tsx'
import { useFoundMarks } from '../../parts/found.ts'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useMayExclude, useMayFilter, useProperty } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { askOf } from '../../window.ts'
import { isChosen, toggled } from './choosing.ts'
import styles from './list-dialog.module.css'
import { isOfList, Rows, RowSkeletons } from './lists.tsx'
import { type Known, metricsOf, shownValue } from './row-figures.ts'
import { rowIcon } from './row-icons.tsx'
import { labelOf, RowLabel } from './row-label.tsx'
import { useSettled } from '../../typed.ts'
import { goalAsk, type SetView, shownBy, type View } from './view.ts'

const PER_PAGE = 20

export interface ListDialogProps {
  readonly id: ListId
  readonly view: View
  readonly setView: SetView
  readonly known: Known
}

export function ListDialog({ id, view, setView, known }: ListDialogProps) {
  const property = useProperty()
  const typed = useSettled(view.q)
  const search = isPathId(id) ? keptAddress(typed) : typed
  const window = askOf(view)
  const metrics = metricsOf(id, view, known)
  const sorted = shownBy({ by: view.sort, goal: view.goal })
  const sort = metrics.includes(sorted) ? sorted : 'sessions'
  // A share link is told sessions alone.
  const counted = property.isShared ? {} : { metrics, sort, order: view.order, ...goalAsk(view) }
  const ask = { ...window, ...counted, search, page: view.page, per_page: PER_PAGE }
  const query = useQuery({
    queryKey: ['list', property.id, id, ask],
    queryFn: ({ signal }) => readList(property.id, id, ask, signal),
    placeholderData: (shown, before) => (isOfList(before?.queryKey, id) ? shown : undefined),
  })
  const close = (): void => setView(closed, { replace: true })
  const save = (): void => void downloadList(property.id, id, { ...window, ...counted, search }).catch(toastError)
  const total = query.data?.total
  const rows = useRef<HTMLDivElement>(null)
  useFoundMarks(() => rows.current, view.q)
  return (
    <Dialog
      title={common.lists[id]}
      subtitle={total === undefined ? common.table.loading : text.rows.total(number(total), total)}
      onClose={close}
      size={property.isShared ? 'normal' : 'wide'}
    >
      <Tools id={id} view={view} setView={setView} onSave={save} />
      <div
        ref={rows}
        className={styles.rows}
        aria-busy={query.isPending || query.isPlaceholderData}
        data-stale={query.isPlaceholderData || undefined}
      >
        <Found id={id} query={query} view={view} setView={setView} known={known} />
      </div>
      <Pagination
        page={view.page}
        perPage={PER_PAGE}
        total={total ?? 0}
        onPage={(page) => setView({ page }, { replace: true })}
      />
    </Dialog>
  )
}

interface ToolsProps extends Pick<ListDialogProps, 'id' | 'view' | 'setView'> {
  readonly onSave: () => void
}

function Tools({ id, view, setView, onSave }: ToolsProps) {
  const property = useProperty()
  return (
    <div className={styles.tools}>
      <SearchField
        label={text.rows.searchIn(common.lists[id])}
        value={view.q}
        className={styles.search}
        onChange={(q) => setView({ q, page: 1 }, { replace: true })}
      />
      <Select
        label={text.rows.list}
        hidesLabel
        value={id}
        onChange={(next) =>
          setView({ more: listIds.find((known) => known === next) ?? id, page: 1 }, { replace: true })
        }
        options={listIds
          .filter((known) => !property.isShared || (known !== 'tag' && known !== 'event_meta'))
          .map((value) => ({ value, label: common.lists[value] }))}
      />
      <Button icon={<Download />} onClick={onSave}>
        {text.rows.csv}
      </Button>
    </div>
  )
}

const closed = { more: null, q: '', page: 1, sort: 'sessions', order: 'desc' } as const

interface FoundProps extends ListDialogProps {
  readonly query: {
    readonly data: { readonly rows: readonly ListRow[] } | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
}

function Found({ query, ...props }: FoundProps) {
  const { data, error, refetch } = query
  const { isShared } = useProperty()
  if (!data) return error ? <ErrorState isSmall error={error} onRetry={refetch} /> : <RowSkeletons rows={PER_PAGE} />
  if (data.rows.length === 0)
    return <EmptyState isSmall title={props.view.q === '' ? text.rows.empty : text.rows.noMatch} />
  if (isShared) return <Rows {...props} rows={data.rows} also={closed} />
  return <FullTable {...props} rows={data.rows} />
}

/** Every figure of each row; a click on its name sorts by it. */
function FullTable({ id, rows, view, setView, known }: ListDialogProps & { readonly rows: readonly ListRow[] }) {
  const mayExclude = useMayExclude()
  const exclude = (row: ListRow): void => setView({ f: toggled(view.f, id, row.id, 'not_equals'), ...closed })
  const figures = metricsOf(id, view, known).map((metric): Column<ListRow> => ({
    id: metric,
    header: text.rows.short[metric],
    align: 'end',
    isSortable: true,
    cell: (row) => shownValue(row, metric),
  }))
  const actions: Column<ListRow> = {
    id: 'exclude',
    header: text.rows.leaveOut,
    isAction: true,
    width: '2.75rem',
    cell: (row) => (
      <IconButton
        size="small"
        label={text.rows.exclude(labelOf(id, row))}
        icon={<FilterX />}
        onClick={() => exclude(row)}
      />
    ),
  }
  const by = shownBy({ by: view.sort, goal: view.goal })
  return (
    <DataTable
      caption={common.lists[id]}
      columns={[
        {
          id: 'value',
          header: common.lists[id],
          cell: (row) => <Value id={id} row={row} view={view} setView={setView} />,
        },
        ...figures,
        ...(mayExclude ? [actions] : []),
      ]}
      rows={rows}
      rowKey={(row) => `${row.id} ${row.country_code ?? ''}`}
      sort={{ by, isDescending: view.order === 'desc' }}
      onSort={(sort) => {
        const chosen = metricsOf(id, view, known).find((each) => each === sort.by) ?? 'sessions'
        setView({ sort: chosen, order: sort.isDescending ? 'desc' : 'asc', page: 1 }, { replace: true })
      }}
    />
  )
}

interface ValueProps extends Pick<ListDialogProps, 'id' | 'view' | 'setView'> {
  readonly row: ListRow
}

/** Chooses the value as a filter, and takes it back. */
function Value({ id, row, view, setView }: ValueProps) {
  const mayFilter = useMayFilter()
  const icon = rowIcon(id, row)
  const label = (
    <>
      {icon !== undefined && <span className={styles.icon}>{icon}</span>}
      <span className={styles.label}>
        <RowLabel id={id} row={row} />
      </span>
    </>
  )
  // A value that only later visits came with finds no session.
  if (!mayFilter(id) || row.value === 0) return <span className={styles.value}>{label}</span>
  const chosen = isChosen(view.f, id, row.id)
  return (
    <button
      type="button"
      className={styles.value}
      aria-pressed={chosen}
      title={chosen ? text.rows.unfilter(labelOf(id, row)) : text.rows.filter(labelOf(id, row))}
      onClick={(event) => {
        const op = event.altKey ? 'not_equals' : 'equals'
        setView({ f: toggled(view.f, id, row.id, op), ...closed })
      }}
    >
      {label}
    </button>
  )
}
