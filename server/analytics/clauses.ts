// Filters of a question: what may be asked of which id, and the check that turns what came over the wire into
// typed clauses. Past this file a clause is known to make sense; clause-sql.ts only writes it down.
import { invalid } from '../kernel/problem.ts'
import type { Conversion } from '../conversions/conversions.ts'
import { numberIn } from '../sessions/sessions.ts'
import { type ClauseId, clauseIds, dimensions, dimensionWords, targetOf } from './dimensions.ts'

const words = {
  equals: 'is',
  not_equals: 'is not',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  is_set: 'is set',
  is_not_set: 'is not set',
} as const

export type Operator = keyof typeof words

const forEvery: readonly Operator[] = ['equals', 'not_equals', 'is_set', 'is_not_set']
export const textOperators: readonly Operator[] = [...forEvery, 'contains', 'not_contains', 'starts_with', 'ends_with']
export const numberOperators: readonly Operator[] = [...forEvery, 'gt', 'gte', 'lt', 'lte']
/** Of ids whose values are no texts that were collected. */
export const namedOperators: readonly Operator[] = ['equals', 'not_equals']

/** What a conversion counts, and what it is called. */
export type Goal = Pick<Conversion, 'id' | 'name' | 'event_type' | 'event_value'>
/** Those that the clauses of a question name, by id. */
export type Goals = ReadonlyMap<string, Goal>
const noGoals: Goals = new Map()

export interface Clause {
  readonly id: ClauseId
  readonly operator: Operator
  /** Empty for `is_set` and `is_not_set` alone. Texts of finite numbers when the id is numeric. */
  readonly values: readonly string[]
  /** The conversions that the values name. */
  readonly goals?: readonly Goal[]
}

export interface ClauseInput {
  readonly id: string
  readonly op: string
  readonly value?: unknown
}

/** More filters than a person sets. */
export const MAX_CLAUSES = 50
export const MAX_VALUES = 100
/** The longest collected text, a URL. */
export const MAX_VALUE_LENGTH = 2048
/**
 * Of all values of a question together, in UTF-8. Each is compared with every session or page view; ten times
 * as much takes the store seconds to read before it looks at anything.
 */
export const MAX_VALUE_BYTES = 16 * 1024
/** Of clauses that look at every view, event or form sent in the window. */
export const MAX_FACT_CLAUSES = 10

/**
 * @param goals those that the clauses may name.
 * @throws Problem('validation_failed') naming the clause, and in it the part, that cannot be used.
 */
export function parseClauses(asks: readonly ClauseInput[], goals: Goals = noGoals): Clause[] {
  if (asks.length > MAX_CLAUSES) throw invalid('clauses', `clauses may have at most ${MAX_CLAUSES} items.`)
  const clauses = asks.map((ask, index) => parseClause(ask, `clauses.${index}`, goals))
  checkSize(clauses, MAX_VALUE_BYTES)
  if (clauses.filter(looksAtFacts).length > MAX_FACT_CLAUSES)
    throw invalid(
      'clauses',
      `clauses may have at most ${MAX_FACT_CLAUSES} items about pages, events, forms and conversions.`,
    )
  return clauses
}

/** @throws Problem('validation_failed') when the values take more bytes together. */
export function checkSize(clauses: readonly Clause[], mostBytes: number): void {
  const bytes = clauses.flatMap(({ values }) => values).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes > mostBytes)
    throw invalid('clauses', `The values of all clauses may have at most ${mostBytes} bytes together.`)
}

function looksAtFacts({ id }: Clause): boolean {
  const { on } = targetOf(id)
  return on === 'view' || on === 'event' || on === 'forms' || on === 'conversion'
}

function parseClause(ask: ClauseInput, field: string, goals: Goals): Clause {
  const id = parseId(ask.id, `${field}.id`)
  const operator = parseOperator(ask.op, id, `${field}.op`)
  if (operator === 'is_set' || operator === 'is_not_set') return { id, operator, values: [] }
  const values = parseValues(ask.value, `${field}.value`)
  if (isNumeric(id)) checkNumbers(values, `${field}.value`)
  if (id === 'conversion') return { id, operator, values, goals: namedGoals(values, goals, `${field}.value`) }
  return { id, operator, values }
}

function namedGoals(values: readonly string[], goals: Goals, field: string): Goal[] {
  return values.map((value) => {
    const goal = goals.get(value)
    if (!goal) throw invalid(field, `${field} ${shown(value)} is no conversion of this property.`)
    return goal
  })
}

function isNumeric(id: ClauseId): boolean {
  const target = targetOf(id)
  return target.on === 'event' && target.kind === 'number'
}

function parseId(id: string, field: string): ClauseId {
  if (!Object.hasOwn(dimensions, id)) {
    throw invalid(field, `${field} ${shown(id)} is not known: it must be one of ${clauseIds.join(', ')}.`)
  }
  return id as ClauseId
}

function operatorsOf(id: ClauseId): readonly Operator[] {
  if (isNumeric(id)) return numberOperators
  return id === 'conversion' ? namedOperators : textOperators
}

function parseOperator(op: string, id: ClauseId, field: string): Operator {
  const operators = operatorsOf(id)
  const found = operators.find((operator) => operator === op)
  if (!found)
    throw invalid(field, `${field} ${shown(op)} cannot be used with ${id}: it must be one of ${operators.join(', ')}.`)
  return found
}

function parseValues(value: unknown, field: string): string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0 || values.length > MAX_VALUES)
    throw invalid(field, `${field} must hold 1 to ${MAX_VALUES} values.`)
  return values.map((item) => parseScalar(item, field))
}

function parseScalar(value: unknown, field: string): string {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value)
  if (typeof value !== 'string')
    throw invalid(field, `${field} must be a text, a number or true or false, or a list of them.`)
  if (value.length > MAX_VALUE_LENGTH) throw invalid(field, `${field} may have at most ${MAX_VALUE_LENGTH} characters.`)
  // Collected text never holds these, so nothing is lost; a database may stumble over them.
  if (value.includes('\0') || !value.isWellFormed())
    throw invalid(field, `${field} must be well-formed text without NUL characters.`)
  return value
}

function checkNumbers(values: readonly string[], field: string): void {
  if (values.some((value) => numberIn(value) === null)) {
    throw invalid(field, `${field} must be a number.`)
  }
}

/** As much of a caller's word as fits into a sentence. */
function shown(text: string): string {
  return `"${text.slice(0, 60).toWellFormed()}"`
}

/** For `meta.filters`: the clause as it was understood. */
export function describeClause(clause: Clause): {
  id: string
  op: string
  value: string | string[] | null
  label: string
} {
  const { id, operator, values, goals } = clause
  const names = goals?.map(({ name }) => name) ?? values
  const sentence = [dimensionWords[id].label, words[operator], names.join(' or ')]
    .filter((part) => part !== '')
    .join(' ')
  const value = values.length > 1 ? [...values] : (values[0] ?? null)
  return { id, op: operator, value, label: sentence }
}
