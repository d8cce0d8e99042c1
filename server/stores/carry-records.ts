// Carries records from one database to another: every table, in one transaction, counted and added up on both
// sides before it is committed. Broken off, nothing of it is there.
import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { recordsKind, type Records, type Tx } from './records.ts'

/** Rows of one read, and values of one insert: a statement of SQLite takes 32,766. */
const PAGE = 2_000
const MOST_VALUES = 30_000

type Row = Readonly<Record<string, unknown>>
/** Tables by name: what is carried is whatever is there. */
type AnyTables = Record<string, Record<string, unknown>>

const anyTables = (db: Records | Tx): Kysely<AnyTables> => db as unknown as Kysely<AnyTables>

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  readonly keys: readonly string[]
}

/** Of SQLite's own, of its search index, of who migrated what, and of who writes or must not. */
const isLeftOut = (name: string): boolean =>
  /^(?:sqlite_|contacts_search|record_migrations$|write_pauses$|writers$)/.test(name)

async function pragma(sqlite: Records, name: string, table: string): Promise<Record<string, string | number>[]> {
  const { rows } = await sql<
    Record<string, string | number>
  >`select * from ${sql.raw(`pragma_${name}`)}(${table})`.execute(sqlite)
  return rows
}

/** Tables that others refer to come before these. @param sqlite the side that can tell. */
async function listTables(sqlite: Records): Promise<Table[]> {
  const found = (await sqlite.introspection.getTables()).map(({ name }) => name).filter((name) => !isLeftOut(name))
  const above = new Map<string, ReadonlySet<string>>()
  for (const name of found) {
    const parents = (await pragma(sqlite, 'foreign_key_list', name)).map((row) => String(row['table']))
    above.set(name, new Set(parents.filter((parent) => parent !== name)))
  }
  const ordered: string[] = []
  while (ordered.length < found.length) {
    const next = found.filter(
      (name) => !ordered.includes(name) && [...above.get(name)!].every((parent) => ordered.includes(parent)),
    )
    if (next.length === 0) throw new Error('tables of the records refer to each other in a circle')
    ordered.push(...next)
  }
  return Promise.all(ordered.map((name) => describe(sqlite, name)))
}

async function describe(sqlite: Records, name: string): Promise<Table> {
  const columns = await pragma(sqlite, 'table_info', name)
  const keys = columns.filter((column) => column['pk'] !== 0)
  return {
    name,
    columns: columns.map((column) => String(column['name'])),
    keys: keys
      .toSorted((one, other) => Number(one['pk']) - Number(other['pk']))
      .map((column) => String(column['name'])),
  }
}

/** In the order of its key. From the last row on: counting to it would take longer with each page. */
async function* rowsOf(db: Records | Tx, { name, columns, keys }: Table): AsyncGenerator<Row[]> {
  const key = sql`(${sql.join(keys.map((each) => sql.ref(each)))})`
  for (let [offset, last] = [0, undefined as Row | undefined]; ; offset += PAGE) {
    let query = anyTables(db)
      .selectFrom(name)
      .select([...columns])
    for (const each of keys) query = query.orderBy(each)
    if (keys.length === 0) query = query.offset(offset)
    else if (last) query = query.where(sql<boolean>`${key} > (${sql.join(keys.map((each) => last![each]))})`)
    const rows = await query.limit(PAGE).execute()
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

/** The sum of a hash of each row, whatever their order. */
class Sum {
  rows = 0
  #sum = 0n

  add(rows: readonly Row[], columns: readonly string[]): void {
    this.rows += rows.length
    for (const row of rows) {
      const text = hash('sha256', JSON.stringify(columns.map((column) => row[column])))
      this.#sum = BigInt.asUintN(64, this.#sum + BigInt(`0x${text.slice(0, 16)}`))
    }
  }

  get text(): string {
    return `${this.rows}.${this.#sum}`
  }
}

async function carryTable(from: Records | Tx, to: Tx, table: Table): Promise<number> {
  const [there, here] = [new Sum(), new Sum()]
  const atOnce = Math.max(1, Math.floor(MOST_VALUES / table.columns.length))
  for await (const rows of rowsOf(from, table)) {
    there.add(rows, table.columns)
    for (let at = 0; at < rows.length; at += atOnce)
      await anyTables(to)
        .insertInto(table.name)
        .values(rows.slice(at, at + atOnce))
        .execute()
  }
  for await (const rows of rowsOf(to, table)) here.add(rows, table.columns)
  if (there.text !== here.text) throw new Error(`${table.name} is not the same on both sides: nothing was carried.`)
  return here.rows
}

/** PostgreSQL counts up by itself, from where it was. */
async function raiseSequences(tx: Tx, { name, columns }: Table): Promise<void> {
  if (recordsKind(tx) !== 'postgres' || !columns.includes('seq')) return
  await sql`select setval(pg_get_serial_sequence(${name}, 'seq'), coalesce((select max(seq) from ${sql.table(name)}), 0) + 1, false)
    where pg_get_serial_sequence(${name}, 'seq') is not null`.execute(tx)
}

/** @throws Error when the target has properties that the source has not, which would be lost. */
async function refuseOthers(from: Records | Tx, to: Tx): Promise<void> {
  const idsOf = async (db: Records | Tx) =>
    (await db.selectFrom('properties').select('id').execute()).map(({ id }) => id)
  const known = new Set(await idsOf(from))
  const others = (await idsOf(to)).filter((id) => !known.has(id))
  if (others.length > 0)
    throw new Error(`The target holds records of other properties (${others.slice(0, 3).join(', ')} …).`)
}

export interface CarriedRecords {
  readonly tables: number
  readonly rows: number
}

/** Reads everything as it is at one moment. */
async function reading<Result>(from: Records, work: (from: Records | Tx) => Promise<Result>): Promise<Result> {
  if (recordsKind(from) === 'sqlite') return work(from)
  return from.transaction().setIsolationLevel('repeatable read').execute(work)
}

/**
 * What the target had is replaced.
 * @param from nobody writes to it, where it is SQLite. @param to is migrated.
 */
export async function carryRecords(
  from: Records,
  to: Records,
  onTable: (done: number, all: number) => void,
): Promise<CarriedRecords> {
  const tables = await listTables(recordsKind(from) === 'sqlite' ? from : to)
  let rows = 0
  await reading(from, (source) =>
    to.transaction().execute(async (tx) => {
      if (recordsKind(tx) === 'postgres') await sql`set local statement_timeout = 0`.execute(tx)
      await refuseOthers(source, tx)
      for (const { name } of tables.toReversed()) await anyTables(tx).deleteFrom(name).execute()
      for (const [index, table] of tables.entries()) {
        rows += await carryTable(source, tx, table)
        await raiseSequences(tx, table)
        onTable(index + 1, tables.length)
      }
    }),
  )
  return { tables: tables.length, rows }
}
