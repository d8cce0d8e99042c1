// Submissions as rows of a table: a column for each field, between what is told of every submission and what
// found no column.
import { safeCell, toCsv } from '../csv/cells.ts'
import type { Answer, AnswerValue } from '../forms/form-model.ts'
import type { Submission } from './list-records.ts'

/** Told of every submission, before its answers. */
export const toldColumns = [
  'id',
  'submitted_at',
  'verdict',
  'mark',
  'score',
  'reasons',
  'ip',
  'country',
  'city',
  'source',
] as const

/** Behind the answers: a JSON object of those whose field has no column of its own; empty in most tables. */
export const REST_COLUMN = 'more_fields'

const fixed: readonly string[] = [...toldColumns, REST_COLUMN]

/** Several values in one cell. */
export const joined = (value: AnswerValue): string => (typeof value === 'string' ? value : value.join(', '))

/** A field that is called like another column is told apart from it. */
function headOf(name: string, taken: ReadonlySet<string>): string {
  let head = name
  while (taken.has(head)) head = `field.${head}`
  return head
}

/** @param names of the fields with a column, each once. */
export function csvHeader(names: readonly string[]): string {
  const taken = new Set(fixed)
  const heads = names.map((name) => {
    const head = headOf(name, taken)
    taken.add(head)
    return head
  })
  return toCsv([[...toldColumns, ...heads, REST_COLUMN].map(safeCell)])
}

function restOf(answers: readonly Answer[], columns: ReadonlySet<string>): string {
  const rest = answers.filter(({ name }) => !columns.has(name))
  return rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest.map(({ name, value }) => [name, value])))
}

function cellsOf(submission: Submission, names: readonly string[], columns: ReadonlySet<string>): string[] {
  const { id, submitted_ms, verdict, mark, score, reasons, ip, country, city, source, fields } = submission
  const values = new Map(fields.map(({ name, value }) => [name, joined(value)]))
  const told = [
    id,
    new Date(submitted_ms).toISOString(),
    verdict,
    mark ?? '',
    String(score),
    reasons.map(({ reason }) => reason).join(' '),
    ip,
    country,
    city,
    source,
  ]
  return [...told, ...names.map((name) => values.get(name) ?? ''), restOf(fields, columns)].map(safeCell)
}

export function csvRows(submissions: readonly Submission[], names: readonly string[]): string {
  const columns = new Set(names)
  return toCsv(submissions.map((submission) => cellsOf(submission, names, columns)))
}
