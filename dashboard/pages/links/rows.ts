// Turns pasted destinations, one per line, into the file that the service accepts. A file with a header is
// kept.
import { partsOf } from '../../csv.ts'
import { withScheme } from './destination.ts'

/**
 * A whole cell of the first line: an address may have the word in its query. Cells are read as the service
 * reads the names of columns.
 */
function hasHeader(text: string): boolean {
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/, 1)
  return /(?:^|[,;\t])\s*("?)'?\s*destination[\s_-]+url\s*\1\s*(?:$|[,;\t])/i.test(first)
}

const quoted = (cell: string): string => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`)

export interface Pasted {
  readonly csv: string
  /** Added to a line of the file, it is the line that was pasted. */
  readonly lineOffset: number
}

export function csvOf(text: string): Pasted {
  if (text.trim() === '' || hasHeader(text.replace(/^\ufeff/, ''))) return { csv: text, lineOffset: 0 }
  const lines = text.split(/\r\n|\r|\n/).map((line) => quoted(withScheme(line)))
  return { csv: `${['destination_url', ...lines].join('\n')}\n`, lineOffset: -1 }
}

/** Of a CSV file, without its header; undefined for JSON, in which the service counts. */
export function rowsIn(text: string): number | undefined {
  if (/^\ufeff?\s*[[{]/.test(text)) return undefined
  const whole = partsOf(text, { rows: Infinity, characters: Infinity }) ?? []
  return whole.reduce((sum, { rows }) => sum + rows, 0)
}
