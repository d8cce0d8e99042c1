// Checks a table row by row: how many rows there are, and which are invalid, by line and reason.
import type { CellFault } from './cells.ts'
import { Problem } from '../kernel/problem.ts'

/** More would fill a screen, and mostly say the same. */
const MAX_SHOWN_FAULTS = 50

export interface RowFault extends CellFault {
  readonly line: number
}

export interface CheckedRows {
  /** Rows that are not empty, bad ones included. */
  readonly rows: number
  readonly bad_rows: number
  readonly faults: readonly RowFault[]
  /** How many faults there are besides these. */
  readonly more_faults: number
}

export interface Tally {
  readonly counts: CheckedRows
  /** @throws Problem('validation_failed') when there are more rows than `maxRows`. */
  addRow(): void
  addFaults(line: number, faults: readonly CellFault[]): void
}

export function openTally(maxRows: number): Tally {
  const faults: RowFault[] = []
  const counts = { rows: 0, bad_rows: 0, faults, more_faults: 0 }
  return {
    counts,
    addRow() {
      counts.rows++
      if (counts.rows > maxRows)
        throw new Problem('validation_failed', `The file has more than ${maxRows} rows. Import it in parts.`)
    },
    addFaults(line, found) {
      counts.bad_rows++
      for (const fault of found) {
        if (faults.length < MAX_SHOWN_FAULTS) faults.push({ line, ...fault })
        else counts.more_faults++
      }
    },
  }
}

/**
 * The sentences of a problem about fields, each without the field at its beginning, which is named beside it.
 */
export function cellFaults(problem: Problem): CellFault[] {
  return Object.entries(problem.errors ?? {}).flatMap(([field, sentences]) =>
    sentences.map((sentence) => {
      const reason = sentence.startsWith(`${field} `) ? sentence.slice(field.length + 1) : sentence
      return { field, reason: reason.replace(/\.$/u, '') }
    }),
  )
}
