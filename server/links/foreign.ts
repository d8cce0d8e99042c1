// Files of other link services, read as rows of links: their names for a destination, a code and a title, as
// CSV or as JSON. What is right and what is wrong in a row is judged as in a file of our own.
import { readLines } from '../csv/file.ts'
import { Problem } from '../kernel/problem.ts'
import { MAX_LINK_NAME } from './link-model.ts'
import type { SourceLine } from './bulk.ts'

export const foreignFormats = ['bitly', 'dub', 'shlink', 'yourls', 'kutt', 'rebrandly'] as const
export type ForeignFormat = (typeof foreignFormats)[number]

/** `code` is the code alone, `short` a whole short URL. */
type FieldName = 'destination' | 'code' | 'short' | 'title' | 'created'
/** In the order in which they are asked: the first that says something. As `plainName` has them. */
type Fields = Readonly<Record<FieldName, readonly string[]>>

const fieldsOf: Readonly<Record<ForeignFormat, Fields>> = {
  bitly: {
    destination: ['longurl', 'destinationurl', 'originalurl'],
    code: [],
    short: ['custombitlinks', 'custombitlink', 'customlink', 'link', 'bitlink', 'shortlink', 'id'],
    title: ['title'],
    created: ['createdat', 'created', 'datecreated'],
  },
  dub: {
    destination: ['url', 'destinationurl'],
    code: ['key'],
    short: ['link', 'shortlink'],
    title: ['title'],
    created: ['createdat', 'created'],
  },
  shlink: {
    destination: ['longurl'],
    code: ['shortcode'],
    short: ['shorturl'],
    title: ['title'],
    created: ['datecreated', 'createdat'],
  },
  yourls: {
    destination: ['url', 'longurl'],
    code: ['keyword'],
    short: ['shorturl'],
    title: ['title'],
    created: ['timestamp', 'date'],
  },
  kutt: {
    destination: ['target'],
    code: ['address'],
    short: ['link'],
    title: ['description'],
    created: ['createdat'],
  },
  rebrandly: {
    destination: ['destination', 'destinationurl'],
    code: ['slashtag'],
    short: ['shorturl'],
    title: ['title'],
    created: ['createdat', 'created', 'creationdate'],
  },
}

/** Of a file, in which its first sign is. */
const HEAD_BYTES = 1024

/** `Long URL`, `long_url` and `longUrl` are one name. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** `https://bit.ly/abc`, `bit.ly/abc` → `abc` */
const codeOf = (shortUrl: string): string => shortUrl.replace(/^(?:https?:\/\/)?[^/]*\/?/i, '').replace(/\/$/, '')

/** Times without a zone are UTC. Undefined for what is no time, and for one that nobody can have meant. */
function timeOf(text: string): number | undefined {
  const written = text.trim()
  if (/^\d{9,10}$/.test(written)) return Number(written)
  const isPlain = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(written)
  const ms = Date.parse(isPlain ? `${written.replace(' ', 'T')}Z` : written)
  return ms > 0 && ms < Date.UTC(2100) ? Math.floor(ms / 1000) : undefined
}

type Row = ReadonlyMap<string, string>

/** All of them name it so; some put `|` between tags, the others commas. */
const TAGS = 'tags'

const header: SourceLine = { line: 0, cells: ['destination_url', 'code', 'name', 'tags'] }

function lineOf(fields: Fields, line: number, row: Row): SourceLine {
  const valueOf = (name: FieldName): string =>
    fields[name].map((key) => row.get(key)?.trim() ?? '').find((text) => text !== '') ?? ''
  const title = [...valueOf('title')].slice(0, MAX_LINK_NAME).join('')
  const createdTs = timeOf(valueOf('created'))
  const code = valueOf('code') || codeOf(valueOf('short'))
  const cells = [valueOf('destination'), code, title, (row.get(TAGS) ?? '').replaceAll('|', ',')]
  return { line, cells, ...(createdTs !== undefined && { createdTs }) }
}

function refuseStranger(from: ForeignFormat, names: Iterable<string>): void {
  const found = new Set(names)
  const { destination, code, short } = fieldsOf[from]
  const has = (some: readonly string[]): boolean => some.some((name) => found.has(name))
  if (has(destination) && has([...code, ...short])) return
  throw new Problem('validation_failed', `The file has no columns of ${from} for a destination and a code.`)
}

// ---------------------------------------------------------------- JSON

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Links lie in the answers of their interfaces under these names, one in another at most. */
const LISTS = ['data', 'links', 'shortUrls', 'result', 'results'] as const
const MAX_DEPTH = 3

function listIn(value: unknown, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[]
  if (!isObject(value) || depth >= MAX_DEPTH) return undefined
  for (const name of LISTS) {
    const found = listIn(value[name], depth + 1)
    if (found) return found
  }
  // The statistics of YOURLS: link_1, link_2 …
  const numbered = Object.entries(value).filter(([name]) => /^link_\d+$/.test(name))
  return numbered.length > 0 ? numbered.map(([, link]) => link) : undefined
}

const textOf = (value: unknown): string => {
  const [first] = [value].flat()
  return typeof first === 'string' || typeof first === 'number' ? String(first) : ''
}

/** Tags are texts, or have a name. */
const tagsOf = (value: unknown): string =>
  [value]
    .flat()
    .map((tag) => textOf(isObject(tag) ? tag['name'] : tag))
    .join(',')

const cellOf = (name: string, value: unknown): readonly [string, string] => [
  name,
  name === TAGS ? tagsOf(value) : textOf(value),
]

const rowOf = (value: unknown): Row =>
  new Map(isObject(value) ? Object.entries(value).map(([name, cell]) => cellOf(plainName(name), cell)) : [])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new Problem('validation_failed', 'The file is not valid JSON.')
  }
}

/** The line of a link is its place in the list: JSON has no lines that anybody counts. */
function* linesOfJson(from: ForeignFormat, text: string): Generator<SourceLine> {
  const list = listIn(parsed(text))
  if (!list) throw new Problem('validation_failed', 'There is no list of links in the file.')
  const rows = list.map(rowOf)
  refuseStranger(from, rows[0]?.keys() ?? [])
  yield header
  for (const [index, row] of rows.entries()) yield lineOf(fieldsOf[from], index + 1, row)
}

// ---------------------------------------------------------------- CSV

async function* linesOfCsv(from: ForeignFormat, file: Buffer, maxBytes: number): AsyncGenerator<SourceLine> {
  let names: readonly string[] | undefined
  for await (const { line, cells } of readLines(only(file), maxBytes)) {
    if (names) {
      yield lineOf(fieldsOf[from], line, new Map(names.map((name, at) => [name, cells[at] ?? ''])))
      continue
    }
    names = cells.map(plainName)
    refuseStranger(from, names)
    yield header
  }
}

async function* only(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk
}

async function wholeFile(source: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new Problem('validation_failed', 'The file is too large. Import it in parts.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * The header first, then a row for each link: destination, code, title.
 * @throws Problem('validation_failed') when it is no file of that service.
 */
export async function* foreignLines(
  from: ForeignFormat,
  source: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<SourceLine> {
  const file = await wholeFile(source, maxBytes)
  if (/^\ufeff?\s*[[{]/.test(file.subarray(0, HEAD_BYTES).toString())) yield* linesOfJson(from, file.toString())
  else yield* linesOfCsv(from, file, maxBytes)
}
