// Contacts from a CSV file: every row is checked before one is written, and all are written in one
// transaction or none is.
import { Readable } from 'node:stream'
import type { CellFault } from '../csv/cells.ts'
import { cellFaults, type CheckedRows, openTally, type Tally } from '../csv/check.ts'
import { type Line, readLines, takeHeader } from '../csv/file.ts'
import type { Deps } from '../kernel/deps.ts'
import { openSlices } from '../queues/slices.ts'
import { Problem } from '../kernel/problem.ts'
import { openValidatorCompiler, validationProblem } from '../http/validation.ts'
import { scrubDeleted, type Tx } from '../stores/records.ts'
import { MAX_PART_ROWS } from '../contacts/contact-model.ts'
import { type CsvRow, type Header, readHeader, readRow } from './csv.ts'
import {
  checkIdentification,
  type IdentificationDraft,
  newContactId,
  upsertContact,
  type Upserted,
} from '../identify/identify.ts'
import { openSpool, type Spool } from './import-spool.ts'
import { setState } from './records.ts'
import { IdentifyBody } from '../contacts/schema.ts'

export interface ImportLimits {
  readonly rows: number
  readonly bytes: number
}

/**
 * One transaction that others wait for: a million rows take minutes, and are about as many bytes. More can
 * come in parts.
 */
const LIMITS: ImportLimits = { rows: 1_000_000, bytes: 200 * 1024 * 1024 }
/**
 * Rows that go to the spool together: each portion is one piece of JSON, read and written in a millisecond or
 * two.
 */
const ROWS_AT_ONCE = 200

const states = ['active', 'unsubscribed'] as const

type GivenState = (typeof states)[number]

/** A row that may be written. */
export interface ImportRow {
  readonly line: number
  readonly draft: IdentificationDraft
  /** Null: what stands stays. */
  readonly state: GivenState | null
}

export interface Checked extends CheckedRows {
  /** Rows of an export that name nobody: there is nothing to find their contact by. */
  readonly nameless_rows: number
  readonly ignored_columns: readonly string[]
}

// ---------------------------------------------------------------- checking

const isValid = openValidatorCompiler()({ schema: IdentifyBody, method: 'POST', url: '', httpPart: 'body' })

/** `traits.meta.0.key` is about the column `meta`. */
const columnOf = (field: string): string => field.replace(/^traits\./u, '').replace(/^meta\..*/su, 'meta')

const faultsOf = (problem: Problem): CellFault[] =>
  cellFaults(problem).map(({ field, reason }) => ({
    field: columnOf(field),
    reason: reason.replaceAll('traits.', ''),
  }))

/** As the token's identify does. @throws Problem('validation_failed') */
function checkedDraft(identification: CsvRow['identification']): IdentificationDraft {
  if (isValid(identification) !== true) throw validationProblem(isValid.errors ?? [], 'row')
  return checkIdentification(identification, 'token')
}

function checkState(text: string | undefined): GivenState | null | undefined {
  return text === undefined ? null : states.find((state) => state === text.trim().toLowerCase())
}

function checkRow(line: number, row: CsvRow): ImportRow | CellFault[] {
  const state = checkState(row.state)
  const stateFaults = state === undefined ? [{ field: 'state', reason: `must be one of: ${states.join(', ')}` }] : []
  try {
    const draft = checkedDraft(row.identification)
    return state === undefined ? stateFaults : { line, draft, state }
  } catch (error) {
    if (!(error instanceof Problem && error.errors)) throw error
    return [...faultsOf(error), ...stateFaults]
  }
}

type Outcome = ImportRow | CellFault[] | 'nameless'

function readImportRow(header: Header, { line, cells }: Line): Outcome {
  const row = readRow(header, cells)
  if ('field' in row) return [row]
  const { external_id, email } = row.identification
  if (row.isExported && external_id === undefined && email === undefined) return 'nameless'
  return checkRow(line, row)
}

/** Rows in handy portions, so that each is one write. */
async function* inPortions<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let portion: Row[] = []
  for await (const row of rows) {
    portion.push(row)
    if (portion.length < ROWS_AT_ONCE) continue
    yield portion
    portion = []
  }
  yield portion
}

interface Reading {
  readonly header: Header
  readonly tally: Tally
  namelessRows: number
}

/** @yields the good rows; what is not good is noted in `reading`. */
async function* goodRows(reading: Reading, lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  const { header, tally } = reading
  const giveWay = openSlices()
  for await (const line of lines) {
    await giveWay()
    tally.addRow()
    const outcome = readImportRow(header, line)
    if (outcome === 'nameless') reading.namelessRows++
    else if (Array.isArray(outcome)) tally.addFaults(line.line, outcome)
    else yield outcome
  }
}

