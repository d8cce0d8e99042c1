// What the parts of a file come to together: figures added up, faults at their lines of the whole file.
import type { ImportPart } from '../../api/contacts.ts'
import type { CsvPart } from '../../csv.ts'

export interface Checked {
  readonly rows: number
  readonly badRows: number
  readonly namelessRows: number
  readonly created: number
  readonly updated: number
  readonly ignoredColumns: readonly string[]
  readonly faults: ImportPart['faults']
  /** Beside those. */
  readonly moreFaults: number
}

/** More would fill the page, and mostly say the same. */
const SHOWN_FAULTS = 50

export const nothingYet: Checked = {
  rows: 0,
  badRows: 0,
  namelessRows: 0,
  created: 0,
  updated: 0,
  ignoredColumns: [],
  faults: [],
  moreFaults: 0,
}

export function addPart(sum: Checked, part: ImportPart, { lineOffset }: Pick<CsvPart, 'lineOffset'>): Checked {
  const faults = [...sum.faults, ...part.faults.map((fault) => ({ ...fault, line: fault.line + lineOffset }))]
  return {
    rows: sum.rows + part.rows,
    badRows: sum.badRows + part.bad_rows,
    namelessRows: sum.namelessRows + part.nameless_rows,
    created: sum.created + part.created,
    updated: sum.updated + part.updated,
    ignoredColumns: part.ignored_columns,
    faults: faults.slice(0, SHOWN_FAULTS),
    moreFaults: sum.moreFaults + part.more_faults + Math.max(0, faults.length - SHOWN_FAULTS),
  }
}
