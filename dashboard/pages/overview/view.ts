// All state that a link to an overview reproduces: window, filters, metric, tabs, and the open list or note.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { attributions, type CountedAsk, type OverviewAsk, readOverview } from '../../api/overview.ts'
import {
  costMetricIds,
  goalMetricIds,
  type ListId,
  listIds,
  metricIds,
  pageMetricIds,
  resultIds,
  type RowMetricId,
  rowMetricIds,
} from '../../api/overview-ids.ts'
import { dimensions } from '../../../server/analytics/dimensions.ts'
import { useProperty } from '../../session.tsx'
import { choiceParam, flagParam, numberParam, optionalParam, textParam, type Turn, useUrlState } from '../../url.ts'
import { askOf, type WindowState, windowCodecs } from '../../window.ts'

type Category = (typeof dimensions)[ListId]['category']
const tabsOf = (category: Category): ListId[] => listIds.filter((id) => dimensions[id].category === category)

export const sourceTabs: readonly ListId[] = [...tabsOf('Acquisition'), 'utm_campaign']
export const pageTabs = tabsOf('Pages')
/** `top`: pages as they were seen, which is no list of sessions. */
export const pagePanelTabs: readonly (ListId | 'top')[] = ['top', ...pageTabs]
export const placeTabs: readonly (ListId | 'map')[] = ['map', ...tabsOf('Location')]
export const technologyTabs = tabsOf('Technology')
export const outcomeTabs = ['events', 'conversions', 'forms', 'links', 'content'] as const

const rowChoices = [...rowMetricIds, ...goalMetricIds, ...costMetricIds] as const

const viewCodecs = {
  ...windowCodecs,
  metric: choiceParam([...metricIds, ...goalMetricIds, ...resultIds], 'sessions'),
  /** A conversion whose figures are shown everywhere, and which visit of a contact it is credited to. */
  goal: optionalParam,
  credit: choiceParam(attributions, 'first'),
  /** What the lists show of a row; the largest come first. */
  by: choiceParam(rowChoices, 'sessions'),
  view: choiceParam(['table'], null),
  sources: choiceParam(sourceTabs, 'source'),
  pages: choiceParam(pagePanelTabs, 'entry_path_full'),
  places: choiceParam(placeTabs, 'map'),
  technology: choiceParam(technologyTabs, 'browser'),
  outcomes: choiceParam(outcomeTabs, 'events'),
  /** The list that is shown in full, with what is searched in it, and its page. */
  more: choiceParam(listIds, null),
  q: textParam,
  page: numberParam(1),
  sort: choiceParam(rowChoices, 'sessions'),
  order: choiceParam(['asc', 'desc'], 'desc'),
  /** All pages that were seen: whether they are shown, and how. */
  top: flagParam,
  psort: choiceParam(pageMetricIds, 'views'),
  depth: choiceParam(['1', '2', '3'], null),
  /** `new`, or the id of a note. */
  note: optionalParam,
} as const

type Read<Codec> = Codec extends { parse: (given: readonly string[]) => infer Value } ? Value : never
export type View = WindowState & {
  readonly [Key in Exclude<keyof typeof viewCodecs, keyof WindowState>]: Read<(typeof viewCodecs)[Key]>
}
export type SetView = (patch: Partial<View>, turn?: Turn) => void

export const useView = (): [View, SetView] => useUrlState<View>(viewCodecs)

const REFRESH_MS = 60_000

type GoalState = Partial<Pick<View, 'goal' | 'credit'>>

/** As a request takes it. */
export function goalAsk({ goal, credit }: GoalState): Pick<CountedAsk, 'goal' | 'attribution'> {
  if (goal === undefined || goal === null) return {}
  return { goal, ...(credit && { attribution: credit }) }
}

const isOfGoal = (id: RowMetricId): boolean =>
  id === 'cost_per_conversion' || goalMetricIds.some((known) => known === id)

/** What the lists show: without a goal nothing of one. */
export const shownBy = ({ by, goal }: Pick<View, 'by' | 'goal'>): RowMetricId =>
  goal === null && isOfGoal(by) ? 'sessions' : by

function comparisonAsk({
  compare,
  compare_from,
  compare_to,
}: WindowState): Pick<OverviewAsk, 'compare' | 'compare_from' | 'compare_to'> {
  if (compare === 'custom') return { compare, compare_from, compare_to }
  return { compare: compare === 'year' ? 'year' : 'preceding' }
}

/** @param isAhead nobody looks at it yet. */
export function overviewOf(id: string, view: WindowState & GoalState, { isAhead = false } = {}) {
  const ask: OverviewAsk = { ...askOf(view), interval: view.interval, ...comparisonAsk(view), ...goalAsk(view) }
  return queryOptions({
    queryKey: ['overview', id, ask],
    queryFn: ({ signal }) => readOverview(id, ask, { signal, isAhead }),
  })
}

/** One answer for the whole page. The one before stays until the next is there, so that nothing flashes. */
export function useOverview(view: WindowState & GoalState) {
  const { id } = useProperty()
  return useQuery({
    ...overviewOf(id, view),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}
