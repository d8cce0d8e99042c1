// Compares facts of two stores, week by week: how many rows there are, and the sum of their hashes.
import { request } from 'undici'
import { parseNode } from './facts/nodes.ts'

/** Where facts are read. */
export interface FactsSource {
  /** Of a node, with user and password. */
  readonly url: string
  /** Whether all of them are on that node. */
  readonly isWhole: boolean
}

/**
 * What is appended, and the sessions that were folded from it: a click after midnight belongs to a session of
 * the week before, which is carried with its own week.
 */
export const tables = [
  'views',
  'events',
  'clicks',
  'form_events',
  'impressions',
  'vitals',
  'lib_errors',
  'marks',
  'sessions',
] as const
type Table = (typeof tables)[number]

interface Column {
  readonly name: string
  readonly type: string
}

interface Digest {
  readonly rows: string
  readonly sum: string
}

/** By week, its Monday. */
type Digests = ReadonlyMap<string, Digest>

const EMPTY: Digest = { rows: '0', sum: '0' }

/** Statements over all rows take their time; what is inserted is stored when it is answered. */
const settings = {
  max_execution_time: '0',
  distributed_foreground_insert: '1',
  // Of replicas the one that takes the rows is asked.
  load_balancing: 'in_order',
  prefer_localhost_replica: '0',
  output_format_json_quote_64bit_integers: '1',
}

export function place(url: string, sql: string) {
  const { url: origin, username, password, database } = parseNode(url)
  const query = new URLSearchParams({ database, query: sql, ...settings })
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return { address: `${origin}/?${query.toString()}`, headers: { authorization } }
}

export async function refused(reply: Awaited<ReturnType<typeof request>>): Promise<Error> {
  return new Error(`ClickHouse refuses: ${(await reply.body.text()).slice(0, 300)}`)
}

export const noTimeout = { headersTimeout: 0, bodyTimeout: 0 } as const

export async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const { address, headers } = place(url, `${sql} FORMAT JSONEachRow`)
  const reply = await request(address, { method: 'POST', headers, ...noTimeout })
  if (reply.statusCode !== 200) throw await refused(reply)
  const lines = (await reply.body.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Row)
}

/** Those that are stored, and not computed from others. */
const columnsOf = ({ url }: FactsSource, table: Table): Promise<Column[]> =>
  ask<Column>(
    url,
    `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '${table}' AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') ORDER BY position`,
  )

export const named = ({ name }: Column): string => `\`${name}\``

/** The same for the same value, in whatever order a set was put together. */
function hashed(column: Column): string {
  const { type } = column
  if (/\bMap\(/.test(type)) return `mapKeys(mapSort(${named(column)})), mapValues(mapSort(${named(column)}))`
  if (/\bArray\(/.test(type)) return `arraySort(${named(column)})`
  return /\bNullable\(/.test(type) ? `ifNull(toString(${named(column)}), '\\0')` : named(column)
}

/** @param weeks all of them when left out. */
async function digestsOf(
  { url }: FactsSource,
  table: Table,
  columns: readonly Column[],
  weeks?: readonly string[],
): Promise<Digests> {
  if (weeks?.length === 0) return new Map()
  const where = weeks ? `WHERE toMonday(day) IN (${weeks.map((week) => `'${week}'`).join(', ')})` : ''
  const rows = await ask<Digest & { week: string }>(
    url,
    `SELECT toString(toMonday(day)) AS week, toString(count()) AS rows, toString(sum(cityHash64(${columns.map(hashed).join(', ')}))) AS sum FROM ${table} FINAL ${where} GROUP BY week`,
  )
  return new Map(rows.map((row) => [row.week, row]))
}

export const isSame = (one: Digest = EMPTY, other: Digest = EMPTY): boolean =>
  one.rows === other.rows && one.sum === other.sum

export interface Known {
  readonly columns: ReadonlyMap<Table, readonly Column[]>
  readonly source: ReadonlyMap<Table, Digests>
  readonly target: ReadonlyMap<Table, Digests>
}

export async function look(from: FactsSource, to: FactsSource, weeks?: readonly string[]): Promise<Known> {
  const [columns, source, target] = [new Map<Table, Column[]>(), new Map<Table, Digests>(), new Map<Table, Digests>()]
  for (const table of tables) {
    const own = await columnsOf(to, table)
    columns.set(table, own)
    source.set(table, await digestsOf(from, table, own, weeks))
    target.set(table, await digestsOf(to, table, own, weeks))
  }
  return { columns, source, target }
}

export const weeksIn = (...sides: readonly ReadonlyMap<Table, Digests>[]): string[] =>
  [...new Set(sides.flatMap((side) => [...side.values()].flatMap((digests) => [...digests.keys()])))].toSorted()

export const isSameWeek = ({ source, target }: Known, week: string): boolean =>
  tables.every((table) => isSame(source.get(table)?.get(week), target.get(table)?.get(week)))

/** By week, how many there are at the source. */
export function rowsOf({ source, target }: Known): Map<string, number> {
  const rows = new Map<string, number>()
  for (const week of weeksIn(source, target)) {
    const digests = [...source.values()].map((each) => each.get(week) ?? EMPTY)
    rows.set(
      week,
      digests.reduce((sum, digest) => sum + Number(digest.rows), 0),
    )
  }
  return rows
}
