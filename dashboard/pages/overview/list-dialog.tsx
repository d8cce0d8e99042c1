// A list in full: searched, page by page, as CSV; every row chooses or leaves out.
import { useQuery } from '@tanstack/react-query'
import { Download, FilterX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { downloadList, type ListId, type ListRow, readList } from '../../api/overview.ts'
import { listIds } from '../../api/overview-ids.ts'
import { isPathId, keptAddress } from '../../address.ts'
import { number } from '../../format.ts'
import { toastError } from '../../parts/announce.tsx'
import { Button, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { SearchField, Select } from '../../parts/fields.tsx'
import { EmptyState, ErrorState } from '../../parts/states.tsx'
import { Pagination } from '../../parts/table.tsx'
import { useMayExclude, useProperty } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { askOf } from '../../window.ts'
import { toggled } from './choosing.ts'
import styles from './list-dialog.module.css'
import { isOfList, Rows, RowSkeletons } from './lists.tsx'
import { labelOf } from './row-label.tsx'
import type { SetView, View } from './view.ts'

const PER_PAGE = 20
const TYPING_MS = 200

export interface ListDialogProps {
  readonly id: ListId
  readonly view: View
  readonly setView: SetView
}

/** The search is sent when typing pauses. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

export function ListDialog({ id, view, setView }: ListDialogProps) {
  const property = useProperty()
  const typed = useSettled(view.q)
  const search = isPathId(id) ? keptAddress(typed) : typed
  const window = askOf(view)
  const ask = { ...window, search, page: view.page, per_page: PER_PAGE }
  const query = useQuery({
    queryKey: ['list', property.id, id, ask],
    queryFn: ({ signal }) => readList(property.id, id, ask, signal),
    placeholderData: (known, before) => (isOfList(before?.queryKey, id) ? known : undefined),
  })
  const close = (): void => setView(closed, { replace: true })
  const save = (): void => void downloadList(property.id, id, { ...window, search }).catch(toastError)
  const total = query.data?.total
  return (
    <Dialog
      title={common.lists[id]}
      subtitle={total === undefined ? common.table.loading : text.rows.total(number(total), total)}
      onClose={close}
    >
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
            .filter((known) => !property.isShared || known !== 'tag')
            .map((value) => ({ value, label: common.lists[value] }))}
        />
        <Button icon={<Download />} onClick={save}>
          {text.rows.csv}
        </Button>
      </div>
      <div
        className={styles.rows}
        aria-busy={query.isPending || query.isPlaceholderData}
        data-stale={query.isPlaceholderData || undefined}
      >
        <Found id={id} query={query} view={view} setView={setView} />
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

const closed = { more: null, q: '', page: 1 } as const

interface FoundProps extends ListDialogProps {
  readonly query: {
    readonly data: { readonly rows: readonly ListRow[] } | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
}

function Found({ id, query: { data, error, refetch }, view, setView }: FoundProps) {
  const mayExclude = useMayExclude()
  if (!data) return error ? <ErrorState isSmall error={error} onRetry={refetch} /> : <RowSkeletons rows={PER_PAGE} />
  if (data.rows.length === 0) return <EmptyState isSmall title={view.q === '' ? text.rows.empty : text.rows.noMatch} />
  const exclude = (row: ListRow): void => setView({ f: toggled(view.f, id, row.id, 'not_equals'), ...closed })
  return (
    <Rows
      id={id}
      rows={data.rows}
      view={view}
      setView={setView}
      also={closed}
      action={(row) =>
        mayExclude && (
          <IconButton
            size="small"
            label={text.rows.exclude(labelOf(id, row))}
            icon={<FilterX />}
            onClick={() => exclude(row)}
          />
        )
      }
    />
  )
}
