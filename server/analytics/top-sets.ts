// The groupings that one pass over the sessions counts side by side, and how the answer of that pass tells
// them apart.
import { isSessionColumn } from '../stores/session-columns.ts'
import { columnOf, type DimensionId, dimensionIds, dimensionOf } from './dimensions.ts'

/**
 * Countries are answered up to this many (docs/api/analytics.md); no list shows more, so no grouping sends
 * more.
 */
export const TOP_ROWS = 300

/** The first part of a language: `DE` of `de-CH`. */
export const primaryLanguage = (language: string): string => `upper(substringIndex(${language}, '-', 1))`

export type TopSetName = DimensionId | 'primary_language' | 'country_code'

/** A value of a list, and how many sessions have it. */
export interface ValueCount {
  readonly value: string
  readonly sessions: number
}

export interface TopSet {
  readonly name: TopSetName
  /** What it is called in the pass, and its SQL over columns of sessions. */
  readonly column: string
  readonly sql: string
  /** A place of one name in two countries is two places, so it comes with its country: `DE Berlin`. */
  readonly isPlace: boolean
  /**
   * What ClickHouse's `grouping(…)` of all columns answers for rows of this set: a bit for each column that
   * is not it.
   */
  readonly mask: number
}

function setOf(id: DimensionId): Omit<TopSet, 'mask'> {
  const [column, isPlace] = [columnOf(id), dimensionOf(id).isPlace === true]
  return { name: id, column: isPlace ? `${id}_at` : id, sql: isPlace ? `${column}_at` : column, isPlace }
}

const sets: readonly Omit<TopSet, 'mask'>[] = [
  ...dimensionIds.map(setOf),
  { name: 'primary_language', column: 'primary_language', sql: primaryLanguage('language'), isPlace: false },
  { name: 'country_code', column: 'country_code', sql: 'country_code', isPlace: false },
]

/** In the order in which equal counts are sorted. */
export const topSets: readonly TopSet[] = sets.map((set) => ({
  ...set,
  mask: sets.reduce((mask, other) => mask * 2 + (other === set ? 0 : 1), 0),
}))

/** Columns of the sessions that these read. */
export const topSources = sets.map(({ sql }) => sql).filter(isSessionColumn)

/** By the name of what is listed; of places, then by country. */
export const topOrder = sets
  .flatMap(({ column, isPlace }) =>
    isPlace ? [`substring(${column}, position(${column}, ' ') + 1)`, column] : [column],
  )
  .join(', ')

/** @param value of a place as `DE Berlin`. */
export function readTop({ isPlace }: TopSet, value: string): { readonly value: string; readonly countryCode: string } {
  if (!isPlace) return { value, countryCode: '' }
  const space = value.indexOf(' ')
  return { value: value.slice(space + 1), countryCode: value.slice(0, space) }
}
