// The overview of a window in one answer, the full lists behind its rows, the notes on its graph, share
// links.
import { type CallOptions, download, post, remove } from '../api.ts'
import type { askOf } from '../window.ts'
import type { AnnotationJson } from '../../server/annotations/schema.ts'
import type { ListJson as ListAnswer, ListRowJson as ListRow } from '../../server/lists/schema.ts'
import type {
  CardJson as Card,
  OutcomesJson as Outcomes,
  OverviewJson as Overview,
  SeriesJson as Series,
} from '../../server/overview/schema.ts'
import type { ListId, MetricId } from './overview-ids.ts'

export type { Card, ListId, ListRow, MetricId, Outcomes, Overview }
/** Not there for a metric that is known of all sessions. */
export type KnownSeries = Readonly<Partial<Record<MetricId, Series['known']['bounce']>>>
/** Those that come with the overview. */
export type Lists = Readonly<Partial<Record<ListId, Overview['lists']['country']>>>
export type Values = Series['current'][MetricId]
export type Annotation = Omit<AnnotationJson, 'created_ts'>

type WindowQuery = ReturnType<typeof askOf>

export interface OverviewAsk extends WindowQuery {
  readonly interval: string | null
  readonly compare: 'preceding' | 'year'
}

export interface ListAsk extends WindowQuery {
  readonly search: string
  readonly page: number
  readonly per_page: number
}

const pathOf = (property: string, rest: string) => `/manage/properties/${encodeURIComponent(property)}/${rest}`

export const readOverview = (
  property: string,
  ask: OverviewAsk,
  how: Pick<CallOptions, 'signal' | 'isAhead'>,
): Promise<Overview> => post(pathOf(property, 'overview'), ask, how)

export const readList = (property: string, id: ListId, ask: ListAsk, signal?: AbortSignal): Promise<ListAnswer> =>
  post(pathOf(property, `lists/${id}`), ask, { signal })

/** All values of a list as a file; made in one go, so `page` says nothing. */
export const downloadList = (
  property: string,
  id: ListId,
  ask: WindowQuery & { readonly search?: string },
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
