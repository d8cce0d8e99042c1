// Lists as a share link is shown them, as SQL. A row is what a question with one more clause would answer, so
// it is there only where that question would be answered; and what the rows leave of the whole is never one
// or two sessions.
import type { SessionColumn } from '../stores/session-columns.ts'
import { fewSql } from './cells.ts'
import { FEWEST } from './shared.ts'
import { columnOf, type DimensionId, dimensionIds, dimensionOf } from '../analytics/dimensions.ts'
import { primaryLanguage, type TopSetName } from '../analytics/top-sets.ts'
import { byName } from '../kernel/by-name.ts'

/** What is listed, by columns of sessions, and in what everybody knows the values to lie. */
export interface SharedList {
  readonly columns: readonly SessionColumn[]
  readonly listed: string
  readonly code?: string
  readonly block?: string
  readonly within?: string
}

const listOf = (column: SessionColumn): SharedList => ({ columns: [column], listed: column })

/** What values lie in, as SQL, and the column that it is made of. */
const around = {
  country_code: { column: 'country_code', sql: 'country_code' },
  region: { column: 'region', sql: 'region' },
  primary_language: { column: 'language', sql: primaryLanguage('language') },
} as const

function sharedDimension(id: DimensionId): SharedList {
  const { isPlace, liesIn = [] } = dimensionOf(id)
  const column = columnOf(id)
  const [block, within] = liesIn.map((name) => around[name])
  return {
    columns: [
      ...new Set([
        column,
        ...(isPlace ? (['country_code'] as const) : []),
        ...liesIn.map((name) => around[name].column),
      ]),
    ],
    listed: column,
    ...(isPlace && { code: 'country_code' }),
    ...(block && { block: block.sql }),
    ...(within && { within: within.sql }),
  }
}

/** The lists of the overview and of `metrics`. */
export const sharedTops: Readonly<Record<TopSetName, SharedList>> = {
  ...byName(dimensionIds, sharedDimension),
  primary_language: { columns: ['language'], listed: primaryLanguage('language') },
  country_code: listOf('country_code'),
}

/** The list of that name; another one lists a column as it is. */
export const sharedList = (name: string, column: SessionColumn): SharedList =>
  Object.hasOwn(sharedTops, name) ? sharedTops[name as TopSetName] : listOf(column)

const named = ({ listed, code = "''", block = "''", within = "''" }: SharedList): string =>
  Object.entries({ listed, code, block, within })
    .map(([name, sql]) => `CAST(${sql} AS String) AS ${name}`)
    .join(', ')

/**
 * What the rows of a list are made of: `list` (several may be asked at once), `listed` and `code` as they are
 * shown, `block` and `within`, `cell`, and in `pieces` the sessions that have all these.
 * @param rows with the columns of the list, and `cell`.
 */
export function piecesOf(name: string, list: SharedList, rows: string): string {
  return `SELECT '${name}' AS list, ${named(list)}, cell, count() AS pieces FROM (${rows}) GROUP BY listed, code, block, within, cell`
}

/** The same of all lists of the overview, from one pass. @param rows with the columns of all. */
export function topPieces(rows: string): string {
  const columns = [...new Set(Object.values(sharedTops).flatMap((list) => list.columns))]
  const setOf = (list: SharedList) => `(cell, ${list.columns.join(', ')})`
  const sets = [...new Set(Object.values(sharedTops).map(setOf))]
  const masks = columns.map((column) => `grouping(${column})`).join(', ')
  const counted = `SELECT ${columns.join(', ')}, cell, [${masks}] AS mask, count() AS pieces
FROM (${rows}) GROUP BY GROUPING SETS (${sets.join(', ')})`
  const maskOf = (list: SharedList) =>
    `[${columns.map((column) => (list.columns.includes(column) ? 0 : 1)).join(', ')}]`
  // A set of which two lists are made is counted once.
  const lists = Object.entries(sharedTops).map(
    ([name, list]) =>
      `if(mask = ${maskOf(list)}, [tuple('${name}', ${[list.listed, list.code, list.block, list.within].map((sql) => `CAST(${sql ?? "''"} AS String)`).join(', ')})], [])`,
  )
  return `SELECT told.1 AS list, told.2 AS listed, told.3 AS code, told.4 AS block, told.5 AS within, cell, sum(pieces) AS pieces
FROM (${counted}) ARRAY JOIN arrayConcat(${lists.join(',\n')}) AS told
GROUP BY list, listed, code, block, within, cell`
}

/** Sessions that have what is named. */
const having = (names: string): string => `sum(pieces) OVER (PARTITION BY list, ${names})`

/**
 * `list`, `listed`, `code` and `sessions` of the rows that may be told. A row is not told where, in any cell,
 * one or two sessions have the value, or have what it lies in and not the value, or not even that.
 */
export function sharedRows(pieces: string): string {
  const counted = `SELECT *, ${having('cell')} AS of_cell, ${having('cell, block')} AS of_block, ${having('cell, block, within')} AS of_within
FROM (${pieces})`
  // A value that no session of a cell has is known to lie there all the same.
  const flagged = `SELECT *, max(${fewSql('of_block')}) OVER (PARTITION BY list, block) AS is_few_in_block,
  max(${fewSql('of_within')}) OVER (PARTITION BY list, block, within) AS is_few_within FROM (${counted})`
  const around = ['of_within - pieces', 'of_block - of_within', 'of_cell - of_block'].map(fewSql).join(' OR ')
  const ofCells = `SELECT list, listed, code, block, cell, sum(pieces) AS there, any(of_block) AS in_block,
  max(is_few_in_block OR is_few_within OR ${around}) AS is_telling
FROM (${flagged}) GROUP BY list, listed, code, block, cell`
  const rows = `SELECT list, listed, code, block, sumIf(there, cell % 2 = 1) AS sessions, listed != '' AND sessions >= ${FEWEST}
  AND max(is_telling OR ${fewSql('there')} OR ${fewSql('in_block - there')}) = 0 AS is_told
FROM (${ofCells}) GROUP BY list, listed, code, block`
  const ranked = `SELECT *, sum(if(is_told, 0, sessions)) OVER (PARTITION BY list, block) AS rest,
  row_number() OVER (PARTITION BY list, block ORDER BY is_told DESC, sessions, listed DESC, code DESC) AS place FROM (${rows})`
  return `SELECT list, listed, code, sessions FROM (${ranked}) WHERE is_told AND NOT (place = 1 AND ${fewSql('rest')})`
}

/**
 * The same of a list whose values a session may have several of: what they leave of the whole says nothing.
 * @param ofCell SQL of how many sessions a cell has.
 */
export function sharedMany(pieces: string, ofCell: string): string {
  return `SELECT list, listed, code, sumIf(pieces, cell % 2 = 1) AS sessions FROM (${pieces}) GROUP BY list, listed, code
HAVING listed != '' AND sessions >= ${FEWEST} AND max(${fewSql('pieces')} OR ${fewSql(`${ofCell} - pieces`)}) = 0`
}
