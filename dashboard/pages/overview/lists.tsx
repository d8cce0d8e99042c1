// Four panels with the top lists and the map. A click filters by a row, Alt-click excludes it, a second click
// undoes.
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { type ListId, type ListRow, type Lists, type Overview, readList } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { Panel, Tabs } from '../../parts/panel.tsx'
import { ErrorState, Skeleton } from '../../parts/states.tsx'
import { compactNumber, percent } from '../../format.ts'
import { later } from '../../later.ts'
import { useMayExclude, useMayFilter, useProperty } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { askOf } from '../../window.ts'
import { countryClause, isChosen, type RowOperator, toggled } from './choosing.ts'
import styles from './lists.module.css'
import { rowIcon } from './row-icons.tsx'
import { labelOf, RowLabel } from './row-label.tsx'
import { pageTabs, placeTabs, type SetView, sourceTabs, technologyTabs, type View } from './view.ts'

const WorldMap = lazy(later(() => import('../../charts/world-map.tsx')))

const SHOWN_ROWS = 10
/** As many as there is room for. */
const BELOW_MAP = 4

export interface ListsProps {
  readonly overview: Overview
  readonly view: View
  readonly setView: SetView
}

export function ListPanels(props: ListsProps) {
  return (
    <div className={styles.grid}>
      <ListPanel {...props} name="sources" tabs={sourceTabs} />
      <ListPanel {...props} name="pages" tabs={pageTabs} />
      <ListPanel {...props} name="places" tabs={placeTabs} />
      <ListPanel {...props} name="technology" tabs={technologyTabs} />
    </div>
  )
}

type TabId = ListId | 'map'
type PanelName = 'sources' | 'pages' | 'places' | 'technology'

interface ListPanelProps extends ListsProps {
  readonly name: PanelName
  readonly tabs: readonly TabId[]
}

function ListPanel({ name, tabs, overview, view, setView }: ListPanelProps) {
  const chosen: TabId = view[name]
  const shownTabs = tabs.map((id) => ({ id, label: id === 'map' ? text.map.tab : common.lists[id] }))
  const full: ListId = chosen === 'map' ? 'country' : chosen
  const more = (
    <Button
      size="small"
      look="quiet"
      className={styles.more}
      aria-label={text.rows.moreOf(common.lists[full])}
      onClick={() => setView({ more: full, q: '', page: 1 })}
    >
      {text.rows.more}
    </Button>
  )
  return (
    <Panel className={styles.panel}>
      <h2 className="visually-hidden">{text.panels[name]}</h2>
      <Tabs
        isSmall
        tabs={shownTabs}
        chosen={chosen}
        onChoose={(id) => setView({ [name]: id }, { replace: true })}
        label={text.panels[name]}
        aside={more}
      >
        <div className={styles.body}>
          {chosen === 'map' ? (
            <Places overview={overview} view={view} setView={setView} />
          ) : (
            <List id={chosen} overview={overview} view={view} setView={setView} />
          )}
        </div>
      </Tabs>
    </Panel>
  )
}

function Places({ overview, view, setView }: ListsProps) {
  const mayFilter = useMayFilter()
  const mayExclude = useMayExclude()
  const choose = (code: string, isExcluding: boolean): void => {
    const { id, value } = countryClause(overview, code)
    if (mayFilter(id)) setView({ f: toggled(view.f, id, value, isExcluding && mayExclude ? 'not_equals' : 'equals') })
  }
  const countries = overview.lists.country.rows
  return (
    <div className={styles.map}>
      <Suspense fallback={<Skeleton className={styles.mapSkeleton} height="auto" />}>
        <WorldMap counts={overview.countries} onChoose={choose} />
      </Suspense>
      {countries.length === 0 ? (
        <p className={styles.nothing}>{text.map.unknown}</p>
      ) : (
        <Rows id="country" rows={countries.slice(0, BELOW_MAP)} view={view} setView={setView} hasHead={false} />
      )}
    </div>
  )
}

/** The overview's answer has some lists; others are requested when their tab is shown. */
function List({ id, ...props }: ListsProps & { id: ListId }) {
  const lists: Lists = props.overview.lists
  const rows = lists[id]?.rows
  return rows ? <Rows id={id} rows={rows} {...props} /> : <AskedList id={id} {...props} />
}

/** Rows of an earlier request may stand in only for the same list: a click on a row filters by its list. */
export const isOfList = (queryKey: readonly unknown[] | undefined, id: ListId): boolean => queryKey?.[2] === id

function AskedList({ id, ...props }: ListsProps & { id: ListId }) {
  const property = useProperty()
  const ask = { ...askOf(props.view), search: '', page: 1, per_page: SHOWN_ROWS }
  const { data, error, refetch } = useQuery({
    queryKey: ['list', property.id, id, ask],
    queryFn: ({ signal }) => readList(property.id, id, ask, signal),
    placeholderData: (known, before) => (isOfList(before?.queryKey, id) ? known : undefined),
  })
  if (data) return <Rows id={id} rows={data.rows} {...props} />
  if (error) return <ErrorState isSmall error={error} onRetry={refetch} />
  return <RowSkeletons />
}

const columns = [text.rows.sessions, text.rows.share] as const

export const RowSkeletons = ({ rows = SHOWN_ROWS }: { rows?: number }) => (
  <BarList head={['', ...columns]}>
    {Array.from({ length: rows }, (_, index) => (
      <BarRowSkeleton key={index} share={0.9 / (1 + index * 0.55)} />
    ))}
  </BarList>
)

export interface RowsProps {
  readonly id: ListId
  readonly rows: readonly ListRow[]
  readonly view: Pick<View, 'f'>
  readonly setView: SetView
  readonly hasHead?: boolean | undefined
  readonly action?: ((row: ListRow) => ReactNode) | undefined
  /** What else changes with the filters. */
  readonly also?: Partial<View> | undefined
}

/** Tags and events are of several a session; they and all others are clauses by their own names. */
export function Rows({ id, rows, view, setView, hasHead = true, action, also = {} }: RowsProps) {
  const largest = Math.max(1, ...rows.map(({ value }) => value))
  const mayChoose = useMayFilter()(id)
  const mayExclude = useMayExclude()
  const hint = mayExclude ? text.rows.filter : text.rows.filterAlone
  if (rows.length === 0) return <p className={styles.nothing}>{text.rows.empty}</p>
  const choose = (row: ListRow, op: RowOperator): void => setView({ f: toggled(view.f, id, row.id, op), ...also })
  return (
    <BarList head={hasHead ? ['', ...columns] : undefined}>
      {rows.map((row) => {
        const chosen = isChosen(view.f, id, row.id)
        return (
          <BarRow
            key={row.id}
            label={<RowLabel id={id} row={row} />}
            icon={rowIcon(id, row)}
            value={compactNumber(row.value)}
            percent={percent(row.percent)}
            share={row.value / largest}
            isChosen={chosen}
            {...(mayChoose && {
              title: chosen ? text.rows.unfilter(labelOf(id, row)) : hint(labelOf(id, row)),
              onChoose: (isExcluding: boolean) => choose(row, isExcluding && mayExclude ? 'not_equals' : 'equals'),
              action: action?.(row),
            })}
          />
        )
      })}
    </BarList>
  )
}
