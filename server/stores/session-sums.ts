// What is added up of the sessions of each day that is settled: figures, and how many sessions have each
// value of some columns. Questions that ask about all sessions of a day read these instead of the sessions.
import { bouncedSql, type SessionColumn } from './session-columns.ts'

const bounced = bouncedSql((name) => name)
const measured = '(seconds_sum > 0 OR has_scroll)'

/** Sessions with a time or a scroll from a ping, and which of any bounced: over rows of plain columns. */
export const sessionStates = { bounced, measured } as const

/** SQL of each figure over rows of plain columns, and how `settled_figures` holds it. */
export const sessionSums = {
  sessions: { sql: 'count()', type: 'UInt64' },
  views: { sql: 'sum(view_count)', type: 'UInt64' },
  bounced: { sql: `countIf(${bounced})`, type: 'UInt64' },
  seconds: { sql: 'sum(seconds_sum)', type: 'UInt64' },
  scroll: { sql: 'sumIf(scroll_mean, has_scroll)', type: 'Float64' },
  scrolled: { sql: 'countIf(has_scroll)', type: 'UInt64' },
  measured: { sql: `countIf(${measured})`, type: 'UInt64' },
  measured_bounces: { sql: `countIf(${measured} AND ${bounced})`, type: 'UInt64' },
  /** As a number that cannot overflow: exact up to where the metric stays. */
  value: { sql: 'sum(toFloat64(value_usd_sum))', type: 'Float64' },
  re_entries: { sql: 'sum(re_entries)', type: 'UInt64' },
} as const

export type SessionSum = keyof typeof sessionSums

/** Columns whose values are counted in `settled_values`, each under its name. */
export const countedColumns = [
  'entry_channel',
  'entry_source',
  'entry_referrer_domain',
  'entry_path',
  'exit_path',
  'country_code',
  'country_at',
  'region_at',
  'city_at',
  'timezone',
  'browser',
  'os',
  'device',
  'language',
] as const satisfies readonly SessionColumn[]

/** Hours of any zone begin with one of them. */
export const QUARTER_SECONDS = 900

/**
 * What else is counted in `settled_values`: sessions by the link that they began through, and by the quarter
 * of an hour since 1970 in which they did, and later visits by their link.
 */
export const countedLists = { arrivals: 'entry_link', starts: 'quarter', returns: 'later_link' } as const

export const quarterSql = `intDiv(toUnixTimestamp(entry_at), ${QUARTER_SECONDS})`

/**
 * Counts of the values of each column, side by side: the rows of one grouping have the others' columns empty,
 * so that all together are the value.
 * @param columns to group by besides.
 */
export function valueCounts(columns: readonly string[]): { readonly select: string; readonly groupBy: string } {
  const masks = countedColumns.map(
    (_, index) => 2 ** countedColumns.length - 1 - 2 ** (countedColumns.length - 1 - index),
  )
  const names = countedColumns.map((column) => `'${column}'`).join(', ')
  const sets = countedColumns.map((column) => `(${[...columns, column].join(', ')})`).join(', ')
  return {
    select: `transform(grouping(${countedColumns.join(', ')}), [${masks.join(', ')}], [${names}], '') AS list, concat(${countedColumns.map((column) => `toString(${column})`).join(', ')}) AS value, count() AS sessions`,
    groupBy: `GROUP BY GROUPING SETS (${sets})`,
  }
}
