// Rows as the facts store reads them: one JSON array a row, the columns in the order of factDefaults.
// Naming the columns once for all rows costs the parser two thirds of what objects cost.
import { factDefaults } from './fact-defaults.ts'
import type { FactTable, FactTables } from './tables.ts'

interface Encoder {
  readonly columns: readonly string[]
  /** As in a statement. */
  readonly list: string
  readonly defaults: readonly unknown[]
}

function encoder(defaults: object): Encoder {
  const columns = Object.keys(defaults)
  return { columns, list: columns.join(', '), defaults: Object.values(defaults) }
}

const encoders: Readonly<Record<FactTable, Encoder>> = {
  views: encoder(factDefaults.views),
  events: encoder(factDefaults.events),
  clicks: encoder(factDefaults.clicks),
  form_events: encoder(factDefaults.form_events),
  impressions: encoder(factDefaults.impressions),
  lib_errors: encoder(factDefaults.lib_errors),
  marks: encoder(factDefaults.marks),
}

/** Those of the rows of encodeRow, in their order, as in a statement. */
export function columnsOf(table: FactTable): string {
  return encoders[table].list
}

/** The statement that inserts rows of JSONCompactEachRow. */
export function insertOf(table: FactTable, columns: string, lines: readonly string[]): string {
  return `INSERT INTO ${table} (${columns}) FORMAT JSONCompactEachRow\n${lines.join('\n')}`
}

/** One line of JSONCompactEachRow. Half a surrogate pair, which the store would refuse, becomes U+FFFD. */
export function encodeRow<T extends FactTable>(table: T, row: Partial<FactTables[T]>): string {
  const { columns, defaults } = encoders[table]
  const given = row as Readonly<Record<string, unknown>>
  const values = columns.map((column, i) => given[column] ?? defaults[i])
  const line = JSON.stringify(values)
  // JSON.stringify escapes surrogates only when they stand alone, so nearly every row ends here.
  return line.includes('\\ud') ? JSON.stringify(values.map(wellFormed)) : line
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key.toWellFormed(), wellFormed(entry)]))
}