/**
 * Reads the whole source once; the good rows are in `spool` afterwards.
 * @throws Problem('validation_failed') when it is no table of contacts at all, or too large.
 */
export async function checkContacts(
  source: AsyncIterable<Buffer>,
  spool: Spool<ImportRow>,
  limits: ImportLimits = LIMITS,
): Promise<Checked> {
  const lines = readLines(source, limits.bytes)
  const header = readHeader(await takeHeader(lines))
  const reading: Reading = { header, tally: openTally(limits.rows), namelessRows: 0 }
  for await (const rows of inPortions(goodRows(reading, lines))) await spool.add(rows)
  return { ...reading.tally.counts, nameless_rows: reading.namelessRows, ignored_columns: header.ignored }
}

// ---------------------------------------------------------------- writing

/** Somebody else's call for the same contact came in between; each round settles at least one of these. */
const MAX_TRIES = 5

type ImportDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'>

async function upsertPatiently(deps: ImportDeps, tx: Tx, propertyId: string, row: ImportRow): Promise<Upserted> {
  const origin = { by: 'token', nowMs: deps.now(), id: newContactId(deps) } as const
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const upserted = await upsertContact(tx, propertyId, row.draft, origin)
    if (upserted) return upserted
  }
  throw new Problem('unavailable', `Too many changes at once to the contact of line ${row.line}; nothing was written.`)
}

/** @returns whether the contact is new. @throws Problem that names the line. */
async function writeRow(deps: ImportDeps, tx: Tx, propertyId: string, row: ImportRow): Promise<boolean> {
  try {
    const { contact, before } = await upsertPatiently(deps, tx, propertyId, row)
    if (row.state) await setState(tx, propertyId, contact, row.state)
    return before === undefined
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'validation_failed')) throw error
    const reasons = faultsOf(error).map(({ field, reason }) => `${field}: ${reason}`)
    throw new Problem('validation_failed', `Line ${row.line}: ${reasons.join('; ')}. Nothing was written.`)
  }
}

export interface Written {
  readonly created: number
  /** Rows about a contact that was there, also when an earlier row made it. */
  readonly updated: number
}

/** What is to be written, and how. */
export interface Writing {
  /** The good rows of checkContacts. */
  readonly spool: Spool<ImportRow>
  /** Everything is done and then taken back: what it would be is known exactly. */
  readonly isTrial: boolean
  /** Told now and then how many rows are written so far. */
  readonly onRows?: (rows: number) => void
}

class TakenBack extends Error {}

async function writeAll(deps: ImportDeps, tx: Tx, propertyId: string, { spool, onRows }: Writing): Promise<Written> {
  let created = 0
  let written = 0
  for await (const rows of spool.batches()) {
    for (const row of rows) {
      if (await writeRow(deps, tx, propertyId, row)) created++
      written++
    }
    onRows?.(written)
  }
  return { created, updated: written - created }
}

/**
 * All rows or none.
 * @throws Problem: validation_failed when a contact would have too many meta entries; unavailable.
 */
export async function writeContacts(deps: ImportDeps, propertyId: string, writing: Writing): Promise<Written> {
  let totals: Written = { created: 0, updated: 0 }
  const work = deps.records.transaction().execute(async (tx) => {
    totals = await writeAll(deps, tx, propertyId, writing)
    if (writing.isTrial) throw new TakenBack()
  })
  await work.catch(async (error: unknown) => {
    // What was taken back may still stand in the write-ahead log.
    await scrubDeleted(deps.records)
    if (!(error instanceof TakenBack)) throw error
  })
  return totals
}

/** The body is bounded by its group. */
const PART_LIMITS: ImportLimits = { rows: MAX_PART_ROWS, bytes: 1024 * 1024 }

/**
 * One part of a file, as the dashboard sends it, so that none holds up the others for long.
 * @throws Problem('validation_failed') when it is no table of contacts at all.
 */
export async function importPart(deps: ImportDeps, propertyId: string, csv: string, isTrial: boolean) {
  const spool = await openSpool<ImportRow>()
  try {
    const checked = await checkContacts(Readable.from([Buffer.from(csv)]), spool, PART_LIMITS)
    if (checked.bad_rows > 0) return { ...checked, created: 0, updated: 0, is_written: false }
    const written = await writeContacts(deps, propertyId, { spool, isTrial })
    return { ...checked, ...written, is_written: !isTrial }
  } finally {
    await spool.close()
  }
}
