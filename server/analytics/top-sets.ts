// The groupings that one pass over the sessions counts side by side, and how the answer of that pass tells them apart.
import { isSessionColumn } from '../stores/session-columns.ts'

/** SQL of every column that a grouping may name, in the order in which equal counts are sorted. */
export const topColumns = {
  source: 'entry_source',
  channel: 'entry_channel',
  referrer_domain: 'entry_referrer_domain',
  entry_path_full: 'entry_path',
  exit_path_full: 'exit_path',
  country_at: 'country_at',
  region_at: 'region_at',
  city_at: 'city_at',
  timezone: 'timezone',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  primary_language: "upper(substringIndex(language, '-', 1))",
  country_code: 'country_code',
} as const

type TopColumn = keyof typeof topColumns

export const topColumnNames = Object.keys(topColumns) as TopColumn[]

/** Columns of the sessions that these read. */
export const topSources = Object.values<string>(topColumns).filter(isSessionColumn)

/** Countries are answered up to this many (docs/definitions.md); no list shows more, so no grouping sends more. */
export const TOP_ROWS = 300

/** What is listed. Regions and cities of one name in two countries are two places, and so come with their country. */
const groupings = {
  source: 'source',
  channel: 'channel',
  referrer_domain: 'referrer_domain',
  entry_path_full: 'entry_path_full',
  exit_path_full: 'exit_path_full',
  country: 'country_at',
  region: 'region_at',
  city: 'city_at',
  timezone: 'timezone',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  primary_language: 'primary_language',
  country_code: 'country_code',
} as const satisfies Record<string, TopColumn>

export type TopSetName = keyof typeof groupings

export interface TopSet {
  readonly name: TopSetName
  readonly column: TopColumn
  /** What ClickHouse's `grouping(…)` of all columns answers for rows of this set: a bit for each column that is not it. */
  readonly mask: number
}

export const topSets: readonly TopSet[] = (Object.keys(groupings) as TopSetName[]).map((name) => {
  const column: TopColumn = groupings[name]
  return { name, column, mask: maskOf(column) }
})

function maskOf(counted: TopColumn): number {
  return topColumnNames.reduce((mask, column) => mask * 2 + (column === counted ? 0 : 1), 0)
}

const isPlace = (column: TopColumn): boolean => column.endsWith('_at')

/** By the name of what is listed; of places, then by country. */
export const topOrder = topColumnNames
  .flatMap((column) => (isPlace(column) ? [`substring(${column}, position(${column}, ' ') + 1)`, column] : [column]))
  .join(', ')

/** @param value of a place as `DE Berlin`. */
export function readTop({ column }: TopSet, value: string): { readonly value: string; readonly countryCode: string } {
  if (!isPlace(column)) return { value, countryCode: '' }
  const space = value.indexOf(' ')
  return { value: value.slice(space + 1), countryCode: value.slice(0, space) }
}
