// One goal: how often it was met over time, which sources and pages it comes from, and who met it.
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Pencil, Target } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../../api.ts'
import { attributions, type MetricId } from '../../api/overview.ts'
import { goalMetricIds } from '../../api/overview-ids.ts'
import { listSessions } from '../../api/sessions.ts'
import { later } from '../../later.ts'
import { Button, LinkButton } from '../../parts/button.tsx'
import { BackLink, DetailSkeleton } from '../../parts/detail.tsx'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { PageHeader, Panel, Stack } from '../../parts/panel.tsx'
import { PeriodPicker } from '../../parts/period-picker.tsx'
import { Menu } from '../../parts/popover.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../parts/states.tsx'
import { DataTable } from '../../parts/table.tsx'
import { useCan, useProperty, usePropertyPath } from '../../session.tsx'
import { goals as text } from '../../texts/index.ts'
import { useTitle } from '../../title.ts'
import { askOf, clausesParam, useCarriedSearch, type WindowState } from '../../window.ts'
import { Cards } from '../overview/cards.tsx'
import { clauseLabels } from '../overview/choosing.ts'
import { GraphPanel } from '../overview/graph-panel.tsx'
import lists from '../overview/lists.module.css'
import { ListPanel } from '../overview/lists.tsx'
import { knownOf } from '../overview/row-figures.ts'
import { pageTabs, type SetView, sourceTabs, useOverview, useView, type View } from '../overview/view.ts'
import { sessionColumns } from '../sessions/columns.tsx'
import { useNames as useContactNames } from '../sessions/names.ts'
import { useNames } from '../automations/use-names.ts'
import { triggerWords } from '../automations/words.ts'
import { useGoals } from '../../goals.ts'
import { ConversionDrawer, specOf } from './drawer.tsx'
import { useConversionDrawer, useCounts } from './list.tsx'

const ListDialog = lazy(later(async () => ({ default: (await import('../overview/list-dialog.tsx')).ListDialog })))

const isOfGoal = (id: MetricId): boolean => goalMetricIds.some((known) => known === id)

/** The view of the overview, of which all is about the goal. */
function useGoalView(goal: string): [View, SetView] {
  const [view, setView] = useView()
  const metric = isOfGoal(view.metric) ? view.metric : 'conversions'
  const by = view.by === 'sessions' ? 'conversions' : view.by
  const sort = view.sort === 'sessions' ? 'conversions' : view.sort
  return [{ ...view, goal, metric, by, sort }, setView]
}

export function GoalPage({ id }: { id: string }) {
  const property = useProperty()
  const path = usePropertyPath()
  const [, navigate] = useLocation()
  const canEdit = useCan('admin')
  const [view, setView] = useGoalView(id)
  const goal = useGoals()?.find((known) => known.id === id)
  const names = useNames()
  const counts = useCounts()
  const drawer = useConversionDrawer()
  const query = useOverview(view)
  const { data, error, refetch } = query
  useTitle(goal?.name ?? text.title, property.name)
  const isGone = error instanceof ApiError && 'goal' in error.errors
  if (isGone) return <Gone />
  if (!goal) return error ? <ErrorState error={error} onRetry={refetch} /> : <DetailSkeleton />
  return (
    <>
      <PageHeader
        back={<BackLink href={path('/goals')}>{text.back}</BackLink>}
        title={goal.name}
        subtitle={triggerWords(specOf(goal), names.forms ?? new Map())}
        actions={
          <>
            {canEdit && (
              <Button look="quiet" icon={<Pencil aria-hidden="true" />} onClick={() => drawer.open(id)}>
                {text.edit}
              </Button>
            )}
            <CreditMenu view={view} setView={setView} />
            <PeriodPicker byDefault={data?.inputs.period} />
          </>
        }
      />
      <Stack>
        <FilterBar labels={clauseLabels(view.f, data)} />
        <Figures query={query} view={view} setView={setView} />
        <People goal={id} view={view} />
      </Stack>
      <Suspense>
        {view.more !== null && <ListDialog id={view.more} view={view} setView={setView} known={knownOf(data)} />}
      </Suspense>
      {drawer.shown === id && (
        <ConversionDrawer
          id={id}
          names={names}
          counts={counts}
          onClose={drawer.close}
          onDeleted={() => navigate(path('/goals'))}
        />
      )}
    </>
  )
}

interface FiguresProps {
  readonly query: ReturnType<typeof useOverview>
  readonly view: View
  readonly setView: SetView
}

function Figures({ query: { data, error, refetch, isPlaceholderData }, view, setView }: FiguresProps) {
  // The figures before may be those of another goal, or of none.
  if (data?.goal?.id !== view.goal || !data)
    return <Panel>{error ? <ErrorState error={error} onRetry={refetch} /> : <SkeletonLines lines={12} />}</Panel>
  const shared = { overview: data, view, setView }
  return (
    <div data-stale={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
      <Stack>
        <Panel isFlush>
          <Cards {...shared} only={goalMetricIds} />
          <GraphPanel {...shared} hasNotes={false} />
        </Panel>
        <div className={lists.grid}>
          <ListPanel {...shared} name="sources" tabs={sourceTabs} />
          <ListPanel {...shared} name="pages" tabs={pageTabs} />
        </div>
      </Stack>
    </div>
  )
}

function CreditMenu({ view, setView }: { view: View; setView: SetView }) {
  const button = (
    <>
      <span className="visually-hidden">{text.credit}: </span>
      {text.credits[view.credit]}
      <ChevronDown aria-hidden="true" />
    </>
  )
  const items = attributions.map((credit) => ({
    label: text.credits[credit],
    isChosen: view.credit === credit,
    onSelect: () => setView({ credit }),
  }))
  return <Menu button={button} align="end" items={items} />
}

const SHOWN_PEOPLE = 10

/** The latest visits that met it, with the people as far as they are known. */
function People({ goal, view }: { goal: string; view: WindowState }) {
  const property = useProperty()
  const path = usePropertyPath()
  const carried = useCarriedSearch()
  const met = { id: 'conversion', op: 'equals', values: [goal] }
  const f = [...view.f.filter(({ id }) => id !== 'conversion'), met]
  const ask = askOf({ ...view, f })
  const query = useQuery({
    queryKey: ['sessions', property.id, ask, 1],
    queryFn: ({ signal }) => listSessions(property.id, ask, 1, signal),
  })
  const names = useContactNames(query.data?.data)
  const search = new URLSearchParams(carried)
  search.delete('f')
  for (const clause of clausesParam.write(f) ?? []) search.append('f', clause)
  return (
    <Panel
      isFlush
      title={text.people}
      subtitle={text.peopleHint}
      actions={
        <LinkButton size="small" look="quiet" href={`${path('/sessions')}?${search.toString()}`}>
          {text.allPeople}
        </LinkButton>
      }
    >
      <DataTable
        caption={text.people}
        columns={sessionColumns(names)}
        rows={query.data?.data.slice(0, SHOWN_PEOPLE)}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${path(`/sessions/${encodeURIComponent(id)}`)}?${search.toString()}`}
        error={query.error}
        onRetry={query.refetch}
        empty={<EmptyState isSmall title={text.nobody} />}
      />
    </Panel>
  )
}

function Gone() {
  const path = usePropertyPath()
  return (
    <Panel>
      <EmptyState
        icon={<Target />}
        title={<h1>{text.gone}</h1>}
        actions={<LinkButton href={path('/goals')}>{text.back}</LinkButton>}
      >
        {text.goneHint}
      </EmptyState>
    </Panel>
  )
}
