// Cells of the tables that go out as CSV and come in again: no cell is a formula to a spreadsheet, and each one comes back as it was.
import { Problem } from '../kernel/problem.ts'

/**
 * Where a spreadsheet would see a formula: at the start of a cell, also behind blanks, and behind what a program that was told another
 * separator takes for the start of a cell. Full-width signs count: some programs read them as the usual ones.
 */
const sign = String.raw`[=+\-@\uff1d\uff0b\uff0d\uff20]`
const blanks = String.raw`[^\S;\t\r\n]*`
const start = String.raw`(?='*(?:[\t\r\n]|${blanks}${sign}))`
const inside = String.raw`(?='*${blanks}${sign})`

const unprotected = new RegExp(`^${start}|(?<=[;\\t\\r\\n])${inside}`, 'g')
const isProtected = new RegExp(`^'${start}|(?<=[;\\t\\r\\n])'${inside}`, 'g')

/**
 * Puts an apostrophe before each sign that would begin a formula; and one more where there are apostrophes before it already, so that
 * `bareCell` can take exactly these away again.
 */
export function safeCell(text: string): string {
  return text.replace(unprotected, "'")
}

/** The text that `safeCell` was given. In a file from elsewhere: an apostrophe that only protected the cell goes. */
export function bareCell(cell: string): string {
  return cell.replace(isProtected, '')
}

/** What RFC 4180 puts in quotes; what a program that was told another separator would cut; blanks at an end, which some would take away. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/u

const csvCell = (cell: string): string => (needsQuotes.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)

/** RFC 4180, each row with its line break. In one pass over each cell: whatever stands in it costs the same. */
export const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')

// ---------------------------------------------------------------- what is wrong with them

export interface CellFault {
  readonly field: string
  /** Never holds what is in the cell. */
  readonly reason: string
}

/** More names would fill a screen: the file is some other file then. */
const SHOWN_NAMES = 20
const SHOWN_CHARACTERS = 60

/** As it may stand in a terminal. */
function shownName(name: string): string {
  return `"${name.replace(/\p{C}/gu, '?').slice(0, SHOWN_CHARACTERS)}"`
}

const listed = (names: readonly string[]): string =>
  names.slice(0, SHOWN_NAMES).map(shownName).join(', ') +
  (names.length > SHOWN_NAMES ? ` and ${names.length - SHOWN_NAMES} more` : '')

/** @throws Problem('validation_failed') that names what the header has and a reader does not know. */
export function refuseUnknownColumns(unknown: readonly string[], known: readonly string[]): void {
  if (unknown.length === 0) return
  throw new Problem('validation_failed', `Unknown columns: ${listed(unknown)}. There are: ${known.join(', ')}.`)
}

/** @throws Problem('validation_failed') that names the columns that are there more than once. */
export function refuseRepeatedColumns(names: readonly string[]): void {
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  if (twice.length > 0) throw new Problem('validation_failed', `There twice: ${listed(twice)}.`)
}

/** Upper and lower case, blanks and hyphens do not count. */
export function columnName(cell: string): string {
  return bareCell(cell)
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/gu, '_')
}

/** Undefined when there are as many as the header has. */
export function cellCountFault(header: number, cells: number): CellFault | undefined {
  if (header === cells) return undefined
  return { field: 'row', reason: `must have as many cells as the header: ${header} and not ${cells}` }
}
