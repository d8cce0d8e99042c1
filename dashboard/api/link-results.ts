// What came of short links: of a link or group, and of the destinations of a split.
import type {
  ResultCountsJson as ResultCounts,
  ResultPersonJson as ResultPerson,
  ResultRowJson as ResultRow,
  ResultsJson as LinkResults,
  ResultsOfJson as ResultsOf,
  SplitResultsJson as SplitResults,
  VariantResultJson as VariantResult,
} from '../../server/link-results/schema.ts'
import { get } from '../api.ts'
import { apiPath } from '../place.ts'
import type { WindowQuery } from './forms.ts'
import type { LinkOwner } from './links.ts'

export type { LinkResults, ResultCounts, ResultPerson, ResultRow, ResultsOf, SplitResults, VariantResult }

const linksOf = (property: string, rest: string): string => `/manage/properties/${encodeURIComponent(property)}/${rest}`

const resultsPath = (property: string, { kind, id }: LinkOwner): string =>
  linksOf(property, `${kind === 'link' ? 'links' : 'link-groups'}/${encodeURIComponent(id)}/results`)

export interface ResultsAsk extends WindowQuery {
  /** Another link or group beside it; '' for none. */
  readonly with: string
}

export const readLinkResults = (property: string, owner: LinkOwner, ask: ResultsAsk, signal?: AbortSignal) =>
  get<{ results: LinkResults }>(resultsPath(property, owner), { query: { ...ask }, signal })

export interface SplitAsk extends WindowQuery {
  /** The conversion that is the goal; '' for a form that was sent. */
  readonly conversion: string
}

export const readSplitResults = (property: string, link: string, ask: SplitAsk, signal?: AbortSignal) =>
  get<{ results: SplitResults }>(linksOf(property, `links/${encodeURIComponent(link)}/split-results`), {
    query: { ...ask },
    signal,
  })

export function resultsUrl(property: string, owner: LinkOwner, ask: WindowQuery): string {
  const given = Object.entries(ask).filter(([, value]) => typeof value === 'string' && value !== '')
  const query = new URLSearchParams(given as [string, string][]).toString()
  return `${apiPath}${resultsPath(property, owner)}/export${query === '' ? '' : `?${query}`}`
}
