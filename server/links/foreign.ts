// Files of other link services, read as rows of links: their names for a destination, a code and a title, as
// CSV or as JSON. What is right and what is wrong in a row is judged as in a file of our own.
import { type Line, readLines } from '../csv/file.ts'
import { Problem } from '../kernel/problem.ts'
import type { ColumnName } from './csv.ts'
import { type FieldName, type Fields, fieldsOf, type ForeignFormat } from './foreign-fields.ts'
import { MAX_LINK_NAME, MAX_NOTES } from './link-model.ts'
import { MAX_TS } from './rules-schema.ts'

/** Of a file, in which its first sign is. */
const HEAD_BYTES = 1024
/** Several times what any of them writes. Each is looked at for each row. */
const MAX_COLUMNS = 200

/** `Long URL`, `long_url` and `longUrl` are one name. */
const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** `https://bit.ly/abc`, `bit.ly/abc` → `abc` */
const codeOf = (shortUrl: string): string => shortUrl.replace(/^(?:https?:\/\/)?[^/]*\/?/i, '').replace(/\/$/, '')

/** In unix seconds. Times without a zone are UTC. Undefined for what is no time. */
function timeOf(text: string): number | undefined {
  const written = text.trim()
  if (/^\d{9,10}$/.test(written)) return Number(written)
  const isPlain = /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/.test(written)
  const ms = Date.parse(isPlain ? `${written.replace(' ', 'T')}Z` : written)
  return ms > 0 ? Math.floor(ms / 1000) : undefined
}

/** Of what nobody can have meant: now. */
function createdOf(text: string): string {
  const ts = timeOf(text)
  return ts !== undefined && ts < Date.UTC(2100) / 1000 ? String(ts) : ''
}

type Row = ReadonlyMap<string, string>

/** All of them name it so; some put `|` between tags, the others commas. */
const TAGS = 'tags'

const names = [
  'destination_url',
  'code',
  'name',
  'tags',
  'notes',
  'created_ts',
  'is_active',
  'is_archived',
  'starts_ts',
  'ends_ts',
  'max_clicks',
  'used_clicks',
  'expired_url',
  'has_password',
  'rules',
] as const satisfies readonly ColumnName[]

const header: Line = { line: 0, cells: names }

const no = /^(?:|0|false|no|null)$/i
const yesNo = (text: string): string => String(!no.test(text))

/** A time that is none stays as it is, so that its row is refused: a link would lead on for ever. */
function limitOf(text: string): string {
  const ts = timeOf(text)
  return ts === undefined ? text : String(Math.min(ts, MAX_TS))
}

function countriesOf(text: string): readonly (readonly [string, string])[] {
  const geo = text.startsWith('{') ? parsed(text) : null
  return isObject(geo) ? Object.entries(geo).map(([country, url]) => [country, textOf(url)] as const) : []
}

/** In the order in which they are asked there: the system, then the country. */
function rulesOf(valueOf: (name: FieldName) => string): string {
  const bySystem = (
    [
      ['ios', 'iOS'],
      ['android', 'Android'],
    ] as const
  )
    .map(([name, os]) => ({ when: { os: [os] }, destination_url: valueOf(name) }))
    .filter(({ destination_url }) => destination_url !== '')
  const byCountry = countriesOf(valueOf('countries')).map(([country, destination_url]) => ({
    when: { country: [country] },
    destination_url,
  }))
  const rules = [...bySystem, ...byCountry]
  return rules.length === 0 ? '' : JSON.stringify(rules)
}

function lineOf(fields: Fields, line: number, row: Row): Line {
  const valueOf = (name: FieldName): string =>
    (fields[name] ?? []).map((key) => row.get(key)?.trim() ?? '').find((text) => text !== '') ?? ''
  const most = valueOf('most')
  const told: Readonly<Record<(typeof names)[number], string>> = {
    destination_url: valueOf('destination'),
    code: valueOf('code') || codeOf(valueOf('short')),
    name: [...valueOf('title')].slice(0, MAX_LINK_NAME).join(''),
    tags: (row.get(TAGS) ?? '').replaceAll('|', ','),
    notes: [...valueOf('notes')].slice(0, MAX_NOTES).join(''),
    created_ts: createdOf(valueOf('created')),
    is_active: String(no.test(valueOf('isOff'))),
    is_archived: yesNo(valueOf('archived')),
    starts_ts: limitOf(valueOf('starts')),
    ends_ts: limitOf(valueOf('ends')),
    max_clicks: most,
    used_clicks: most === '' ? '' : valueOf('used'),
    expired_url: valueOf('expired'),
    has_password: yesNo(valueOf('password')),
    rules: rulesOf(valueOf),
  }
  return { line, cells: names.map((name) => told[name]) }
}

function refuseStranger(from: ForeignFormat, names: Iterable<string>): void {
  const found = new Set(names)
  const { destination, code = [], short = [] } = fieldsOf[from]
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
  return typeof first === 'string' || typeof first === 'number' || typeof first === 'boolean' ? String(first) : ''
}

/** Tags are texts, or have a name. */
const tagsOf = (value: unknown): string =>
  [value]
    .flat()
    .map((tag) => textOf(isObject(tag) ? tag['name'] : tag))
    .join(',')

/** Countries with their destinations. */
const GEO = 'geo'
/** In which Shlink has the limits of a link. */
const META = 'meta'

function cellOf(name: string, value: unknown): readonly [string, string] {
  if (name === TAGS) return [name, tagsOf(value)]
  return [name, name === GEO && isObject(value) ? JSON.stringify(value) : textOf(value)]
}

function rowOf(value: unknown): Row {
  if (!isObject(value)) return new Map()
  const { [META]: meta, ...rest } = value
  const fields = isObject(meta) ? { ...rest, ...meta } : rest
  return new Map(Object.entries(fields).map(([name, cell]) => cellOf(plainName(name), cell)))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new Problem('validation_failed', 'The file is not valid JSON.')
  }
}

/** The line of a link is its place in the list: JSON has no lines that anybody counts. */
function* linesOfJson(from: ForeignFormat, text: string): Generator<Line> {
  const list = listIn(parsed(text))
  if (!list) throw new Problem('validation_failed', 'There is no list of links in the file.')
  const rows = list.map(rowOf)
  refuseStranger(from, rows[0]?.keys() ?? [])
  yield header
  for (const [index, row] of rows.entries()) yield lineOf(fieldsOf[from], index + 1, row)
}

// ---------------------------------------------------------------- CSV

async function* linesOfCsv(from: ForeignFormat, file: Buffer, maxBytes: number): AsyncGenerator<Line> {
  let columns: readonly string[] | undefined
  for await (const { line, cells } of readLines(only(file), maxBytes)) {
    if (columns) {
      yield lineOf(fieldsOf[from], line, new Map(columns.map((name, at) => [name, cells[at] ?? ''])))
      continue
    }
    if (cells.length > MAX_COLUMNS)
      throw new Problem('validation_failed', `The file has more than ${MAX_COLUMNS} columns.`)
    columns = cells.map(plainName)
    refuseStranger(from, columns)
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
): AsyncGenerator<Line> {
  const file = await wholeFile(source, maxBytes)
  if (/^\ufeff?\s*[[{]/.test(file.subarray(0, HEAD_BYTES).toString())) yield* linesOfJson(from, file.toString())
  else yield* linesOfCsv(from, file, maxBytes)
}
