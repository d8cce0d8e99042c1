// Four panels with the top lists and the map. A click filters by a row, Alt-click excludes it, a second click
// undoes.
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { type ListId, type ListRow, type Lists, type Overview, readList } from '../../api/overview.ts'
import { Button } from '../../parts/button.tsx'
import { BarList, BarRow, BarRowSkeleton } from '../../parts/bar-row.tsx'
import { Panel, Tabs } from '../../parts/panel.tsx'
import { Menu } from '../../parts/popover.tsx'
import { ErrorState, Skeleton } from '../../parts/states.tsx'
import { WhenSeen } from '../../parts/when-seen.tsx'
import { later } from '../../later.ts'
import { useMayExclude, useMayFilter, useProperty } from '../../session.tsx'
import { common, overview as text } from '../../texts/index.ts'
import { askOf } from '../../window.ts'
import { countryClause, isChosen, type RowOperator, toggled } from './choosing.ts'
import styles from './lists.module.css'
import { rowIcon } from './row-icons.tsx'
import { askedFor, columnWords, knownOf, type ListView, metricsOf, rowFigures } from './row-figures.ts'
import { labelOf, RowLabel } from './row-label.tsx'
import {
  goalAsk,
  pagePanelTabs,
  placeTabs,
  type SetView,
  shownBy,
  sourceTabs,
  technologyTabs,
  type View,
} from './view.ts'

const TopPages = lazy(later(async () => ({ default: (await import('./top-pages.tsx')).TopPages })))
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
      <ListPanel {...props} name="pages" tabs={pagePanelTabs} />
      <ListPanel {...props} name="places" tabs={placeTabs} />
      <ListPanel {...props} name="technology" tabs={technologyTabs} />
    </div>
  )
}

type TabId = ListId | 'map' | 'top'
type PanelName = 'sources' | 'pages' | 'places' | 'technology'

interface ListPanelProps extends ListsProps {
  readonly name: PanelName
  readonly tabs: readonly TabId[]
}

export function ListPanel({ name, tabs, overview, view, setView }: ListPanelProps) {
  const { isShared } = useProperty()
  const chosen: TabId = view[name] === 'top' && isShared ? 'entry_path_full' : view[name]
  // A share link is told of sessions alone.
  const shownTabs = tabs.filter((id) => id !== 'top' || !isShared).map((id) => ({ id, label: wordsOfTab(id) }))
  const full: ListId = chosen === 'map' ? 'country' : chosen === 'top' ? 'entry_path_full' : chosen
  const more = (
    <Button
      size="small"
      look="quiet"
      className={styles.more}
      aria-label={text.rows.moreOf(chosen === 'top' ? text.pages.title : common.lists[full])}
      onClick={() => setView({ ...(chosen === 'top' ? { top: true } : { more: full }), q: '', page: 1 })}
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
          ) : chosen === 'top' ? (
            <Suspense fallback={<RowSkeletons />}>
              <TopPages view={view} setView={setView} />
            </Suspense>
          ) : (
            <List id={chosen} overview={overview} view={view} setView={setView} />
          )}
        </div>
      </Tabs>
    </Panel>
  )
}

const wordsOfTab = (id: TabId): string => {
  if (id === 'map') return text.map.tab
  return id === 'top' ? text.pages.title : common.lists[id]
}

const mapSkeleton = <Skeleton className={styles.mapSkeleton} height="auto" />

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
      <WhenSeen fallback={mapSkeleton}>
        <Suspense fallback={mapSkeleton}>
          <WorldMap counts={overview.countries} onChoose={choose} />
        </Suspense>
      </WhenSeen>
      {countries.length === 0 ? (
        <p className={styles.nothing}>{text.map.unknown}</p>
      ) : (
        <Rows
          id="country"
          rows={countries.slice(0, BELOW_MAP)}
          view={{ ...view, by: 'sessions', goal: null }}
          setView={setView}
          hasHead={false}
        />
      )}
    </div>
  )
}

