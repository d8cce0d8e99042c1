// Contacts as rows of a table: which columns there are, and what a cell says. Writing a contact and reading
// it again gives the same contact.
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
import {
  type Contact,
  type MetaEntry,
  type MetaValue,
  type TextField,
  textFields,
  traitFields,
} from '../contacts/contact-model.ts'

/** What an import takes. */
export const columns = [...textFields, 'lifecycle_stage', 'state', 'meta'] as const

/** What an export tells beside; nobody but the program itself can say it. */
export const toldColumns = ['first_seen_ts', 'identified_ts', 'last_seen_ts', 'session_count', 'id'] as const

/** `meta.<key>`: a column for one key. */
const META_PREFIX = 'meta.'

// ---------------------------------------------------------------- writing

/**
 * Put together by hand: an object would put keys that look like numbers first, and know one key less
 * (__proto__).
 */
function metaCell(meta: readonly MetaEntry[]): string {
  if (meta.length === 0) return ''
  return `{${meta.map(({ key, value }) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`
}

function cellsOf(contact: Contact): string[] {
  const { lifecycle_stage, state, meta, first_seen_ts, identified_ts, last_seen_ms, session_count, id } = contact
  const texts = [...textFields.map((name) => contact[name] ?? ''), lifecycle_stage, state, metaCell(meta)]
  const told = [first_seen_ts, identified_ts, Math.floor(last_seen_ms / 1000), session_count, id]
  return [...texts.map(safeCell), ...told.map(String)]
}

export const csvHeader = (): string => toCsv([[...columns, ...toldColumns]])

export const csvRows = (contacts: readonly Contact[]): string => toCsv(contacts.map(cellsOf))

// ---------------------------------------------------------------- reading the header

/** What the cells below a column are: a field, one key of meta, or something that is not taken. */
type Column =
  | { readonly kind: 'field'; readonly name: (typeof columns)[number] }
  | { readonly kind: 'meta'; readonly key: string }
  | { readonly kind: 'told'; readonly name: string }

export interface Header {
  readonly columns: readonly Column[]
  /** Names of the columns that are there and say nothing to an import. */
  readonly ignored: readonly string[]
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

/**
 * Upper and lower case, blanks and hyphens do not count; the key of a `meta.` column is taken as it is
 * written.
 */
function columnOf(cell: string): Column | undefined {
  const written = bareCell(cell).trim()
  if (written.slice(0, META_PREFIX.length).toLowerCase() === META_PREFIX) {
    const key = written.slice(META_PREFIX.length).trim()
    return key === '' ? undefined : { kind: 'meta', key }
  }
  const name = columnName(cell)
  if (isOneOf(columns, name)) return { kind: 'field', name }
  return isOneOf(toldColumns, name) ? { kind: 'told', name } : undefined
}

const nameOf = (column: Column): string => (column.kind === 'meta' ? META_PREFIX + column.key : column.name)

/**
 * @throws Problem('validation_failed') naming the columns that are unknown or there twice, or when no column
 *   says who a row is about.
 */
export function readHeader(cells: readonly string[]): Header {
  const found = cells.map(columnOf)
  const unknown = cells.filter((_, index) => !found[index])
  refuseUnknownColumns(unknown, [...columns, `${META_PREFIX}<key>`])
  const known = found.filter((column) => column !== undefined)
  const names = known.map(nameOf)
  refuseRepeatedColumns(names)
  if (!names.includes('external_id') && !names.includes('email')) {
    throw new Problem('validation_failed', 'A column external_id or email is required.')
  }
  return { columns: known, ignored: known.filter(({ kind }) => kind === 'told').map(nameOf) }
}

// ---------------------------------------------------------------- reading a row

/** An identification before it is checked, and what it has no field for. */
export interface CsvRow {
  readonly identification: {
    readonly external_id?: string
    readonly email?: string
    readonly traits: Readonly<Record<string, string | readonly MetaEntry[]>>
  }
  readonly state: string | undefined
  /** It has the id of a contact: the row comes from an export. */
  readonly isExported: boolean
}

function parsed(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return undefined
  }
}

/**
 * A list of entries with a wrong value in them: the schema says what is wrong there. What is deeper would
 * take whoever walks through it out of stack.
 */
const MOST_LEVELS = 3

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

/**
 * Entries of a JSON object, or the list of entries that the API shows. Undefined when it is neither, or
 * nested deeply.
 */
function metaEntries(cell: string): MetaEntry[] | undefined {
  const value = parsed(cell)
  if (isDeeper(value, MOST_LEVELS)) return undefined
  if (Array.isArray(value)) return value as MetaEntry[]
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).map(([key, value]) => ({ key, value: value as MetaValue }))
}

/** Cells that say something, by column name. */
function filledCells(header: Header, cells: readonly string[]): Map<string, string> {
  const filled = new Map<string, string>()
  for (const [index, column] of header.columns.entries()) {
    const cell = bareCell(cells[index] ?? '')
    if (cell.trim() !== '') filled.set(nameOf(column), cell)
  }
  return filled
}

/** Of the column `meta` and of those for one key, which count more. */
function readMeta(filled: ReadonlyMap<string, string>): MetaEntry[] | undefined {
  const cell = filled.get('meta')
  const entries = cell === undefined ? [] : metaEntries(cell)
  const single = [...filled].filter(([name]) => name.startsWith(META_PREFIX))
  return entries && [...entries, ...single.map(([name, value]) => ({ key: name.slice(META_PREFIX.length), value }))]
}

/**
 * Only what has no schema is checked here: the number of cells, and that meta is JSON. Blank cells are left
 * out.
 */
export function readRow(header: Header, cells: readonly string[]): CsvRow | CellFault {
  const fault = cellCountFault(header.columns.length, cells.length)
  if (fault) return fault
  const filled = filledCells(header, cells)
  const meta = readMeta(filled)
  if (!meta) return { field: 'meta', reason: 'must be a JSON object of plain values, as {"plan": "pro"}' }
  const take = (names: readonly (TextField | 'lifecycle_stage')[]) =>
    Object.fromEntries(names.flatMap((name) => (filled.has(name) ? [[name, filled.get(name) ?? '']] : [])))
  return {
    identification: {
      ...take(['external_id', 'email']),
      traits: { ...take([...traitFields, 'lifecycle_stage']), ...(meta.length > 0 && { meta }) },
    },
    state: filled.get('state'),
    isExported: filled.has('id'),
  }
}
