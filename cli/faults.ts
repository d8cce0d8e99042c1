// The faults of a file, as people read them.
import type { CheckedRows } from '../server/csv/check.ts'
import { counted } from './command.ts'

/** The line and the reason of each bad row, never its content. */
export function faultLines({ faults, more_faults, bad_rows, rows }: CheckedRows): string[] {
  return [
    ...faults.map(({ line, field, reason }) => `line ${line}: ${field}: ${reason}`),
    ...(more_faults > 0 ? [`… and ${more_faults.toLocaleString('en')} more.`] : []),
    `footfall: ${counted(bad_rows, 'row')} of ${rows.toLocaleString('en')} cannot be imported; nothing was written`,
  ]
}
