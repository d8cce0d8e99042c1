// CSV files: a file is cut into parts that the service accepts, and its first rows are parsed for a preview.
// What is right and what is wrong in a file is the service's to say.

export interface CsvPart {
  /** The header and some rows. */
  readonly csv: string
  readonly rows: number
  /** Added to a line of the part, it is the line of the file. */
  readonly lineOffset: number
}

interface Record {
  readonly text: string
  /** Of the file, from 1. */
  readonly line: number
}

/** Line ends inside of quotes belong to their cell. */
function* recordsOf(text: string): Generator<Record> {
  let isQuoted = false
  let start = 0
  let line = 1
  let startLine = 1
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '"') isQuoted = !isQuoted
    const isEnd = sign === '\n' || (sign === '\r' && text[at + 1] !== '\n')
    if (!isEnd) continue
    line++
    if (isQuoted) continue
    yield { text: text.slice(start, at + 1), line: startLine }
    start = at + 1
    startLine = line
  }
  if (start < text.length) yield { text: text.slice(start), line: startLine }
}

const isBlank = ({ text }: Record): boolean => text.trim() === ''

/** At most so many rows and characters a part; a part may be one long row. */
export interface PartSize {
  readonly rows: number
  readonly characters: number
}

/** Blank lines stay where they are: they say nothing, and lines are counted over them. */
interface Taken {
  readonly text: string
  readonly rows: number
  readonly line: number
}

function* gathered(records: readonly Record[], size: PartSize): Generator<Taken> {
  let taken: Taken | undefined
  for (const record of records) {
    const isFull = taken && (taken.rows >= size.rows || taken.text.length + record.text.length > size.characters)
    if (taken && isFull) yield taken
    if (isFull) taken = undefined
    const { text, rows, line } = taken ?? { text: '', rows: 0, line: record.line }
    taken = { text: text + record.text, rows: rows + (isBlank(record) ? 0 : 1), line }
  }
  if (taken) yield taken
}

/** Undefined for a file without a row. */
export function partsOf(file: string, size: PartSize): CsvPart[] | undefined {
  const records = [...recordsOf(file.replace(/^\ufeff/, ''))]
  const at = records.findIndex((record) => !isBlank(record))
  const header = records[at]
  if (!header) return undefined
  const head = /[\r\n]$/.test(header.text) ? header.text : `${header.text}\n`
  const headLines = head.split(/\r\n|\r|\n/).length - 1
  const parts = [...gathered(records.slice(at + 1), size)]
    .filter(({ rows }) => rows > 0)
    .map(({ text, rows, line }) => ({ csv: head + text, rows, lineOffset: line - headLines - 1 }))
  return parts.length === 0 ? undefined : parts
}

/** The separator that the header has most of. */
function separatorOf(header: string): string {
  const bare = header.replace(/"[^"]*(?:"|$)/g, '')
  const count = (separator: string): number => bare.split(separator).length
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

function cellsOf(record: string, separator: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  const line = record.replace(/[\r\n]+$/, '')
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? ''
    if (sign === '"' && isQuoted && line[at + 1] === '"') cell += line[++at]
    else if (sign === '"') isQuoted = !isQuoted
    else if (sign === separator && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += sign
  }
  return [...cells, cell]
}

/** The header and the first rows, cell by cell. */
export function previewOf(file: string, rows: number): string[][] {
  const found: string[] = []
  for (const record of recordsOf(file.replace(/^\ufeff/, ''))) {
    if (!isBlank(record)) found.push(record.text)
    if (found.length > rows) break
  }
  const separator = separatorOf(found[0] ?? '')
  return found.map((record) => cellsOf(record, separator))
}
