// The overview of a property: one answer on one screen. Rows are filters, cards choose the graph, the URL
// holds it all.
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import type { Overview } from '../../api/overview.ts'
import { useKeys } from '../../keys.ts'
import { later, soon } from '../../later.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Panel, Stack } from '../../parts/panel.tsx'
import { Note } from '../../parts/states.tsx'
import { refreshSession, useProperty } from '../../session.tsx'
import { common, overview as text, withTexts } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { type Comparison, comparisons, type Interval } from '../../window.ts'
import { Cards } from './cards.tsx'
import { GraphPanel } from './graph-panel.tsx'
import { OverviewHeader } from './header.tsx'
import { ListPanels } from './lists.tsx'
import styles from './page.module.css'
import { knownOf } from './row-figures.ts'
import { ListsSkeleton, OutcomesSkeleton, OverviewSkeleton } from './skeleton.tsx'
import { type SetView, useOverview, useView, type View } from './view.ts'

/** Below what is seen at first. */
const OutcomePanel = lazy(later(async () => ({ default: (await import('./outcomes.tsx')).OutcomePanel })))
const ListDialog = lazy(later(async () => ({ default: (await import('./list-dialog.tsx')).ListDialog })))
const PagesDialog = lazy(later(async () => ({ default: (await import('./pages-dialog.tsx')).PagesDialog })))
const Checklist = lazy(
  soon(withTexts(['checklist'], async () => ({ default: (await import('./checklist.tsx')).Checklist }))),
)
const Ahead = lazy(soon(async () => ({ default: (await import('./ahead.ts')).Ahead })))
const NothingYet = lazy(later(async () => ({ default: (await import('./instead.tsx')).NothingYet })))
const NoSessions = lazy(later(async () => ({ default: (await import('./instead.tsx')).NoSessions })))
const Failure = lazy(later(async () => ({ default: (await import('./instead.tsx')).Failure })))
const NoteDialog = lazy(later(async () => ({ default: (await import('./note-dialog.tsx')).NoteDialog })))

export default function OverviewPage() {
  const property = useProperty()
  const [view, setView] = useView()
  const { data, error, refetch, isPlaceholderData } = useOverview(view)
  useTitle(text.title, property.name)
  useOverviewKeys(view, setView, data)
  useSpokenChange(isPlaceholderData)
  useKnownCurrency(data?.meta.currency)
  return (
    <>
      <OverviewHeader overview={data} view={view} setView={setView} isStale={isPlaceholderData} />
      {data ? (
        <div data-period={data.inputs.period} data-stale={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
          {error && <Outdated onRetry={refetch} />}
          <Figures overview={data} view={view} setView={setView} />
        </div>
      ) : error ? (
        <Suspense fallback={<OverviewSkeleton />}>
          <Failure error={error} onRetry={refetch} setView={setView} />
        </Suspense>
      ) : (
        <OverviewSkeleton />
      )}
      <Suspense>{data && <Ahead view={view} overview={isPlaceholderData ? undefined : data} />}</Suspense>
      <Suspense>{view.top && !property.isShared && <PagesDialog view={view} setView={setView} />}</Suspense>
      <Suspense>
        {view.more !== null && <ListDialog id={view.more} view={view} setView={setView} known={knownOf(data)} />}
      </Suspense>
    </>
  )
}

interface FiguresProps {
  readonly overview: Overview
  readonly view: View
  readonly setView: SetView
}

const isEmpty = ({ cards }: Overview): boolean => cards.every(({ id, current }) => id !== 'sessions' || current === 0)

function Figures({ overview, view, setView }: FiguresProps) {
  const arePainted = useNumbersPainted()
  if (overview.meta.is_empty_property)
    return (
      <Suspense fallback={<OverviewSkeleton />}>
        <NothingYet />
      </Suspense>
    )
  return (
    <Stack>
      <Panel isFlush>
        <Cards overview={overview} view={view} setView={setView} />
        {isEmpty(overview) && view.view === null ? (
          <Suspense fallback={<div className={styles.noSessions} />}>
            <NoSessions view={view} setView={setView} />
          </Suspense>
        ) : (
          <GraphPanel overview={overview} view={view} setView={setView} />
        )}
      </Panel>
      {arePainted ? <BelowNumbers overview={overview} view={view} setView={setView} /> : <ListsSkeleton />}
      <Suspense>
        {view.note !== null && <NoteDialog key={view.note} overview={overview} note={view.note} setView={setView} />}
      </Suspense>
    </Stack>
  )
}

function BelowNumbers({ overview, view, setView }: FiguresProps) {
  const { isShared } = useProperty()
  return (
    <>
      <Suspense>{!isShared && <Checklist />}</Suspense>
      {isShared && !isEmpty(overview) && <p className={styles.few}>{text.few}</p>}
      <ListPanels overview={overview} view={view} setView={setView} />
      <Suspense fallback={<OutcomesSkeleton />}>
        <OutcomePanel overview={overview} view={view} setView={setView} />
      </Suspense>
    </>
  )
}

/** Since the dashboard was opened. */
let wereNumbersPainted = false

/**
 * False until the numbers have been on screen for the first time: on a phone, the lists below them take as
 * long again.
 */
function useNumbersPainted(): boolean {
  const [arePainted, setPainted] = useState(wereNumbersPainted)
  useEffect(() => {
    const note = (): void => {
      wereNumbersPainted = true
      setPainted(true)
    }
    const frame = requestAnimationFrame(() => setTimeout(note))
    return () => cancelAnimationFrame(frame)
  }, [])
  return arePainted
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

/** The first order may have brought one since the session was read. */
function useKnownCurrency(told: string | undefined): void {
  const { currency, isShared } = useProperty()
  const isNew = told !== undefined && told !== currency && !isShared
  useEffect(() => {
    if (isNew) void refreshSession()
  }, [isNew])
}

/** Announces once to screen readers that the figures have changed. */
function useSpokenChange(isStale: boolean): void {
  const wasStale = useRef(isStale)
  useEffect(() => {
    if (wasStale.current && !isStale) announce(text.refreshed)
    wasStale.current = isStale
  }, [isStale])
}
