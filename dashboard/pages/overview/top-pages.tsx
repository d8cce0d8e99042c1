// The pages that were seen most, in the panel of pages. A click filters by the visits that saw one.
import { useQuery } from '@tanstack/react-query'
import { type PageRow, readPages } from '../../api/overview.ts'
import { isolated, shownAddress } from '../../address.ts'
import { compactNumber, figure } from '../../format.ts'
import { Address } from '../../parts/address.tsx'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { useProperty } from '../../session.tsx'
import { overview as text } from '../../texts/index.ts'
import { askOf } from '../../window.ts'
import { isChosen, toggled } from './choosing.ts'
import styles from './lists.module.css'
import type { SetView, View } from './view.ts'

const SHOWN_ROWS = 10

interface TopPagesProps {
  readonly view: View
  readonly setView: SetView
}

const { short } = text.pages

export function TopPages({ view, setView }: TopPagesProps) {
  const property = useProperty()
  const ask = { ...askOf(view), page: 1, per_page: SHOWN_ROWS }
  const { data, error, refetch } = useQuery({
    queryKey: ['pages', property.id, ask],
    queryFn: ({ signal }) => readPages(property.id, ask, signal),
    placeholderData: (known) => known,
  })
  if (data?.rows.length === 0) return <p className={styles.nothing}>{text.rows.empty}</p>
  if (!data && error) return <ErrorState isSmall error={error} onRetry={refetch} />
  const largest = Math.max(1, ...(data?.rows ?? []).map(({ views }) => views))
  return (
    <BarList head={['', short.views, short.visitors]} extra={short.time}>
      {data
        ? data.rows.map((row) => <Row key={row.id} row={row} share={row.views / largest} {...{ view, setView }} />)
        : Array.from({ length: SHOWN_ROWS }, (_, index) => (
            <BarRowSkeleton key={index} share={0.9 / (1 + index * 0.55)} />
          ))}
    </BarList>
  )
}

/** Visits that saw the page. */
export const pageFilter = (view: Pick<View, 'f'>, path: string, isExcluding: boolean) =>
  toggled(view.f, 'page_path', path, isExcluding ? 'not_equals' : 'equals')

function Row({ row, share, view, setView }: TopPagesProps & { readonly row: PageRow; readonly share: number }) {
  const label = isolated(shownAddress(row.label))
  const chosen = isChosen(view.f, 'page_path', row.id)
  return (
    <BarRow
      label={<Address address={row.label} />}
      extra={figure(row.time, 'seconds')}
      value={compactNumber(row.views)}
      percent={compactNumber(row.visitors)}
      share={share}
      isChosen={chosen}
      title={chosen ? text.rows.unfilter(label) : text.rows.filter(label)}
      onChoose={(isExcluding) => setView({ f: pageFilter(view, row.id, isExcluding) })}
    />
  )
}
