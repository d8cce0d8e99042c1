// The facts of a property, row by row: how many there are by day, pages of them in the order of their key,
// and the statements whose rows ClickHouse writes as Parquet. Each page begins behind the last key of the one
// before, so that the last costs as much as the first.
import type { Facts } from '../stores/facts.ts'
import { NEVER_MS } from '../stores/tables.ts'
import { isCounted, listedColumns, renamedColumns } from '../stores/session-columns.ts'
import type { Span } from '../kernel/window.ts'
import type { DayRange, ExportTable, FactRange } from './export.ts'
import { csvColumns, rawColumns } from './session-columns.ts'

export type RowValue = string | number | null | readonly string[] | Readonly<Record<string, string>>
export type FactRow = Readonly<Record<string, RowValue>>

/** One list: its rows in the order of the day, then of `key`. */
export interface FactList {
  readonly table: 'sessions' | 'events' | 'clicks'
  /** Columns that name a row within its day, in the order of the table, and their types. */
  readonly key: readonly (readonly [column: string, type: string])[]
  readonly columns: string
  readonly condition: string
  /** When it happened, by which a window chooses. */
  readonly time: string
}

const milliseconds = (column: string) => `toUnixTimestamp64Milli(${column})`

/**
 * People alone, as in the lists of the dashboard; sessions of which no page view came are in none of them.
 */
const sessions: FactList = {
  table: 'sessions',
  key: [['session', 'UInt64']],
  columns: `${listedColumns(['entry_ms', 'last_ms'])}, ${renamedColumns(csvColumns)}`,
  condition: `${isCounted(true)} AND entry_at < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`,
  time: 'entry_at',
}

const events: FactList = {
  table: 'events',
  key: [
    ['kind', 'String'],
    ['name', 'String'],
    ['session', 'UInt64'],
    ['id', 'UInt64'],
  ],
  columns: `${milliseconds('events.at')} AS at_ms, view, by_visitor, value, number, meta, amount, currency, amount_usd, order_id, tags, contact_id`,
  condition: '1',
  time: 'events.at',
}

const clicks: FactList = {
  table: 'clicks',
  key: [
    ['link_group', 'String'],
    ['link', 'String'],
    ['id', 'UInt64'],
  ],
  columns: `${milliseconds('clicks.at')} AS at_ms, session_day, session, destination, referrer_url, referrer_domain,
  country, country_code, region, city, device, browser, os, language, is_bot, bot_name, bot_reason, count, rule, is_scan`,
  condition: '1',
  time: 'clicks.at',
}

export const factLists = { sessions, events, clicks } as const

const inDays = 'property = {property:String} AND day BETWEEN {from:Date} AND {to:Date}'

/** Days on which there is anything, and how many rows there are at most. */
export async function countRowsByDay(
  facts: Facts,
  table: ExportTable,
  propertyId: string,
  days: DayRange,
): Promise<{ day: string; rows: number }[]> {
  const counted = await facts.query<{ day: string; rows: string }>(
    'exports.countRowsByDay',
    `SELECT day, count() AS rows FROM ${table} WHERE ${inDays} GROUP BY day ORDER BY day`,
    { property: propertyId, from: days.from, to: days.to },
  )
  return counted.map(({ day, rows }) => ({ day, rows: Number(rows) }))
}

export interface Stretch extends DayRange {
  /** At most. */
  readonly rows: number
}

/**
 * Days in a row that have together no more than a page, or one that has more: a question costs more than its
 * rows.
 */
export function stretchesOf(
  counted: readonly { readonly day: string; readonly rows: number }[],
  most: number,
): Stretch[] {
  const stretches: Stretch[] = []
  for (const { day, rows } of counted) {
    const last = stretches.at(-1)
    if (last && last.rows + rows <= most) stretches[stretches.length - 1] = { ...last, to: day, rows: last.rows + rows }
    else stretches.push({ from: day, to: day, rows })
  }
  return stretches
}

/** The key of a row, as the parameters of the page behind it. */
function behind({ key }: FactList, row: FactRow | undefined) {
  if (!row) return { sql: '', params: {} }
  const columns = ['day', ...key.map(([column]) => column)]
  const bound = ['{after_day:Date}', ...key.map(([column, type]) => `{after_${column}:${type}}`)]
  const params = Object.fromEntries(columns.map((column) => [`after_${column}`, row[column]]))
  return { sql: `AND (${columns.join(', ')}) > (${bound.join(', ')})`, params }
}

/** What of its days is within the window. */
function within({ time }: FactList, span: Span | undefined) {
  if (!span) return { sql: '', params: {} }
  const at = (name: string) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`
  return {
    sql: `AND ${time} >= ${at('from_ms')} AND ${time} < ${at('to_ms')}`,
    params: { from_ms: span.fromMs, to_ms: span.toMs },
  }
}

/** @param after the last row of the page before. */
export async function readPage(
  facts: Facts,
  list: FactList,
  propertyId: string,
  page: { readonly days: FactRange; readonly after: FactRow | undefined; readonly limit: number },
): Promise<FactRow[]> {
  const key = list.key.map(([column]) => column).join(', ')
  const rest = behind(list, page.after)
  const inside = within(list, page.days.span)
  return facts.query<FactRow>(
    `exports.${list.table}`,
    `SELECT day, ${key}, ${list.columns} FROM ${list.table} FINAL
WHERE ${inDays} AND ${list.condition} ${inside.sql} ${rest.sql} ORDER BY day, ${key} LIMIT {limit:UInt32}`,
    {
      property: propertyId,
      from: page.days.from,
      to: page.days.to,
      limit: page.limit,
      ...inside.params,
      ...rest.params,
    },
  )
}

const isBefore = (column: string) => `${column} < fromUnixTimestamp64Milli(${NEVER_MS}, 'UTC')`

/**
 * What has no page view that was loaded is no session and no view: a click or a server's event alone, or
 * pings of a load that is not here.
 */
const rawConditions: Partial<Record<ExportTable, string>> = { sessions: isBefore('entry_at'), views: isBefore('at') }

/** All there is, programs included. */
export function rawStatement(table: ExportTable, propertyId: string, days: DayRange) {
  const columns = table === 'sessions' ? renamedColumns(rawColumns) : '* EXCEPT (property)'
  return {
    sql: `SELECT ${columns} FROM ${table} FINAL WHERE ${inDays} AND ${rawConditions[table] ?? '1'}`,
    params: { property: propertyId, from: days.from, to: days.to },
  }
}
