// Many links from a CSV file: every row is checked before one is written, and all are created in one
// transaction or none is.
import { openValidatorCompiler, validationProblem } from '../http/validation.ts'
import type { CellFault } from '../csv/cells.ts'
import { cellFaults, type CheckedRows, openTally } from '../csv/check.ts'
import { readLines, takeHeader } from '../csv/file.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { openSlices } from '../queues/slices.ts'
import { type CsvRow, type Header, readHeader, readRow } from './csv.ts'
import { toldIn } from './csv-rules.ts'
import { openCodeCheck, repeatedCode, takenCode } from './bulk-codes.ts'
import { readSlug } from './codes.ts'
import { checkLocation, readDestination, type ShortUrls } from './destination.ts'
import { foreignLines } from './foreign.ts'
import type { ForeignFormat } from './foreign-fields.ts'
import { type GroupWords, openGroupWords } from './group-words.ts'
import { type CreateDeps, isVisible } from './groups.ts'
import { utmNames } from './link-model.ts'
import { ownHostsOf } from './domain-records.ts'
import { type ImportedDraft, shortUrls } from './draft.ts'
import { readTags } from './labels.ts'
import { type NewLinks, readUtm } from './links.ts'
import { NewLink } from './schema.ts'

export interface BulkLimits {
  readonly rows: number
  readonly bytes: number
}

/**
 * Rows wait in memory, and on SQLite the server's own writes for the one transaction that they are: that many
 * take less than the five seconds for which a write waits (60,000 took 4.6 s). More can come in parts.
 */
const LIMITS: BulkLimits = { rows: 50_000, bytes: 50 * 1024 * 1024 }

export interface BulkOptions {
  /** The service that wrote the file: its columns are read, and its codes are kept. */
  readonly from?: ForeignFormat | undefined
  /** An id or a name, and a domain, for rows that do not say it themselves. */
  readonly group?: string | undefined
  readonly domain?: string | undefined
  /** Groups that are not there are made, by name. */
  readonly createGroups: boolean
  /** Codes of a file that was written here are kept, instead of new ones drawn. */
  readonly keepCodes?: boolean
  /** What a file may hold; when left out, as much as one transaction may write. */
  readonly limits?: BulkLimits
}

/** What createLinks takes; nothing is written yet. */
export interface Bulk extends Required<NewLinks> {
  readonly checked: CheckedRows & {
    readonly ignored_columns: readonly string[]
    /** Links that had a password where the file comes from. */
    readonly without_password: number
  }
}

interface Rules extends Pick<CreateDeps, 'randomBytes'> {
  readonly header: Header
  readonly options: BulkOptions
  readonly short: ShortUrls
  readonly groups: GroupWords
}

const isValid = openValidatorCompiler()({ schema: NewLink, method: 'POST', url: '', httpPart: 'body' })

/** `utm.utm_source` is about the column `utm_source`. */
const faultsOf = (problem: Problem): CellFault[] =>
  cellFaults(problem).map(({ field, reason }) => ({ field: field.replace(/^utm\./u, ''), reason }))

/** No fault when `read` does not throw about fields. */
function attempt<Value>(read: () => Value): Value | CellFault[] {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Problem && error.errors)) throw error
    return faultsOf(error)
  }
}

function readGroup({ options, groups }: Rules, row: CsvRow): string {
  const word = row.get('group')?.trim() ?? options.group
  if (word === undefined) throw invalid('group', 'group is required.')
  if (!isVisible(word)) throw invalid('group', 'group may not be empty.')
  return groups.idOf(word, row.get('group_id')?.trim())
}

/** Blank ones between commas are none. */
const tagsIn = (cell: string | undefined): string[] => (cell ?? '').split(',').filter((tag) => tag.trim() !== '')

/** As the endpoints would. @throws Problem('validation_failed') */
function readDraft(reading: Rules, row: CsvRow): Omit<ImportedDraft, 'group_id'> {
  const { header, options, short } = reading
  const isKept = options.from !== undefined
  const said = utmNames.filter((key) => row.has(key) || header.isOwn)
  const utm = Object.fromEntries(said.map((key) => [key, row.get(key) ?? null]))
  const draft = {
    destination_url: row.get('destination_url'),
    domain: row.get('domain')?.trim() ?? options.domain,
    code: row.get('code')?.trim() ?? null,
    name: row.get('name') ?? null,
    tags: tagsIn(row.get('tags')),
    notes: row.get('notes') ?? null,
    utm,
  }
  if (isValid({ ...draft, group_id: '' }) !== true) throw validationProblem(isValid.errors ?? [], 'row')
  const valid = draft as Omit<ImportedDraft, 'group_id'>
  readSlug(valid.code, isKept)
  readTags('tags', valid.tags)
  const utmValues = readUtm({}, valid.utm)
  checkLocation(readDestination(valid.destination_url, short), utmValues)
  return { ...valid, told: { isKept, ...toldIn(reading, row, utmValues) } }
}

function readLink(rules: Rules, cells: readonly string[]): ImportedDraft | CellFault[] {
  const row = readRow(rules.header, cells)
  if ('field' in row) return [row]
  const group = attempt(() => readGroup(rules, row))
  const draft = attempt(() => readDraft(rules, row))
  if (typeof group === 'string' && !Array.isArray(draft)) return { ...draft, group_id: group }
  return [group, draft].filter((part) => Array.isArray(part)).flat()
}

const linesOf = (source: AsyncIterable<Buffer>, { from }: BulkOptions, { bytes }: BulkLimits) =>
  from === undefined ? readLines(source, bytes) : foreignLines(from, source, bytes)

/**
 * Reads the whole source once.
 * @throws Problem('validation_failed') when it is no table of links at all, or too large.
 */
export async function checkLinks(
  deps: CreateDeps,
  propertyId: string,
  source: AsyncIterable<Buffer>,
  options: BulkOptions,
): Promise<Bulk> {
  const { limits = LIMITS } = options
  const lines = linesOf(source, options, limits)
  const header = readHeader(await takeHeader(lines), options.keepCodes)
  const short = await shortUrls(deps)
  const groups = await openGroupWords(deps, propertyId, options.createGroups)
  const reading = { header, options, short, groups, randomBytes: deps.randomBytes }
  const tally = openTally(limits.rows)
  const drafts: ImportedDraft[] = []
  const codes = openCodeCheck(deps.records, propertyId, await ownHostsOf(deps.records, propertyId))
  const giveWay = openSlices()
  for await (const { line, cells } of lines) {
    await giveWay()
    tally.addRow()
    const link = readLink(reading, cells)
    if (Array.isArray(link)) tally.addFaults(line, link)
    else if (codes.isRepeated(line, link)) tally.addFaults(line, [repeatedCode])
    else drafts.push(link)
  }
  for (const line of await codes.takenLines()) tally.addFaults(line, [takenCode])
  const faults = tally.counts.faults.toSorted((a, b) => a.line - b.line)
  const without_password = drafts.filter(({ told }) => told?.hadPassword).length
  const checked = { ...tally.counts, faults, ignored_columns: header.ignored, without_password }
  return { checked, drafts, groups: groups.added }
}
