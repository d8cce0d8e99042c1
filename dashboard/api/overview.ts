// The overview of a window in one answer, the full lists behind its rows, the notes on its graph, share
// links.
import { type CallOptions, download, post, remove } from '../api.ts'
import type { askOf } from '../window.ts'
import type { AnnotationJson } from '../../server/annotations/schema.ts'
import type {
  ListJson as ListAnswer,
  ListRowJson as ListRow,
  PagesJson as PagesAnswer,
} from '../../server/lists/schema.ts'
import type {
  CardJson,
  OutcomesJson as Outcomes,
  OverviewJson,
  SeriesJson as Series,
} from '../../server/overview/schema.ts'
import {
  goalMetricIds,
  type ListId,
  type MetricId,
  type PageMetricId,
  resultIds,
  type RowMetricId,
} from './overview-ids.ts'

export type { ListId, ListRow, MetricId, Outcomes, RowMetricId }

/** Of the service, of the chosen goal, or of costs, which may come to nothing. */
export type Card = Omit<CardJson, 'id' | 'current'> & { readonly id: MetricId; readonly current: number | null }
type WithMore<Value> = Readonly<Record<CardJson['id'], Value> & Partial<Record<MetricId, Value>>>

/** Cards of the goal and of costs stand behind the others, and their series beside them. */
export interface Overview extends Omit<OverviewJson, 'cards' | 'series'> {
  readonly cards: readonly Card[]
  readonly series: Omit<Series, 'current' | 'previous'> & {
    readonly current: WithMore<Values>
    readonly previous: WithMore<Values> | null
  }
}
/** Not there for a metric that is known of all sessions. */
export type KnownSeries = Readonly<Partial<Record<MetricId, Series['known']['bounce']>>>
/** Those that come with the overview. */
export type Lists = Readonly<Partial<Record<ListId, Overview['lists']['country']>>>
export type Values = Series['current'][CardJson['id']]
export type Annotation = Omit<AnnotationJson, 'created_ts'>

type WindowQuery = ReturnType<typeof askOf>

export interface OverviewAsk extends WindowQuery {
  readonly interval: string | null
  readonly compare: 'preceding' | 'year' | 'custom'
  readonly compare_from?: string | null
  readonly compare_to?: string | null
  readonly goal?: string
  readonly attribution?: Attribution
}

/** To which visit of a contact conversions are credited. */
export const attributions = ['first', 'last'] as const
export type Attribution = (typeof attributions)[number]

/** What is counted of the rows of a list. */
export interface CountedAsk {
  readonly metrics?: readonly RowMetricId[]
  readonly sort?: RowMetricId
  readonly order?: 'asc' | 'desc'
  readonly goal?: string
  readonly attribution?: Attribution
}

export interface ListAsk extends WindowQuery, CountedAsk {
  readonly search: string
  readonly page: number
  readonly per_page: number
}

const pathOf = (property: string, rest: string) => `/manage/properties/${encodeURIComponent(property)}/${rest}`

interface More<Id extends MetricId> {
  readonly cards: readonly Card[]
  readonly series: {
    readonly current: Readonly<Record<Id, Values>>
    readonly previous: Readonly<Record<Id, Values>> | null
  }
}

/** A goal without money has no series of it. */
function withMore<Id extends MetricId>(overview: Overview, ids: readonly Id[], more: More<Id> | undefined): Overview {
  if (!more) return overview
  const { cards, series } = overview
  const shown = ids.filter((id) => more.cards.some((card) => card.id === id))
  const only = (values: Readonly<Record<Id, Values>>) =>
    Object.fromEntries(shown.map((id) => [id, values[id]])) as Partial<Record<MetricId, Values>>
  const { current, previous } = more.series
  return {
    ...overview,
    cards: [...cards, ...more.cards],
    series: {
      ...series,
      current: { ...series.current, ...only(current) },
      previous: series.previous && previous && { ...series.previous, ...only(previous) },
    },
  }
}

const whole = (answer: OverviewJson): Overview =>
  withMore(withMore(answer, goalMetricIds, answer.goal), resultIds, answer.costs)

export const readOverview = async (
  property: string,
  ask: OverviewAsk,
  how: Pick<CallOptions, 'signal' | 'isAhead'>,
): Promise<Overview> => whole(await post<OverviewJson>(pathOf(property, 'overview'), ask, how))

export const readList = (property: string, id: ListId, ask: ListAsk, signal?: AbortSignal): Promise<ListAnswer> =>
  post(pathOf(property, `lists/${id}`), ask, { signal })

export interface PagesAsk extends WindowQuery {
  readonly search?: string
  readonly depth?: number | null
  readonly sort?: PageMetricId
  readonly order?: 'asc' | 'desc'
}

export type PageRow = PagesAnswer['rows'][number]

/** The pages that were seen, or the folders that they lie in. */
export const readPages = (
  property: string,
  ask: PagesAsk & { readonly page: number; readonly per_page: number },
  signal?: AbortSignal,
): Promise<PagesAnswer> => post(pathOf(property, 'pages'), ask, { signal })

export const downloadPages = (property: string, ask: PagesAsk): Promise<void> =>
  download(pathOf(property, 'pages'), 'pages.csv', { method: 'POST', body: ask, query: { format: 'csv' } })

/** All values of a list as a file; made in one go, so `page` says nothing. */
export const downloadList = (
  property: string,
  id: ListId,
  ask: WindowQuery & CountedAsk & { readonly search?: string },
): Promise<void> =>
  download(pathOf(property, `lists/${id}`), `${id}.csv`, { method: 'POST', body: ask, query: { format: 'csv' } })

export const addAnnotation = (property: string, note: Omit<Annotation, 'id'>): Promise<unknown> =>
  post(pathOf(property, 'annotations'), note)
/** What is left out stays. */
export const changeAnnotation = (
  property: string,
  { id, ...note }: Partial<Annotation> & Pick<Annotation, 'id'>,
): Promise<unknown> => post(pathOf(property, `annotations/${encodeURIComponent(id)}`), note)
export const removeAnnotation = (property: string, id: string): Promise<unknown> =>
  remove(pathOf(property, `annotations/${encodeURIComponent(id)}`))
