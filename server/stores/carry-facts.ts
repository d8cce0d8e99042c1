// Carries facts from one store to another, week by week: what is the same on both sides is left alone, and
// what was carried is counted and added up on both. So it may be broken off anywhere, and done again.
import { request } from 'undici'
import {
  ask,
  type FactsSource,
  isSame,
  isSameWeek,
  type Known,
  look,
  named,
  noTimeout,
  place,
  refused,
  rowsOf,
  tables,
  weeksIn,
} from './carry-digests.ts'
import type { Facts } from './facts.ts'
import { storedName } from './migrations/facts.ts'

/** Where they are written, too. */
export interface FactsSide extends FactsSource {
  readonly facts: Facts
}

/** Rows from one side to the other, as they come. */
async function pipe(
  from: FactsSource,
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

/** @throws Error when the target has facts of somebody else, which would be lost. */
async function refuseOthers(from: FactsSource, to: FactsSide): Promise<void> {
  const propertiesOf = async ({ url }: FactsSource) =>
    new Set(
      (await ask<{ property: string }>(url, 'SELECT DISTINCT property FROM sessions')).map(({ property }) => property),
    )
  const known = await propertiesOf(from)
  const others = [...(await propertiesOf(to))].filter((property) => !known.has(property))
  if (others.length > 0)
    throw new Error(`The target holds facts of other properties (${others.slice(0, 3).join(', ')} …).`)
}

async function carryWeek(from: FactsSource, to: FactsSide, known: Known, week: string): Promise<void> {
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

export interface CarriedFacts {
  /** Of the source. */
  readonly weeks: number
  readonly carried: number
  readonly rows: number
}

/** Told of each week that was carried, with how many there are to carry. */
type OnWeek = (done: number, all: number) => void

/** @param weeks all of them when left out. @returns those that were not the same, and are carried. */
async function carryDiffering(
  from: FactsSource,
  to: FactsSide,
  onWeek: OnWeek,
  weeks?: readonly string[],
): Promise<{ differing: readonly string[]; known: Known }> {
  const known = await look(from, to, weeks)
  const differing = weeksIn(known.source, known.target).filter((week) => !isSameWeek(known, week))
  for (const [index, week] of differing.entries()) {
    await carryWeek(from, to, known, week)
    onWeek(index + 1, differing.length)
  }
  return { differing, known }
}

/** @throws Error naming the table and the week when the sides disagree after it. */
async function assertSame(from: FactsSource, to: FactsSide, weeks?: readonly string[]): Promise<Known> {
  const known = await look(from, to, weeks)
  for (const table of tables)
    for (const week of weeksIn(known.source, known.target))
      if (!isSame(known.source.get(table)?.get(week), known.target.get(table)?.get(week)))
        throw new Error(`After carrying, ${table} of the week of ${week} is not the same on both sides: run it again.`)
  return known
}

/** @param from nobody writes to it. @param to is migrated. */
export async function carryFacts(from: FactsSource, to: FactsSide, onWeek: OnWeek): Promise<CarriedFacts> {
  await refuseOthers(from, to)
  const { differing, known } = await carryDiffering(from, to, onWeek)
  const rows = rowsOf(differing.length === 0 ? known : await assertSame(from, to))
  return sumOf(rows, differing.length)
}

const sumOf = (rows: ReadonlyMap<string, number>, carried: number): CarriedFacts => ({
  weeks: rows.size,
  carried,
  rows: [...rows.values()].reduce((sum, each) => sum + each, 0),
})

// ---------------------------------------------------------------- while somebody writes

/** By week, a text that is another one whenever anything was written. */
type Versions = ReadonlyMap<string, string>

/** Parts never change: the same ones hold the same rows. Undefined where they cannot be told. */
async function versionsOf({ url, isWhole }: FactsSource): Promise<Versions | undefined> {
  if (!isWhole) return undefined
  const named = tables.map((table) => `'${table}'`).join(', ')
  const rows = await ask<{ week: string; version: string }>(
    url,
    `SELECT partition AS week, toString(groupBitXor(cityHash64(table, name, hash_of_all_files))) AS version
     FROM system.parts WHERE database = currentDatabase() AND active AND table IN (${named}) GROUP BY week`,
  )
  return new Map(rows.map(({ week, version }) => [week, version]))
}

/** What was the same on both sides before the pause, and need not be looked at again unless it changes. */
export interface CarriedAhead {
  /** Of the source, when the week was the same. */
  readonly versions: Versions
  readonly rows: ReadonlyMap<string, number>
  readonly carried: number
}

/** What is written while a week is carried: it is carried once more. */
const ROUNDS = 2

/** Carries what can be while somebody writes, so that little is left for carryRest. @param to is migrated. */
export async function carryAhead(from: FactsSource, to: FactsSide, onWeek: OnWeek): Promise<CarriedAhead> {
  await refuseOthers(from, to)
  const [versions, rows] = [new Map<string, string>(), new Map<string, number>()]
  let [weeks, carried] = [undefined as readonly string[] | undefined, 0]
  for (let round = 0; round < ROUNDS; round++) {
    // Before the rows are read: what is written from then on gives another version.
    const before = await versionsOf(from)
    const { differing, known } = await carryDiffering(from, to, onWeek, weeks)
    for (const [week, count] of rowsOf(known)) {
      const version = before?.get(week)
      if (version === undefined || differing.includes(week)) continue
      versions.set(week, version)
      rows.set(week, count)
    }
    carried = Math.max(carried, differing.length)
    weeks = differing
  }
  return { versions, rows, carried }
}

/** Carries and verifies what is not known to be the same. @param from nobody writes to it any more. */
export async function carryRest(
  from: FactsSource,
  to: FactsSide,
  ahead: CarriedAhead,
  onWeek: OnWeek,
): Promise<CarriedFacts> {
  const now = await versionsOf(from)
  const isOpen = (week: string): boolean => now?.get(week) !== ahead.versions.get(week)
  const open = now && [...new Set([...now.keys(), ...ahead.versions.keys()])].filter(isOpen)
  const { differing, known } = await carryDiffering(from, to, onWeek, open)
  const last = differing.length === 0 ? known : await assertSame(from, to, open)
  const rows = new Map([...ahead.rows].filter(([week]) => open && !open.includes(week)))
  return sumOf(new Map([...rows, ...rowsOf(last)]), Math.max(ahead.carried, differing.length))
}
