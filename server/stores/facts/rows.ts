// Rows as the facts store reads them: one JSON array a row, the columns in the order of factDefaults.
// Naming the columns once for all rows costs the parser two thirds of what objects cost.
import { byName } from '../../kernel/by-name.ts'
import { factDefaults, type FactTable, type FactTables, factTables } from '../fact-tables.ts'

const encoders = byName(factTables, (table) => {
  const columns = Object.keys(factDefaults[table])
  return { columns, list: columns.join(', '), defaults: Object.values<unknown>(factDefaults[table]) }
})

/** Those of the rows of encodeRow, in their order, as in a statement. */
export const columnsOf = (table: FactTable): string => encoders[table].list

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
