// Costs as they come, from a file or from a program: every row is checked before one is written, and all are
// written or none is.
import { Readable } from 'node:stream'
import type { CellFault } from '../csv/cells.ts'
import { type CheckedRows, openTally, type Tally } from '../csv/check.ts'
import { readLines, takeHeader } from '../csv/file.ts'
import type { Deps } from '../kernel/deps.ts'
import { invalid, propertyNotFound } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import { currencyOf, type Rates, toldIn } from '../rates/rates.ts'
import { openSlices } from '../queues/slices.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import { type Cost, type CostDraft, keyOf, readCost, type Reading } from './cost-model.ts'
import { readHeader, readRow } from './csv.ts'
import { MAX_COSTS, MAX_ROWS } from './limits.ts'
import { countCosts, deleteCost, everyCost, saveCosts } from './records.ts'

/** As large as a body may be. */
const MAX_BYTES = 1024 * 1024

export type CostDeps = Pick<Deps, 'records' | 'now'> & { readonly rates: Rates }

export interface Imported extends CheckedRows {
  readonly ignored_columns: readonly string[]
  readonly created: number
  /** Rows in the place of one of the same day and campaign. */
  readonly replaced: number
  /** Rows with an amount of 0, where there was one. */
  readonly removed: number
  readonly is_written: boolean
}

async function readingOf(deps: CostDeps, property: Property): Promise<Reading> {
  const [rates, money] = await Promise.all([deps.rates.table(), currencyOf(deps, property)])
  return { rates, currency: toldIn(money), nowMs: deps.now() }
}

/** Rows by their key; one that is there twice is a fault of the later one. */
interface Gathered {
  readonly tally: Tally
  readonly costs: Map<string, { readonly cost: Cost; readonly line: number }>
}

const gather = (): Gathered => ({ tally: openTally(MAX_ROWS), costs: new Map() })

function add({ tally, costs }: Gathered, line: number, read: Cost | CellFault[]): void {
  tally.addRow()
  if (Array.isArray(read)) return tally.addFaults(line, read)
  const known = costs.get(keyOf(read))
  if (known) {
    const reason = `is of the same day, source, medium and campaign as row ${known.line}: add up their amounts`
    return tally.addFaults(line, [{ field: 'row', reason }])
  }
  costs.set(keyOf(read), { cost: read, line })
}

/** Of which days there are some already, that is which rows are replaced. */
async function knownKeys(tx: Tx, propertyId: string, costs: readonly Cost[]): Promise<ReadonlySet<string>> {
  const days = costs.map(({ day }) => day).toSorted()
  const known = await everyCost(tx, propertyId, { fromDay: days[0] ?? '', toDay: days.at(-1) ?? '' })
  return new Set(known.map(keyOf))
}

async function writeAll(tx: Tx, propertyId: string, costs: readonly Cost[], isTrial: boolean) {
  const known = await knownKeys(tx, propertyId, costs)
  const isKnown = (cost: Cost): boolean => known.has(keyOf(cost))
  const kept = costs.filter(({ amount }) => amount > 0)
  const gone = costs.filter((cost) => cost.amount === 0 && isKnown(cost))
  const replaced = kept.filter(isKnown).length
  const created = kept.length - replaced
  if ((await countCosts(tx, propertyId)) + created - gone.length > MAX_COSTS)
    throw invalid('rows', `A property may have at most ${MAX_COSTS} rows of costs. Remove earlier years first.`)
  if (!isTrial) {
    await saveCosts(tx, propertyId, kept)
    for (const cost of gone) await deleteCost(tx, propertyId, cost)
  }
  return { created, replaced, removed: gone.length }
}

async function write(
  { records }: CostDeps,
  propertyId: string,
  { tally: { counts }, costs }: Gathered,
  { isTrial, ignored }: { readonly isTrial: boolean; readonly ignored: readonly string[] },
): Promise<Imported> {
  const checked = { ...counts, ignored_columns: ignored }
  if (counts.bad_rows > 0 || costs.size === 0)
    return { ...checked, created: 0, replaced: 0, removed: 0, is_written: false }
  const rows = [...costs.values()].map(({ cost }) => cost)
  const work = records.transaction().execute((tx) => writeAll(tx, propertyId, rows, isTrial))
  return { ...checked, ...(await orNotFound(work, propertyNotFound)), is_written: !isTrial }
}

/** @throws Problem('validation_failed') when it is no table of costs at all. */
export async function importFile(
  deps: CostDeps,
  property: Property,
  { csv, isTrial }: { readonly csv: string; readonly isTrial: boolean },
): Promise<Imported> {
  const lines = readLines(Readable.from([Buffer.from(csv)]), MAX_BYTES)
  const header = readHeader(await takeHeader(lines))
  const [reading, gathered, giveWay] = [await readingOf(deps, property), gather(), openSlices()]
  for await (const { line, cells } of lines) {
    await giveWay()
    const row = readRow(header, cells, reading.currency)
    add(gathered, line, 'reason' in row ? [row] : readCost(row, reading))
  }
  return write(deps, property.id, gathered, { isTrial, ignored: header.ignored })
}

/** Rows as a program sends them; `line` of a fault counts them from 1. */
export async function importRows(
  deps: CostDeps,
  property: Property,
  { rows, isTrial }: { readonly rows: readonly CostDraft[]; readonly isTrial: boolean },
): Promise<Imported> {
  const [reading, gathered, giveWay] = [await readingOf(deps, property), gather(), openSlices()]
  for (const [index, row] of rows.entries()) {
    await giveWay()
    add(gathered, index + 1, readCost(row, reading))
  }
  return write(deps, property.id, gathered, { isTrial, ignored: [] })
}
