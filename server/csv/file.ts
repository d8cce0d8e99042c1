// Reads a CSV file as a stream of rows with their line numbers. The separator is detected in the header;
// errors name lines, never their content.
import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Parser } from 'csv-parse'
import { Problem } from '../kernel/problem.ts'

/**
 * More than any valid row, even with everything escaped. Otherwise an unclosed quote would take in the rest
 * of the file.
 */
const MAX_ROW_BYTES = 1024 * 1024
/** Bytes passed to the parser at once: some rows, and less than a millisecond. */
const PIECE_BYTES = 16 * 1024
/** Only the separator is looked for in it; valid headers are shorter. */
const MAX_HEADER_BYTES = 64 * 1024

const separators = [',', ';', '\t'] as const

export interface Line {
  /** The line on which the row begins, counted from 1 as editors do. */
  readonly line: number
  readonly cells: readonly string[]
}

const refused = (sentence: string): Problem => new Problem('validation_failed', sentence)

/** A byte order mark, and blank lines above the header, which are no rows either. */
const BEFORE_HEADER = /^\ufeff?(?:[ ,;\t]*[\r\n]+)*/u

/** The first line with any text, without quoted parts. */
function bareHeader(head: string): string {
  return (
    head
      .replace(BEFORE_HEADER, '')
      .replace(/"[^"]*(?:"|$)/gu, '')
      .split(/[\r\n]/u, 1)[0] ?? ''
  )
}

/** The most frequent one; a comma when there is none. */
function separatorOf(head: string): string {
  const header = bareHeader(head)
  const count = (separator: string) => header.split(separator).length
  return separators.reduce((best, separator) => (count(separator) > count(best) ? separator : best))
}

/** @throws Problem when there are too many bytes, or bytes that are no UTF-8. */
async function* checkedChunks(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const check = (chunk: Buffer | undefined): void => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw refused('The file is not UTF-8. Save it as "CSV UTF-8".')
    }
  }
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw refused(`The file is larger than ${maxBytes / 1024 / 1024} MB. Import it in parts.`)
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES)
      check(piece)
      yield piece
    }
  }
  check(undefined)
}

async function takeHead(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (head.length < MAX_HEADER_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
    // A quoted name may contain a line break: then the part before it decides, which is good enough.
    if (/[\r\n]/u.test(head.toString('utf8').replace(BEFORE_HEADER, ''))) break
  }
  return head
}

async function* withHead(head: Buffer, chunks: AsyncIterableIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* chunks
}

interface Reading {
  readonly parser: Parser
  /** The lines on which those rows begin that were parsed and not read yet. */
  readonly begun: number[]
  /** The line after the last parsed row. */
  nextLine: number
}

/**
 * Lines are counted where rows are parsed, which is ahead of where they are read; the parser's own count is
 * wrong after a quoted CRLF.
 */
function openParser(separator: string): Reading {
  const parser = parse({
    bom: true,
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW_BYTES,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: (cells, { empty_lines }) => {
      reading.begun.push(reading.nextLine + empty_lines)
      reading.nextLine += linesOf(cells)
      return cells
    },
  })
  const reading: Reading = { parser, begun: [], nextLine: 1 }
  return reading
}

const sentences: Partial<Record<CsvError['code'], string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_INVALID_CLOSING_QUOTE: 'behind a closing quote there is more text; a quote inside a cell is written twice',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a cell without quotes; such a cell is put in quotes and its quotes are written twice',
  CSV_MAX_RECORD_SIZE: `the row is longer than ${MAX_ROW_BYTES / 1024} kB; a quote that is never closed may be the reason`,
}

/** The parser's own message would contain parts of the file. */
function explained(error: unknown, line: number): unknown {
  if (!(error instanceof CsvError)) return error
  return refused(`The row on line ${line}: ${sentences[error.code] ?? 'this is no CSV'}.`)
}

/** How many lines of the file a row occupies. */
const linesOf = (cells: readonly string[]): number =>
  cells.reduce((lines, cell) => lines + (cell.match(/\r\n|\n|\r/gu)?.length ?? 0), 1)

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '')

/**
 * The rows in order, the header first; without empty rows, which spreadsheets write below a table.
 * @throws Problem('validation_failed') when the file is too large, not UTF-8 or not CSV.
 */
export async function* readLines(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Line> {
  const chunks = checkedChunks(source, maxBytes)
  const head = await takeHead(chunks)
  const reading = openParser(separatorOf(head.toString('utf8')))
  const { parser, begun } = reading
  // The parser emits the error too, which is where it is handled.
  pipeline(Readable.from(withHead(head, chunks), { objectMode: false }), parser, () => undefined)
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const line = begun.shift() ?? 0
      if (!isBlank(cells)) yield { line, cells }
    }
  } catch (error) {
    throw explained(error, reading.nextLine + parser.info.empty_lines)
  }
}

/**
 * The header, taken from the rows: they go on behind it. @throws Problem('validation_failed') for an empty
 * file.
 */
export async function takeHeader(lines: AsyncGenerator<Line>): Promise<readonly string[]> {
  const { done, value: first } = await lines.next()
  if (done) throw refused('The file is empty.')
  return first.cells
}
