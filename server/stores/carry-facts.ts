// Carries facts from one store to another, week by week: what is the same on both sides is left alone, and
// what was carried is counted and added up on both. So it may be broken off anywhere, and done again.
import { request } from 'undici'
import type { Facts } from './facts.ts'
import { parseNode } from './facts/nodes.ts'
import { storedName } from './migrations/facts.ts'

/** One side of it. */
export interface FactsSide {
  readonly facts: Facts
  /** Of a node, with user and password. */
  readonly url: string
}

/**
 * What is appended, and the sessions that were folded from it: a click after midnight belongs to a session of
 * the week before, which is carried with its own week.
 */
const tables = [
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

function place(url: string, sql: string) {
  const { url: origin, username, password, database } = parseNode(url)
  const query = new URLSearchParams({ database, query: sql, ...settings })
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return { address: `${origin}/?${query.toString()}`, headers: { authorization } }
}

async function refused(reply: Awaited<ReturnType<typeof request>>): Promise<Error> {
  return new Error(`ClickHouse refuses: ${(await reply.body.text()).slice(0, 300)}`)
}

const noTimeout = { headersTimeout: 0, bodyTimeout: 0 } as const

async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const { address, headers } = place(url, `${sql} FORMAT JSONEachRow`)
  const reply = await request(address, { method: 'POST', headers, ...noTimeout })
  if (reply.statusCode !== 200) throw await refused(reply)
  const lines = (await reply.body.text()).split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Row)
}

/** Those that are stored, and not computed from others. */
const columnsOf = ({ url }: FactsSide, table: Table): Promise<Column[]> =>
  ask<Column>(
    url,
    `SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = '${table}' AND default_kind NOT IN ('ALIAS', 'MATERIALIZED') ORDER BY position`,
  )

const named = ({ name }: Column): string => `\`${name}\``

/** The same for the same value, in whatever order a set was put together. */
function hashed(column: Column): string {
  const { type } = column
  if (/\bMap\(/.test(type)) return `mapKeys(mapSort(${named(column)})), mapValues(mapSort(${named(column)}))`
  if (/\bArray\(/.test(type)) return `arraySort(${named(column)})`
  return /\bNullable\(/.test(type) ? `ifNull(toString(${named(column)}), '\\0')` : named(column)
}

async function digestsOf(
  { url }: FactsSide,
  table: Table,
  columns: readonly Column[],
  week?: string,
): Promise<Digests> {
  const where = week === undefined ? '' : `WHERE toMonday(day) = '${week}'`
  const rows = await ask<Digest & { week: string }>(
    url,
    `SELECT toString(toMonday(day)) AS week, toString(count()) AS rows, toString(sum(cityHash64(${columns.map(hashed).join(', ')}))) AS sum FROM ${table} FINAL ${where} GROUP BY week`,
  )
  return new Map(rows.map((row) => [row.week, row]))
}

const isSame = (one: Digest = EMPTY, other: Digest = EMPTY): boolean => one.rows === other.rows && one.sum === other.sum

/** Rows from one side to the other, as they come. */
async function pipe(
  from: FactsSide,
  to: FactsSide,
  statements: { readonly read: string; readonly write: string },
): Promise<void> {
  const [source, target] = [
    place(from.url, `${statements.read} FORMAT Native`),
    place(to.url, `${statements.write} FORMAT Native`),
  ]
  const read = await request(source.address, { method: 'POST', headers: source.headers, ...noTimeout })
  if (read.statusCode !== 200) throw await refused(read)
  const headers = { ...target.headers, 'content-type': 'application/octet-stream' }
  const written = await request(target.address, { method: 'POST', headers, body: read.body, ...noTimeout })
  if (written.statusCode !== 200) throw await refused(written)
  await written.body.dump()
}

interface Known {
  readonly columns: ReadonlyMap<Table, readonly Column[]>
  readonly source: ReadonlyMap<Table, Digests>
  readonly target: ReadonlyMap<Table, Digests>
}

async function look(from: FactsSide, to: FactsSide): Promise<Known> {
  const [columns, source, target] = [new Map<Table, Column[]>(), new Map<Table, Digests>(), new Map<Table, Digests>()]
  for (const table of tables) {
    const own = await columnsOf(to, table)
    columns.set(table, own)
    source.set(table, await digestsOf(from, table, own))
    target.set(table, await digestsOf(to, table, own))
  }
  return { columns, source, target }
}

const weeksIn = (...sides: readonly ReadonlyMap<Table, Digests>[]): string[] =>
  [...new Set(sides.flatMap((side) => [...side.values()].flatMap((digests) => [...digests.keys()])))].toSorted()

/** @throws Error when the target has facts of somebody else, which would be lost. */
async function refuseOthers(from: FactsSide, to: FactsSide): Promise<void> {
  const propertiesOf = async ({ url }: FactsSide) =>
    new Set(
      (await ask<{ property: string }>(url, 'SELECT DISTINCT property FROM sessions')).map(({ property }) => property),
    )
  const known = await propertiesOf(from)
  const others = [...(await propertiesOf(to))].filter((property) => !known.has(property))
  if (others.length > 0)
    throw new Error(`The target holds facts of other properties (${others.slice(0, 3).join(', ')} …).`)
}

async function carryWeek(from: FactsSide, to: FactsSide, known: Known, week: string): Promise<void> {
  for (const table of tables)
    if (known.target.get(table)?.has(week))
      await to.facts.command(
        'carryFacts',
        `ALTER TABLE ${storedName(table, to.facts.layout)} DROP PARTITION '${week}'`,
        'shard',
      )
  for (const table of tables) {
    if (!known.source.get(table)?.has(week)) continue
    const columns = known.columns.get(table)!.map(named).join(', ')
    const read = `SELECT ${columns} FROM ${table} FINAL WHERE toMonday(day) = '${week}'`
    await pipe(from, to, { read, write: `INSERT INTO ${table} (${columns})` })
  }
}

export interface CarriedFacts {
  /** Of the source. */
  readonly weeks: number
  readonly carried: number
  readonly rows: number
}

/** @throws Error naming the table and the week when the sides disagree after it. */
async function assertSame(from: FactsSide, to: FactsSide): Promise<Known> {
  const known = await look(from, to)
  for (const table of tables)
    for (const week of weeksIn(known.source, known.target))
      if (!isSame(known.source.get(table)?.get(week), known.target.get(table)?.get(week)))
        throw new Error(`After carrying, ${table} of the week of ${week} is not the same on both sides: run it again.`)
  return known
}

/**
 * @param to is migrated.
 * @param onWeek told of each week that is there, with how many there are to carry.
 */
export async function carryFacts(
  from: FactsSide,
  to: FactsSide,
  onWeek: (done: number, all: number) => void,
): Promise<CarriedFacts> {
  await refuseOthers(from, to)
  const known = await look(from, to)
  const differ = weeksIn(known.source, known.target).filter((week) =>
    tables.some((table) => !isSame(known.source.get(table)?.get(week), known.target.get(table)?.get(week))),
  )
  for (const [index, week] of differ.entries()) {
    await carryWeek(from, to, known, week)
    onWeek(index + 1, differ.length)
  }
  const { source } = differ.length === 0 ? known : await assertSame(from, to)
  const digests = [...source.values()].flatMap((each) => [...each.values()])
  return {
    weeks: weeksIn(source).length,
    carried: differ.length,
    rows: digests.reduce((sum, { rows }) => sum + Number(rows), 0),
  }
}
