// The overview of a window in one answer, the full lists behind its rows, the notes on its graph, and links that share it.
import { type CallOptions, download, post, remove } from '../api.ts'
import type { askOf, Interval, Period } from '../window.ts'
import type { ListId, MetricId } from './overview-ids.ts'

export type { ListId, MetricId }

export interface Card {
  readonly id: MetricId
  readonly format: string
  readonly current: number
  /** Null when there was nothing to compare with. */
  readonly previous: number | null
  readonly is_reverse: boolean
  /** Over the sessions of which it is known; left out where it is of all. Null when it is of none. */
  readonly known?: {
    readonly sessions: number
    readonly current: number | null
    readonly previous_sessions: number
    readonly previous: number | null
  }
}

export interface Bucket {
  readonly label: string
  readonly from_ts: number
  readonly to_ts: number
  readonly is_running: boolean
}

export type Values = readonly (number | null)[]
/**
 * Over the sessions of each bucket of which a metric is known, and how many these are; left out where it is
 * of all.
 */
export type KnownSeries = Readonly<
  Partial<Record<MetricId, { readonly sessions: readonly number[]; readonly values: Values }>>
>

export interface ListRow {
  /** The value as a clause takes it. */
  readonly id: string
  readonly label: string
  readonly value: number
  /** Of the sessions of the window. */
  readonly percent: number
  readonly icon_url?: string
  readonly country_code?: string
}

export interface Outcomes {
  readonly events: readonly { name: string; count: number; sessions: number; value_cents: number }[]
  readonly conversions: readonly { id: string; name: string; count: number; sessions: number; rate: number }[]
  readonly forms: readonly {
    id: string
    name: string
    key: string
    sessions: number
    submissions: number
    rate: number | null
  }[]
  readonly links: readonly { id: string; name: string; short_url: string; clicks: number; sessions: number }[]
  readonly content: readonly {
    id: string
    name: string
    key: string
    views: number
    clicks: number
    rate: number | null
  }[]
}

export interface Annotation {
  readonly id: string
  readonly ts: number
  readonly text: string
}

export interface Overview {
  readonly inputs: { readonly period: Period; readonly interval: Interval; readonly compare: 'preceding' | 'year' }
  readonly meta: {
    readonly took_ms: number
    readonly is_cached: boolean
    readonly is_empty_property: boolean
    /** Null before the first one. */
    readonly first_view_ts: number | null
  }
  readonly window: { readonly from_ts: number; readonly to_ts: number }
  readonly options: { readonly intervals: readonly { id: Interval; name: string; buckets: number }[] }
  readonly live: number
  readonly cards: readonly Card[]
  readonly series: {
    readonly buckets: readonly Bucket[]
    readonly current: Readonly<Record<MetricId, Values>>
    readonly known: KnownSeries
    readonly previous: Readonly<Record<MetricId, Values>> | null
    readonly previous_known: KnownSeries | null
    readonly projected: Readonly<Record<MetricId, number | null>>
  }
  readonly lists: Readonly<Partial<Record<ListId, { readonly total: number; readonly rows: readonly ListRow[] }>>>
  readonly countries: Readonly<Record<string, number>>
  readonly outcomes: Outcomes
  readonly annotations: readonly Annotation[]
}

type WindowAsk = ReturnType<typeof askOf>

export interface OverviewAsk extends WindowAsk {
  readonly interval: string | null
  readonly compare: 'preceding' | 'year'
}

export interface ListAsk extends WindowAsk {
  readonly search: string
  readonly page: number
  readonly per_page: number
}

export interface ListAnswer {
  readonly rows: readonly ListRow[]
  readonly total: number
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
  ask: WindowAsk & { readonly search?: string },
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
