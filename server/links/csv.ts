// Links as rows of a table: which columns there are, and what a cell says. What is written of a link is read
// again as the same link, but for its password, which nothing writes.
import {
  bareCell,
  type CellFault,
  cellCountFault,
  columnName,
  refuseRepeatedColumns,
  refuseUnknownColumns,
  safeCell,
  toCsv,
} from '../csv/cells.ts'
import { Problem } from '../kernel/problem.ts'
import { type UtmName, utmNames } from './link-model.ts'
import { type LinkRules, noRules } from './rules-model.ts'

/** What the endpoint that creates a link takes; `code` too, where a file is not one that was written here. */
export const columns = ['destination_url', 'group', 'domain', 'name', ...utmNames, 'tags', 'notes'] as const

/** What is told beside, most of which is read again. */
export const toldColumns = [
  'short_url',
  'code',
  'id',
  'group_id',
  'is_active',
  'is_archived',
  'created_ts',
  'starts_ts',
  'ends_ts',
  'max_clicks',
  'used_clicks',
  'expired_url',
  'has_password',
  'rules',
  'split',
  'card_title',
  'card_description',
  'card_image_url',
] as const

export type ColumnName = (typeof columns)[number] | (typeof toldColumns)[number]

/** Of the link itself: another one has others. */
const neverRead: ReadonlySet<ColumnName> = new Set(['short_url', 'id'])
/**
 * Of the link too, and of the same link elsewhere: with its code go its age and the clicks that it has had.
 */
const readWithCodes: ReadonlySet<ColumnName> = new Set(['code', 'created_ts', 'used_clicks'])

// ---------------------------------------------------------------- writing

/** A link as the endpoints show it, without its clicks, which are in the facts. */
export interface CsvLink {
  readonly id: string
  readonly group_id: string
  readonly name: string | null
  readonly domain: string
  readonly code: string
  readonly short_url: string
  readonly destination_url: string
  readonly utm: Readonly<Partial<Record<UtmName, string | null | undefined>>>
  readonly is_active: boolean
  readonly tags: readonly string[]
  readonly notes: string | null
  readonly is_archived: boolean
  readonly created_ts: number
  /** When it answers, and where it leads whom; left out where nothing is known of it. */
  readonly rules?: LinkRules & { readonly has_password: boolean; readonly used_clicks: number }
}

const said = (value: string | number | null): string => (value === null ? '' : String(value))
const listed = (rows: readonly unknown[]): string => (rows.length === 0 ? '' : JSON.stringify(rows))

function rulesCells({ rules: told }: CsvLink): string[] {
  const { starts_ts, ends_ts, max_clicks, expired_url, rules, split, card } = told ?? noRules
  const used = told && max_clicks !== null ? told.used_clicks : null
  const limits = [starts_ts, ends_ts, max_clicks, used, expired_url].map(said)
  const shown = [card?.title, card?.description, card?.image_url].map((text) => text ?? '')
  return [...limits, told ? String(told.has_password) : '', listed(rules), listed(split), ...shown]
}

function cellsOf(link: CsvLink, groupName: string): string[] {
  const { destination_url, domain, name, utm, short_url, code, id, group_id, is_active, created_ts } = link
  const { tags, notes, is_archived } = link
  const utms = utmNames.map((key) => utm[key] ?? '')
  const texts = [destination_url, groupName, domain, name ?? '', ...utms, tags.join(', '), notes ?? '']
  const told = [
    short_url,
    code,
    id,
    group_id,
    String(is_active),
    String(is_archived),
    String(created_ts),
    ...rulesCells(link),
  ]
  return [...texts, ...told].map(safeCell)
}

export const csvHeader = (): string => toCsv([[...columns, ...toldColumns]])

/** @param groupNames by group id. */
export const csvRows = (links: readonly CsvLink[], groupNames: ReadonlyMap<string, string>): string =>
  toCsv(links.map((link) => cellsOf(link, groupNames.get(link.group_id) ?? link.group_id)))

// ---------------------------------------------------------------- reading

export interface Header {
  readonly columns: readonly ColumnName[]
  /** Names of the columns that are there and say nothing about a new link. */
  readonly ignored: readonly ColumnName[]
  /** Written here: a blank cell says that there is nothing, not that nothing is said. */
  readonly isOwn: boolean
}

const known: readonly ColumnName[] = [...columns, ...toldColumns]

/** A file with ids was written here: its links have their codes already. */
const isOwnFile = (names: readonly string[]): boolean => names.includes('id')

/**
 * @param keepsCodes codes are taken from a file that was written here, too.
 * @throws Problem('validation_failed') naming the columns that are unknown or there twice, or when there is
 *   no destination_url.
 */
export function readHeader(cells: readonly string[], keepsCodes = false): Header {
  const found = cells.map((cell) => known.find((name) => name === columnName(cell)))
  const unknown = cells.filter((_, index) => !found[index])
  refuseUnknownColumns(unknown, [...columns, 'code'])
  const names = found.filter((name) => name !== undefined)
  refuseRepeatedColumns(names)
  if (!names.includes('destination_url')) {
    throw new Problem('validation_failed', 'The column destination_url is required.')
  }
  const isOwn = isOwnFile(names)
  const isIgnored = (name: ColumnName): boolean =>
    neverRead.has(name) || (isOwn && !keepsCodes && readWithCodes.has(name))
  return { columns: names, isOwn, ignored: names.filter(isIgnored) }
}

/** Cells that say something, as they are written. */
export type CsvRow = ReadonlyMap<ColumnName, string>

/** Only the number of cells is checked here. Blank cells are left out. */
export function readRow(header: Header, cells: readonly string[]): CsvRow | CellFault {
  const fault = cellCountFault(header.columns.length, cells.length)
  if (fault) return fault
  const filled = new Map<ColumnName, string>()
  for (const [index, name] of header.columns.entries()) {
    const cell = bareCell(cells[index] ?? '')
    if (!header.ignored.includes(name) && cell.trim() !== '') filled.set(name, cell)
  }
  return filled
}
