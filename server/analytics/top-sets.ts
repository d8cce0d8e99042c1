// The groupings that one pass over the sessions counts side by side, and how the answer of that pass tells them apart.
import { isSessionColumn } from '../stores/session-columns.ts'

/** SQL of every column that a grouping may name, in the order in which equal counts are sorted. */
export const topColumns = {
  source: 'entry.source',
  channel: 'entry.channel',
  referrer_domain: 'entry.referrer_domain',
  entry_path_full: 'entry.path',
  exit_path_full: 'exit.path',
  country: 'country',
  region: 'region',
  city: 'city',
  timezone: 'timezone',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  primary_language: "upper(substringIndex(language, '-', 1))",
  country_code: 'country_code',
} as const

type TopColumn = keyof typeof topColumns

/** Columns of the sessions that these read. */
export const topSources = Object.values<string>(topColumns).filter(isSessionColumn)

/** Countries are answered up to this many (SPEC.md 4.1); no list shows more, so no grouping sends more. */
export const TOP_ROWS = 300

/** The first column of each is what is listed. Regions and cities of one name in two countries are two places. */
const groupings = {
  source: ['source'],
  channel: ['channel'],
  referrer_domain: ['referrer_domain'],
  entry_path_full: ['entry_path_full'],
  exit_path_full: ['exit_path_full'],
  country: ['country', 'country_code'],
  region: ['region', 'country_code'],
  city: ['city', 'country_code'],
  timezone: ['timezone'],
  browser: ['browser'],
  os: ['os'],
  device: ['device'],
  language: ['language'],
  primary_language: ['primary_language'],
  country_code: ['country_code'],
} as const satisfies Record<string, readonly [TopColumn, ...TopColumn[]]>

export type TopSetName = keyof typeof groupings

export interface TopSet {
  readonly name: TopSetName
  readonly columns: readonly [TopColumn, ...TopColumn[]]
  /** What ClickHouse's `grouping(…)` of all columns answers for rows of this set: a bit for each column that is not in it. */
  readonly mask: number
}

export const topSets: readonly TopSet[] = (Object.keys(groupings) as TopSetName[]).map((name) => {
  const columns: readonly [TopColumn, ...TopColumn[]] = groupings[name]
  return { name, columns, mask: maskOf(columns) }
})

function maskOf(columns: readonly TopColumn[]): number {
  return (Object.keys(topColumns) as TopColumn[]).reduce(
    (mask, column) => mask * 2 + (columns.includes(column) ? 0 : 1),
    0,
  )
}
