// The statements that fill the sums of a copy (../session-sums.ts), out of the rows of the copy itself or of
// those that it joins.
import { quoted } from '../facts/quoted.ts'
import { countedColumns, sessionSums, valueCounts } from '../session-sums.ts'

/**
 * The tables that hold a copy, each in a partition of its own: last the rows, which the others are made of.
 */
export const copyTables = ['settled_figures', 'settled_values', 'settled'] as const

export type CopyTable = (typeof copyTables)[number]

/** Above, the groups of a day with very many values go to disk. */
const settings = `SETTINGS max_threads = 1, max_bytes_before_external_group_by = ${64 * 1024 * 1024}`

const figures = Object.keys(sessionSums)

/** The columns of each besides `copy`. */
export const sumColumns = {
  settled_figures: ['property', 'day', 'entry_at', ...figures],
  settled_values: ['property', 'day', 'list', 'value', 'sessions'],
} as const

/** What the sums are made of: other ones make other copies. */
export const sumFormula = [sessionSums, countedColumns]

/** @param stored names a table as this node has it. */
export function sumStatements(
  stored: (table: CopyTable) => string,
  copy: number,
  days: readonly string[],
): readonly string[] {
  const rows = `FROM ${stored('settled')} WHERE copy = ${copy} AND day IN (${days.map(quoted).join(', ')})`
  const sums = Object.entries(sessionSums).map(([name, { sql }]) => `${sql} AS sum_${name}`)
  const { select, groupBy } = valueCounts(['property', 'day'])
  return [
    `INSERT INTO ${stored('settled_figures')} (copy, ${sumColumns.settled_figures.join(', ')})
SELECT ${copy}, property, day, min(entry_at) AS first_at, ${sums.join(', ')} ${rows} GROUP BY property, day ${settings}`,
    `INSERT INTO ${stored('settled_values')} (copy, ${sumColumns.settled_values.join(', ')})
SELECT ${copy}, property, day, ${select} ${rows} ${groupBy} HAVING value != '' ${settings}`,
  ]
}
