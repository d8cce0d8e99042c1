// Every answer of a test is held against the schema that its endpoint declares: what the documentation says
// of an answer is then true.
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Serializing } from '../../server/app.ts'

// The package is CommonJS: its default export is the module in types and the function at run time, or the
// other way round.
const addFormats = (typeof formats === 'function' ? formats : (formats as { default: unknown }).default) as (
  ajv: Ajv,
) => void

export function openAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, allErrors: true, ...options })
  addFormats(ajv)
  return ajv
}

const ajv = openAjv()

/** By route and status: every service of the process has the same. */
const checks = new Map<string, ValidateFunction>()

function checkOf(route: string, schema: object): ValidateFunction {
  const known = checks.get(route) ?? ajv.compile(schema)
  checks.set(route, known)
  return known
}

/** A serializer that throws, so that the call answers 500, for an answer that is not as its schema says. */
export const checkAnswers: Serializing =
  ({ schema, method, url, httpStatus }) =>
  (answer: unknown) => {
    const check = checkOf(`${method} ${url} ${httpStatus}`, schema as object)
    // As the caller reads it: what JSON leaves out is not there.
    const text = JSON.stringify(answer)
    if (!check(JSON.parse(text)))
      throw new Error(`${method} ${url} answers what its schema does not allow: ${ajv.errorsText(check.errors)}`)
    return text
  }
