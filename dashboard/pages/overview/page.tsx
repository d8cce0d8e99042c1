// The overview of a property: one answer on one screen. Rows are filters, cards choose the graph, the URL
// holds it all.
import { Inbox } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { ApiError } from '../../api.ts'
import type { Overview } from '../../api/overview.ts'
import { useKeys } from '../../keys.ts'
import { later } from '../../later.ts'
import { announce } from '../../parts/announce.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { Panel, Stack } from '../../parts/panel.tsx'
import { EmptyState, ErrorState, Note, Skeleton } from '../../parts/states.tsx'
import { useCan, useProperty, usePropertyPath, useSession } from '../../session.tsx'
import { common, overview as text, withTexts } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { type Comparison, comparisons, type Interval } from '../../window.ts'
import { useAhead } from './ahead.ts'
import { Cards } from './cards.tsx'
import { clauseLabels } from './choosing.ts'
import { GraphPanel } from './graph-panel.tsx'
import { OverviewHeader } from './header.tsx'
import { ListPanels } from './lists.tsx'
import styles from './page.module.css'
import { OutcomesSkeleton, OverviewSkeleton } from './skeleton.tsx'
import { type SetView, useOverview, useView, type View } from './view.ts'

/** Below what is seen at first. */
const OutcomePanel = lazy(later(async () => ({ default: (await import('./outcomes.tsx')).OutcomePanel })))
const ListDialog = lazy(later(async () => ({ default: (await import('./list-dialog.tsx')).ListDialog })))
const PagesDialog = lazy(later(async () => ({ default: (await import('./pages-dialog.tsx')).PagesDialog })))
const NoteDialog = lazy(later(async () => ({ default: (await import('./note-dialog.tsx')).NoteDialog })))
const SamplePanel = lazy(
  later(withTexts(['data'], async () => ({ default: (await import('../settings/sample.tsx')).SamplePanel }))),
)

