// Costs as rows of a table: which columns there are, and what a cell says. Files of advertising tools have
// columns of their own, which are left out and named.
import { bareCell, type CellFault, cellCountFault, columnName, refuseRepeatedColumns } from '../csv/cells.ts'
import { currencyExponent } from '../kernel/money.ts'
import { Problem } from '../kernel/problem.ts'
import { type CostDraft, readAmount } from './cost-model.ts'

/** What an import takes, and what advertising tools call it. */
export const columns = {
  day: ['date'],
  source: ['utm_source'],
  medium: ['utm_medium'],
  campaign: ['utm_campaign', 'campaign_name'],
  amount: ['cost', 'spend', 'amount_spent'],
  currency: ['currency_code'],
} as const satisfies Record<string, readonly string[]>

export type ColumnName = keyof typeof columns
const columnNames = Object.keys(columns) as ColumnName[]
const needed: readonly ColumnName[] = ['day', 'source', 'amount']

export interface Header {
  readonly columns: readonly (ColumnName | undefined)[]
  /** Names as they stand there. */
  readonly ignored: readonly string[]
}

function columnOf(cell: string): ColumnName | undefined {
  const name = columnName(cell)
  return columnNames.find((known) => known === name || (columns[known] as readonly string[]).includes(name))
}

/** @throws Problem('validation_failed') when a column is missing, or one is there twice. */
export function readHeader(cells: readonly string[]): Header {
  const found = cells.map(columnOf)
  const names = found.filter((name) => name !== undefined)
  refuseRepeatedColumns(names)
  const missing = needed.filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw new Problem('validation_failed', `Columns are missing: ${missing.join(', ')}. ${columnsSentence}`)
  return { columns: found, ignored: cells.filter((_, index) => !found[index]).map((cell) => columnName(cell)) }
}

const columnsSentence = `There are: ${columnNames.join(', ')}.`

/** @param usual currency of rows that name none. */
export function readRow(header: Header, cells: readonly string[], usual: string): CostDraft | CellFault {
  const fault = cellCountFault(header.columns.length, cells.length)
  if (fault) return fault
  const cellOf = (name: ColumnName): string => {
    const index = header.columns.indexOf(name)
    return index < 0 ? '' : bareCell(cells[index] ?? '').trim()
  }
  const currency = cellOf('currency')
  const code = currency.toUpperCase() || usual
  const amount = readAmount(cellOf('amount'), code)
  // How many decimals one has that there is not is not known: that alone is told.
  if (amount === undefined && currencyExponent(code) !== undefined)
    return { field: 'amount', reason: 'must be a number as 12.50, without a currency or separators of thousands' }
  return {
    day: cellOf('day'),
    source: cellOf('source'),
    medium: cellOf('medium'),
    campaign: cellOf('campaign'),
    amount: amount ?? 0,
    currency,
  }
}
