// What is not people: bots, and what the browser libraries report of themselves.
import { get, type Page, post } from '../api.ts'
import type { Interval, Period } from '../window.ts'
import type { ListRow } from './live.ts'
import type { SessionsAsk } from './sessions.ts'

export interface Bots {
  readonly inputs: { readonly period: Period; readonly interval: Interval }
  readonly total: number
  readonly views: number
  readonly series: readonly { from_ts: number; to_ts: number; sessions: number; views: number }[]
  readonly names: readonly { name: string; kind: string; sessions: number; views: number; last_ts: number }[]
  readonly pages: readonly ListRow[]
  readonly networks: readonly ListRow[]
}

export interface ErrorDay {
  /** YYYY-MM-DD */
  readonly day: string
  readonly count: number
  /** Reports of bots, which are in no other figure. */
  readonly bots: number
  readonly errors: readonly {
    readonly message: string
    readonly lib: string
    readonly count: number
    readonly browsers: readonly { browser: string; count: number }[]
  }[]
}

const pathOf = (property: string) => `/manage/properties/${encodeURIComponent(property)}`

export const readBots = (property: string, ask: SessionsAsk, signal?: AbortSignal): Promise<Bots> =>
  post(`${pathOf(property)}/bots`, ask, { signal })

export const ERROR_DAYS_PER_PAGE = 14

export const listLibErrors = (
  property: string,
  { period, date_from, date_to }: Omit<SessionsAsk, 'clauses'>,
  page: number,
  signal?: AbortSignal,
): Promise<Page<ErrorDay>> =>
  get(`${pathOf(property)}/lib-errors`, {
    query: { period, date_from, date_to, page, per_page: ERROR_DAYS_PER_PAGE },
    signal,
  })