export default function OverviewPage() {
  const property = useProperty()
  const [view, setView] = useView()
  const { data, error, refetch, isPlaceholderData } = useOverview(view)
  useTitle(text.title, property.name)
  useOverviewKeys(view, setView, data)
  useSpokenChange(isPlaceholderData)
  const hasMoney = data?.goal?.cards.some(({ id }) => id === 'conversion_value') === true
  useAhead(view, isPlaceholderData ? undefined : data)
  return (
    <>
      <OverviewHeader overview={data} view={view} setView={setView} isStale={isPlaceholderData} />
      <div className={styles.filters}>
        <FilterBar labels={clauseLabels(view.f, data)} />
      </div>
      {data ? (
        <div data-period={data.inputs.period} data-stale={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
          {error && <Outdated onRetry={refetch} />}
          <Figures overview={data} view={view} setView={setView} />
        </div>
      ) : error ? (
        <Failure error={error} onRetry={refetch} setView={setView} />
      ) : (
        <OverviewSkeleton />
      )}
      <Suspense>{view.top && !property.isShared && <PagesDialog view={view} setView={setView} />}</Suspense>
      <Suspense>
        {view.more !== null && <ListDialog id={view.more} view={view} setView={setView} hasMoney={hasMoney} />}
      </Suspense>
    </>
  )
}

interface FiguresProps {
  readonly overview: Overview
  readonly view: View
  readonly setView: SetView
}

function Figures({ overview, view, setView }: FiguresProps) {
  const { isShared } = useProperty()
  if (overview.meta.is_empty_property) return <NothingYet />
  const isEmpty = overview.cards.every(({ id, current }) => id !== 'sessions' || current === 0)
  return (
    <Stack>
      <Panel isFlush>
        <Cards overview={overview} view={view} setView={setView} />
        {isEmpty && view.view === null ? (
          <NoSessions view={view} setView={setView} />
        ) : (
          <GraphPanel overview={overview} view={view} setView={setView} />
        )}
      </Panel>
      {isShared && !isEmpty && <p className={styles.few}>{text.few}</p>}
      <ListPanels overview={overview} view={view} setView={setView} />
      <Suspense fallback={<OutcomesSkeleton />}>
        <OutcomePanel overview={overview} view={view} setView={setView} />
      </Suspense>
      <Suspense>
        {view.note !== null && <NoteDialog key={view.note} overview={overview} note={view.note} setView={setView} />}
      </Suspense>
    </Stack>
  )
}

/** No visit ever: what is missing is the tracking. */
function NothingYet() {
  const path = usePropertyPath()
  const canSetUp = useCan('admin')
  const { isShared } = useProperty()
  return (
    <Stack>
      <Panel>
        <EmptyState
          icon={<Inbox />}
          title={<h2>{text.empty.title}</h2>}
          actions={
            canSetUp && (
              <LinkButton look="primary" href={path('/start')}>
                {text.empty.action}
              </LinkButton>
            )
          }
        >
          {canSetUp ? text.empty.hint : text.empty.viewer}
        </EmptyState>
      </Panel>
      {!isShared && <Sample />}
    </Stack>
  )
}

/** Offers sample data until the first visit, to people who may create it. */
function Sample() {
  if (useSession().data?.user?.is_owner !== true) return null
  return (
    <Suspense fallback={<Skeleton height="9.5rem" />}>
      <SamplePanel />
    </Suspense>
  )
}

function NoSessions({ view, setView }: Pick<FiguresProps, 'view' | 'setView'>) {
  const { isShared } = useProperty()
  const isFiltered = view.f.length > 0
  const wider = { period: 'last_12_months', date_from: null, date_to: null, interval: null } as const
  return (
    <div className={styles.noSessions}>
      <EmptyState
        isSmall
        title={<h2>{isShared ? text.empty.few : isFiltered ? text.empty.filtered : text.empty.window}</h2>}
        actions={
          <>
            {isFiltered && <Button onClick={() => setView({ f: [] })}>{text.clearFilters}</Button>}
            {view.period !== 'last_12_months' && <Button onClick={() => setView(wider)}>{text.empty.wider}</Button>}
          </>
        }
      >
        {isShared ? text.empty.fewHint : isFiltered ? text.empty.filteredHint : text.empty.windowHint}
      </EmptyState>
    </div>
  )
}

const usualComparison = { compare: 'preceding', compare_from: null, compare_to: null } as const

/** A view that the service refuses, as by a mistyped link, leads back to one that it accepts. */
function Failure({ error, onRetry, setView }: { error: Error; onRetry: () => unknown; setView: SetView }) {
  const usual = {
    period: null,
    date_from: null,
    date_to: null,
    f: [],
    interval: null,
    ...usualComparison,
    goal: null,
  } as const
  if (!(error instanceof ApiError) || error.status !== 422)
    return (
      <Panel>
        <ErrorState error={error} onRetry={onRetry} />
      </Panel>
    )
  const words = Object.values(error.errors).flat().join(' ')
  return (
    <Panel>
      <EmptyState
        title={<h2>{common.errors.title}</h2>}
        actions={<Button onClick={() => setView(usual)}>{text.reset}</Button>}
      >
        {words === '' ? error.message : words}
      </EmptyState>
    </Panel>
  )
}

function Outdated({ onRetry }: { onRetry: () => unknown }): ReactNode {
  return (
    <div className={styles.outdated} role="alert">
      <Note tone="warn">
        {text.outdated}{' '}
        <Button size="small" onClick={() => onRetry()}>
          {common.errors.retry}
        </Button>
      </Note>
    </div>
  )
}

/** Without dates to choose. */
const quickly: readonly Comparison[] = comparisons.filter((way) => way !== 'custom')

/** The next one of a few, from the beginning after the last. */
const after = <Choice,>(choices: readonly Choice[], known: Choice): Choice =>
  choices[(choices.indexOf(known) + 1) % choices.length] ?? known

function useOverviewKeys(view: View, setView: SetView, overview: Overview | undefined): void {
  const choices: readonly Interval[] = overview?.options.intervals.map(({ id }) => id) ?? []
  const known = overview?.inputs.interval
  const { group } = text
  useKeys([
    { key: 'x', label: text.compare.key, group, run: () => setView({ compare: after(quickly, view.compare) }) },
    {
      key: 'i',
      label: text.interval.key,
      group,
      run: () => known !== undefined && setView({ interval: after(choices, known) }),
    },
    { key: '/', label: text.search, group, run: () => setView({ more: listOf(view), q: '', page: 1 }) },
    { key: 'escape', label: text.clearFilters, group, run: () => setView({ f: [] }) },
  ])
}

/** What `/` searches: the pages, as most people look for one. */
const listOf = ({ pages }: View) => (pages === 'top' ? 'entry_path_full' : pages)

/** Announces once to screen readers that the figures have changed. */
function useSpokenChange(isStale: boolean): void {
  const wasStale = useRef(isStale)
  useEffect(() => {
    if (wasStale.current && !isStale) announce(text.refreshed)
    wasStale.current = isStale
  }, [isStale])
}
