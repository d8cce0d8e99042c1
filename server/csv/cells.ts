// Cells of CSV files that are exported and imported again: no cell is a formula to a spreadsheet, and each
// one is read back unchanged.
import { Problem } from '../kernel/problem.ts'

/**
 * Where a spreadsheet would see a formula: at the start of a cell, after blanks, and after any separator that
 * a program may be set to. Full-width signs count: some programs read them as the usual ones.
 */
const sign = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`
const blanks = String.raw`[^\S;\t\r\n]*`
const start = String.raw`(?='*(?:[\t\r\n]|${blanks}${sign}))`
const inside = String.raw`(?='*${blanks}${sign})`

const unprotected = new RegExp(`^${start}|(?<=[;\\t\\r\\n])${inside}`, 'g')
const isProtected = new RegExp(`^'${start}|(?<=[;\\t\\r\\n])'${inside}`, 'g')

/**
 * Puts an apostrophe before each sign that would begin a formula, and one more where apostrophes are there
 * already, so that `bareCell` can remove exactly these.
 */
export function safeCell(text: string): string {
  return text.replace(unprotected, "'")
}

/**
 * The text that `safeCell` was given. In files of other programs, an apostrophe that only protected the cell
 * is removed.
 */
export function bareCell(cell: string): string {
  return cell.replace(isProtected, '')
}

/** Characters that RFC 4180 quotes; other separators; blanks at an end, which some programs trim. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/u

const csvCell = (cell: string): string => (needsQuotes.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

/** RFC 4180, each row with its line break. In one pass over each cell, so that no content takes longer. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')

// ---------------------------------------------------------------- what is wrong with them

export interface CellFault {
  readonly field: string
  /** Never contains what is in the cell. */
  readonly reason: string
}

/** More names would fill a screen: it is some other file then. */
const SHOWN_NAMES = 20
const SHOWN_CHARACTERS = 60

/** Without characters that a terminal would interpret. */
function shownName(name: string): string {
  return `"${name.replace(/\p{C}/gu, '?').slice(0, SHOWN_CHARACTERS)}"`
}

const listed = (names: readonly string[]): string =>
  names.slice(0, SHOWN_NAMES).map(shownName).join(', ') +
  (names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '')

/** @throws Problem('validation_failed') naming the columns of the header that the reader does not know. */
export function refuseUnknownColumns(unknown: readonly string[], known: readonly string[]): void {
  if (unknown.length === 0) return
  throw new Problem('validation_failed', `Unknown columns: ${listed(unknown)}. There are: ${known.join(', ')}.`)
}

/** @throws Problem('validation_failed') naming the columns that occur more than once. */
export function refuseRepeatedColumns(names: readonly string[]): void {
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  if (twice.length > 0) throw new Problem('validation_failed', `Duplicate columns: ${listed(twice)}.`)
}

/** Case, blanks and hyphens are ignored. */
export function columnName(cell: string): string {
  return bareCell(cell)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/gu, '_')
}

/** Undefined when the row has as many cells as the header. */
export function cellCountFault(header: number, cells: number): CellFault | undefined {
  if (header === cells) return undefined
  return { field: 'row', reason: `must have as many cells as the header: ${header} and not ${cells}` }
}
