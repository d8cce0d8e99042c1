// All pages that were seen, or their folders: searched, sorted by each figure, page by page, and as CSV.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { downloadPages, type PageRow, readPages } from '../../api/overview.ts'
import { pageMetricIds, type PageMetricId } from '../../api/overview-ids.ts'
import { isolated, keptAddress, shownAddress } from '../../address.ts'
import { figure, number } from '../../format.ts'
import { Address } from '../../parts/address.tsx'
import { toastError } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchField, Select } from '../../parts/fields.tsx'
import { EmptyState } from '../../parts/states.tsx'
import { type Column, DataTable, Pagination } from '../../parts/table.tsx'
import { useProperty } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { askOf, withClause } from '../../window.ts'
import { isChosen } from './choosing.ts'
import styles from './list-dialog.module.css'
import { useSettled } from '../../typed.ts'
import { pageFilter } from './top-pages.tsx'
import type { SetView, View } from './view.ts'

const PER_PAGE = 20

interface PagesDialogProps {
  readonly view: View
  readonly setView: SetView
}

const closed = { top: false, q: '', page: 1, psort: 'views', order: 'desc', depth: null } as const

const formats: Readonly<Record<PageMetricId, string>> = {
  views: 'count',
  visitors: 'count',
  time: 'seconds',
  scroll: 'scroll',
  entries: 'count',
  exits: 'count',
}

const figures = pageMetricIds.map((id): Column<PageRow> => ({
  id,
  header: text.pages.short[id],
  align: 'end',
  isSortable: true,
  cell: (row) => figure(row[id], formats[id]),
}))

const depths = ['1', '2', '3'] as const

export function PagesDialog({ view, setView }: PagesDialogProps) {
  const property = useProperty()
  const search = keptAddress(useSettled(view.q))
  const depth = view.depth === null ? null : Number(view.depth)
  const asked = { ...askOf(view), search, depth, sort: view.psort, order: view.order }
  const ask = { ...asked, page: view.page, per_page: PER_PAGE }
  const query = useQuery({
    queryKey: ['pages', property.id, ask],
    queryFn: ({ signal }) => readPages(property.id, ask, signal),
    placeholderData: keepPreviousData,
  })
  const total = query.data?.total
  const save = (): void => void downloadPages(property.id, asked).catch(toastError)
  const page: Column<PageRow> = {
    id: 'path',
    header: text.pages.page,
    cell: (row) => <Page row={row} view={view} setView={setView} />,
  }
  return (
    <Dialog
      title={text.pages.title}
      subtitle={total === undefined ? common.table.loading : text.rows.total(number(total), total)}
      onClose={() => setView(closed, { replace: true })}
      size="wide"
    >
      <Tools view={view} setView={setView} onSave={save} />
      <div className={styles.rows}>
        <DataTable
          caption={text.pages.title}
          columns={[page, ...figures]}
          rows={query.data?.rows}
          rowKey={(row) => row.id}
          error={query.error}
          onRetry={query.refetch}
          isStale={query.isPlaceholderData}
          empty={<EmptyState isSmall title={view.q === '' ? text.rows.empty : text.rows.noMatch} />}
          sort={{ by: view.psort, isDescending: view.order === 'desc' }}
          onSort={({ by, isDescending }) => {
            const psort = pageMetricIds.find((id) => id === by) ?? 'views'
            setView({ psort, order: isDescending ? 'desc' : 'asc', page: 1 }, { replace: true })
          }}
        />
      </div>
      <Pagination
        page={view.page}
        perPage={PER_PAGE}
        total={total ?? 0}
        onPage={(next) => setView({ page: next }, { replace: true })}
      />
    </Dialog>
  )
}

function Tools({ view, setView, onSave }: PagesDialogProps & { readonly onSave: () => void }) {
  return (
    <div className={styles.tools}>
      <SearchField
        label={text.rows.searchIn(text.pages.title)}
        value={view.q}
        className={styles.search}
        onChange={(q) => setView({ q, page: 1 }, { replace: true })}
      />
      <Select
        label={text.pages.folders}
        hidesLabel
        value={view.depth ?? ''}
        onChange={(next) =>
          setView({ depth: depths.find((known) => known === next) ?? null, page: 1 }, { replace: true })
        }
        options={[
          { value: '', label: text.pages.whole },
          ...depths.map((value) => ({ value, label: text.pages.depth(Number(value)) })),
        ]}
      />
      <Button icon={<Download />} onClick={onSave}>
        {text.rows.csv}
      </Button>
    </div>
  )
}

/** Visits that saw the page, or any page of the folder. */
function Page({ row, view, setView }: PagesDialogProps & { readonly row: PageRow }) {
  const isFolder = view.depth !== null && row.id.endsWith('/') && row.id !== '/'
  const inFolder = { id: 'page_path', op: 'starts_with', values: [row.id] }
  const chosen = !isFolder && isChosen(view.f, 'page_path', row.id)
  const label = isolated(shownAddress(row.label))
  const choose = (isExcluding: boolean): void =>
    setView({ f: isFolder ? withClause(view.f, inFolder) : pageFilter(view, row.id, isExcluding), ...closed })
  return (
    <button
      type="button"
      className={styles.value}
      aria-pressed={chosen}
      title={chosen ? text.rows.unfilter(label) : text.rows.filter(label)}
      onClick={(event) => choose(event.altKey)}
    >
      <span className={styles.label}>
        <Address address={row.label} />
      </span>
    </button>
  )
}
