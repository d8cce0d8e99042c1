// Turns validation errors of schemas into plain sentences by field. Each route has one schema: for validation
// and for OpenAPI.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { Problem, type FieldErrors } from '../kernel/problem.ts'

/** Nothing is coerced or removed silently: wrong values are refused, and handlers ignore unknown fields. */
const options = {
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: true,
  strict: false,
  strictNumbers: true, // 1e400 is read as infinity
} as const
/**
 * For longer bodies only the first fault is reported: a megabyte of wrong items would give hundreds of
 * megabytes of errors.
 */
const ALL_ERRORS_CHARACTERS = 65_536
/** More than a form has fields; a longer answer would help nobody. */
const SHOWN_FIELDS = 50

function openAjv(allErrors: boolean): Ajv {
  const ajv = new Ajv({ ...options, allErrors })
  // The package is CommonJS: its default export is the module in types and the function at run time, or the
  // other way round.
  const addFormats = (typeof formats === 'function' ? formats : (formats as { default: unknown }).default) as (
    ajv: Ajv,
  ) => void
  addFormats(ajv)
  return ajv
}

function isSmall(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= ALL_ERRORS_CHARACTERS
}

/**
 * Compiles a schema of a route. Checks stop at the first fault; for a small body all others are collected
 * too. Compiled on first use, which costs that request a few milliseconds: compiling all would take a tenth
 * of the start.
 */
export function openValidatorCompiler(): FastifySchemaCompiler<object> {
  const quick = openAjv(false)
  const thorough = openAjv(true)
  return ({ schema }) => {
    let check: ValidateFunction | undefined
    let checkAll: ValidateFunction | undefined
    const faultsOf = (value: unknown, found: ErrorObject[]): ErrorObject[] => {
      if (!isSmall(value)) return found
      checkAll ??= thorough.compile(schema)
      return checkAll(value) ? found : (checkAll.errors ?? found)
    }
    const validate: ReturnType<FastifySchemaCompiler<object>> = (value: unknown) => {
      check ??= quick.compile(schema)
      if (check(value)) return true
      validate.errors = faultsOf(value, check.errors ?? [])
      return false
    }
    return validate
  }
}

/** The parts of an ajv error that are read here; fastify's own type is wider. */
export interface Fault {
  readonly keyword: string
  readonly instancePath: string
  readonly schemaPath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message?: string | undefined
  /** The fault is about this key, and not about its value. */
  readonly propertyName?: string | undefined
}

/** `/clauses/0/id` → `clauses.0.id`; a missing property is named like a present one. */
function fieldOf(fault: Fault, part: string): string {
  const path = fault.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (fault.keyword === 'required') path.push(String(fault.params.missingProperty))
  return path.join('.') || part
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
}

function namesOf(types: unknown): string {
  return [types]
    .flat()
    .map((type) => typeNames[String(type)] ?? String(type))
    .join(' or ')
}

const sentences: Readonly<Record<string, (params: Fault['params']) => string>> = {
  required: () => 'is required',
  type: (params) => `must be ${namesOf(params.type)}`,
  enum: (params) => `must be one of: ${[params.allowedValues].flat().join(', ')}`,
  const: (params) => `must be ${String(params.allowedValue)}`,
  maxLength: (params) => `may have at most ${String(params.limit)} characters`,
  minLength: (params) =>
    params.limit === 1 ? 'may not be empty' : `must have at least ${String(params.limit)} characters`,
  maxItems: (params) => `may have at most ${String(params.limit)} items`,
  minItems: (params) => `must have at least ${String(params.limit)} items`,
  maxProperties: (params) => `may have at most ${String(params.limit)} keys`,
  minProperties: (params) => `must have at least ${String(params.limit)} keys`,
  minimum: (params) => `must be at least ${String(params.limit)}`,
  maximum: (params) => `must be at most ${String(params.limit)}`,
  exclusiveMinimum: (params) => `must be more than ${String(params.limit)}`,
  exclusiveMaximum: (params) => `must be less than ${String(params.limit)}`,
  uniqueItems: () => 'may not name anything twice',
  format: (params) => `is not a valid ${String(params.format)}`,
  pattern: () => 'does not have the right form',
}

/** Each branch of a union reports an error; together they say what was expected. */
function unionSentence(branches: readonly Fault[]): string {
  const constants = branches.filter((branch) => branch.keyword === 'const')
  if (constants.length > 0)
    return `must be one of: ${constants.map((branch) => String(branch.params.allowedValue)).join(', ')}`
  const types = branches.filter((branch) => branch.keyword === 'type')
  if (types.length === branches.length && types.length > 0)
    return `must be ${namesOf(types.flatMap((branch) => branch.params.type))}`
  return 'does not have an accepted form'
}

function sentenceOf(fault: Fault, branches: readonly Fault[]): string {
  if (fault.keyword === 'anyOf' || fault.keyword === 'oneOf') return unionSentence(branches)
  return sentences[fault.keyword]?.(fault.params) ?? fault.message ?? 'is not valid'
}

function isBranchOf(fault: Fault, union: Fault): boolean {
  return (
    fault !== union &&
    fault.schemaPath.startsWith(`${union.schemaPath}/`) &&
    fault.instancePath.startsWith(union.instancePath)
  )
}

/**
 * @param part what was checked: `body`, `params`, `querystring` or `headers`; named where a fault is about
 * the whole of it.
 */
export function validationProblem(faults: readonly Fault[], part: string): Problem {
  const shown = faults.slice(0, SHOWN_FIELDS * 4)
  const unions = shown.filter((fault) => fault.keyword === 'anyOf' || fault.keyword === 'oneOf')
  const errors: FieldErrors = Object.create(null) as FieldErrors // a field may be called __proto__
  for (const fault of shown) {
    if (unions.some((union) => isBranchOf(fault, union))) continue
    // The fault of the key has been reported by then.
    if (fault.keyword === 'propertyNames') continue
    const field = fieldOf(fault, part)
    const says = sentenceOf(
      fault,
      shown.filter((other) => isBranchOf(other, fault)),
    )
    const sentence = `${fault.propertyName === undefined ? field : `A key of ${field}`} ${says}.`
    if (errors[field]?.includes(sentence)) continue
    if (errors[field]) errors[field].push(sentence)
    else if (Object.keys(errors).length < SHOWN_FIELDS) errors[field] = [sentence]
  }
  const first = Object.values(errors)[0]?.[0] ?? 'The request is not valid.'
  return new Problem('validation_failed', first, { errors })
}
