// A window of time and its filters, which most pages are about: kept in the URL and carried from page to
// page.
import { useSearch } from 'wouter'
import type { Operator } from '../server/analytics/clauses.ts'
import type { ClauseId } from '../server/analytics/dimensions.ts'
import type { Interval } from '../server/kernel/buckets.ts'
import type { Period } from '../server/kernel/periods.ts'
import { isSharedFilter } from './shared-ids.ts'
import { choiceParam, type Codec, optionalParam, type Turn, useUrlState } from './url.ts'

export type { ClauseId, Interval, Operator, Period }

export interface Clause {
  readonly id: string
  readonly op: string
  /** Any of them; empty for is_set and is_not_set. */
  readonly values: readonly string[]
}

/** As the service takes it. */
export interface ClauseAsk {
  readonly id: string
  readonly op: string
  readonly value?: string | readonly string[]
}

/** All of them, as a test holds; their names are the texts'. */
export const periods: readonly Period[] = [
  'today',
  'yesterday',
  'last_7',
  'last_28',
  'month_to_date',
  'year_to_date',
  'last_12_months',
  'custom',
  'last_30',
  'last_90',
  'this_week',
  'last_week',
  'last_month',
  'this_quarter',
  'last_quarter',
  'last_year',
  'all_time',
]

export const intervals = ['hour', 'day', 'week', 'month', 'year'] as const satisfies readonly Interval[]
export const comparisons = ['preceding', 'year', 'custom', 'none'] as const
export type Comparison = (typeof comparisons)[number]

const escaped = (value: string): string => value.replaceAll('%', '%25').replaceAll('|', '%7C')
const unescaped = (value: string): string => value.replaceAll('%7C', '|').replaceAll('%25', '%')

/** `country:equals:Germany|France`; of a value only the bar and the percent sign are escaped. */
export function writeClause({ id, op, values }: Clause): string {
  return [id, op, ...(values.length === 0 ? [] : [values.map(escaped).join('|')])].join(':')
}

/** Undefined for what is no clause. Whether id and operator make sense is the service's to say. */
export function readClause(written: string): Clause | undefined {
  const [, id, op, rest] = /^(\w+):(\w+)(?::([^]*))?$/.exec(written) ?? []
  if (id === undefined || op === undefined) return undefined
  return { id, op, values: rest === undefined ? [] : rest.split('|').map(unescaped) }
}

export const clausesParam: Codec<readonly Clause[]> = {
  parse: (given) => given.map(readClause).filter((clause) => clause !== undefined),
  write: (clauses) => (clauses.length === 0 ? null : clauses.map(writeClause)),
}

export interface WindowState {
  /** Null: the property's own. */
  readonly period: Period | null
  readonly date_from: string | null
  readonly date_to: string | null
  readonly f: readonly Clause[]
  readonly compare: Comparison
  /** With `custom`: the first and the last day. */
  readonly compare_from: string | null
  readonly compare_to: string | null
  /** Null: by the length of the window. */
  readonly interval: Interval | null
}

export const windowCodecs = {
  period: choiceParam(periods, null),
  date_from: optionalParam,
  date_to: optionalParam,
  f: clausesParam,
  compare: choiceParam(comparisons, 'preceding'),
  compare_from: optionalParam,
  compare_to: optionalParam,
  interval: choiceParam(intervals, null),
} as const

export const useWindow = (): [WindowState, (patch: Partial<WindowState>, turn?: Turn) => void] =>
  useUrlState<WindowState>(windowCodecs)

export const asksOf = (clauses: readonly Clause[]): ClauseAsk[] =>
  clauses.map(({ id, op, values }) => {
    const [first] = values
    if (first === undefined) return { id, op }
    return { id, op, value: values.length === 1 ? first : values }
  })

/** The window as a request's body takes it. */
export function askOf({ period, date_from, date_to, f }: Pick<WindowState, 'period' | 'date_from' | 'date_to' | 'f'>) {
  return { period, date_from, date_to, clauses: asksOf(f) }
}

const isSame = (one: Clause, other: Clause): boolean => writeClause(one) === writeClause(other)

/** With the clause; one on the same id and operator takes the value as another that may hold. */
export function withClause(clauses: readonly Clause[], added: Clause): readonly Clause[] {
  if (clauses.some((clause) => isSame(clause, added))) return clauses
  const index = clauses.findIndex(({ id, op }) => id === added.id && op === added.op && op.endsWith('equals'))
  const known = clauses[index]
  if (!known) return [...clauses, added]
  return clauses.with(index, { ...known, values: [...new Set([...known.values, ...added.values])] })
}

export const withoutClause = (clauses: readonly Clause[], gone: Clause): readonly Clause[] =>
  clauses.filter((clause) => !isSame(clause, gone))

const carried = new Set(['period', 'date_from', 'date_to', 'f', 'compare', 'compare_from', 'compare_to'])

/** The window of this page as a query string, for links to the other pages of the property. */
/** Of the page of a share link, which cannot be filtered by everything. */
export function sharedSearch(carriedSearch: string): string {
  const kept = [...new URLSearchParams(carriedSearch)].filter(
    ([name, value]) => name !== 'f' || isSharedFilter(readClause(value) ?? { id: '', op: '', values: [] }),
  )
  const search = new URLSearchParams(kept).toString()
  return search === '' ? '' : `?${search}`
}

export function useCarriedSearch(): string {
  const given = new URLSearchParams(useSearch())
  const kept = [...given].filter(([name]) => carried.has(name))
  const search = new URLSearchParams(kept).toString()
  return search === '' ? '' : `?${search}`
}
