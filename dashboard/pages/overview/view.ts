// All state that a link to an overview reproduces: window, filters, metric, tabs, and the open list or note.
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type OverviewAsk, readOverview } from '../../api/overview.ts'
import { type ListId, listIds, metricIds } from '../../api/overview-ids.ts'
import { dimensions } from '../../../server/analytics/dimensions.ts'
import { useProperty } from '../../session.tsx'
import { choiceParam, numberParam, optionalParam, textParam, type Turn, useUrlState } from '../../url.ts'
import { askOf, type WindowState, windowCodecs } from '../../window.ts'

type Category = (typeof dimensions)[ListId]['category']
const tabsOf = (category: Category): ListId[] => listIds.filter((id) => dimensions[id].category === category)

export const sourceTabs: readonly ListId[] = [...tabsOf('Acquisition'), 'utm_campaign']
export const pageTabs = tabsOf('Pages')
export const placeTabs: readonly (ListId | 'map')[] = ['map', ...tabsOf('Location')]
export const technologyTabs = tabsOf('Technology')
export const outcomeTabs = ['events', 'conversions', 'forms', 'links', 'content'] as const

const viewCodecs = {
  ...windowCodecs,
  metric: choiceParam(metricIds, 'sessions'),
  view: choiceParam(['table'], null),
  sources: choiceParam(sourceTabs, 'source'),
  pages: choiceParam(pageTabs, 'entry_path_full'),
  places: choiceParam(placeTabs, 'map'),
  technology: choiceParam(technologyTabs, 'browser'),
  outcomes: choiceParam(outcomeTabs, 'events'),
  /** The list that is shown in full, with what is searched in it, and its page. */
  more: choiceParam(listIds, null),
  q: textParam,
  page: numberParam(1),
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

/** @param isAhead nobody looks at it yet. */
export function overviewOf(id: string, view: WindowState, { isAhead = false } = {}) {
  const compare = view.compare === 'year' ? 'year' : 'preceding'
  const ask: OverviewAsk = { ...askOf(view), interval: view.interval, compare }
  return queryOptions({
    queryKey: ['overview', id, ask],
    queryFn: ({ signal }) => readOverview(id, ask, { signal, isAhead }),
  })
}

/** One answer for the whole page. The one before stays until the next is there, so that nothing flashes. */
export function useOverview(view: WindowState) {
  const { id } = useProperty()
  return useQuery({
    ...overviewOf(id, view),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  })
}