/** The overview's answer has some lists; others are requested when their tab is shown. */
function List({ id, overview, setView, ...props }: ListsProps & { id: ListId }) {
  const lists: Lists = overview.lists
  // What this list does not have, as a cost of browsers, is not asked of it.
  const canShow = metricsOf(id, props.view, knownOf(overview)).includes(shownBy(props.view))
  const view: View = canShow ? props.view : { ...props.view, by: 'sessions' }
  const rows = shownBy(view) === 'sessions' ? lists[id]?.rows : undefined
  const all = { id, overview, view, setView }
  return rows ? <Rows {...all} rows={rows} start={<FigureMenu {...all} />} /> : <AskedList {...all} />
}

/** What the lists show of each row, and are sorted by. */
function FigureMenu({ id: list, overview, view, setView }: ListsProps & { id: ListId }) {
  const { isShared } = useProperty()
  if (isShared) return null
  const by = shownBy(view)
  const items = metricsOf(list, view, knownOf(overview)).map((id) => ({
    label: text.rows.short[id],
    isChosen: id === by,
    onSelect: () => setView({ by: id }, { replace: true }),
  }))
  const button = (
    <>
      <span className="visually-hidden">{text.rows.show}: </span>
      {text.rows.sortedBy(text.rows.short[by])}
      <ChevronDown aria-hidden="true" />
    </>
  )
  return (
    <span className={styles.figure}>
      <Menu button={button} buttonClass={styles.figureButton} items={items} />
    </span>
  )
}

/** Rows of an earlier request may stand in only for the same list: a click on a row filters by its list. */
export const isOfList = (queryKey: readonly unknown[] | undefined, id: ListId): boolean => queryKey?.[2] === id

function AskedList({ id, ...props }: ListsProps & { id: ListId }) {
  const property = useProperty()
  const { view } = props
  const metrics = askedFor(view)
  const counted = { ...(metrics.length > 0 && { metrics, sort: shownBy(view) }), ...goalAsk(view) }
  const ask = { ...askOf(view), ...counted, search: '', page: 1, per_page: SHOWN_ROWS }
  const { data, error, refetch } = useQuery({
    queryKey: ['list', property.id, id, ask],
    queryFn: ({ signal }) => readList(property.id, id, ask, signal),
    placeholderData: (known, before) => (isOfList(before?.queryKey, id) ? known : undefined),
  })
  if (data) return <Rows id={id} rows={data.rows} {...props} start={<FigureMenu id={id} {...props} />} />
  if (error) return <ErrorState isSmall error={error} onRetry={refetch} />
  return <RowSkeletons view={view} />
}

const usual: ListView = { by: 'sessions', goal: null }

export const RowSkeletons = ({ rows = SHOWN_ROWS, view = usual }: { rows?: number; view?: ListView }) => (
  <BarList head={columnWords(view).head}>
    {Array.from({ length: rows }, (_, index) => (
      <BarRowSkeleton key={index} share={0.9 / (1 + index * 0.55)} />
    ))}
  </BarList>
)

export interface RowsProps {
  readonly id: ListId
  readonly rows: readonly ListRow[]
  readonly view: Pick<View, 'f'> & ListView
  readonly setView: SetView
  readonly hasHead?: boolean | undefined
  /** Over the labels. */
  readonly start?: ReactNode
  readonly action?: ((row: ListRow) => ReactNode) | undefined
  /** What else changes with the filters. */
  readonly also?: Partial<View> | undefined
}

/** Tags and events are of several a session; they and all others are clauses by their own names. */
export function Rows({ id, rows, view, setView, hasHead = true, start, action, also = {} }: RowsProps) {
  const figuresOf = rowFigures(view, rows)
  const { head, extra } = columnWords(view)
  const mayChoose = useMayFilter()(id)
  const mayExclude = useMayExclude()
  const hint = mayExclude ? text.rows.filter : text.rows.filterAlone
  if (rows.length === 0) return <p className={styles.nothing}>{text.rows.empty}</p>
  const choose = (row: ListRow, op: RowOperator): void => setView({ f: toggled(view.f, id, row.id, op), ...also })
  return (
    <BarList head={hasHead ? head : undefined} extra={extra} start={start}>
      {rows.map((row) => {
        const chosen = isChosen(view.f, id, row.id)
        return (
          <BarRow
            key={row.id}
            label={<RowLabel id={id} row={row} />}
            icon={rowIcon(id, row)}
            {...figuresOf(row)}
            isChosen={chosen}
            // A value that only later visits came with finds no session.
            {...(mayChoose &&
              row.value > 0 && {
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
