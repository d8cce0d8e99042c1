// What is not people: bots, and what the browser libraries report of themselves.
import { get, type Page, post } from '../api.ts'
import type { BotsJson as Bots } from '../../server/lists/schema.ts'
import type { ErrorDayJson as ErrorDay } from '../../server/diagnostics/schema.ts'
import type { SessionsAsk } from './sessions.ts'

export type { Bots, ErrorDay }

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
