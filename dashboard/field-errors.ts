// Prepares errors of the service for a form: each under the page's name of its field, without the field's
// key.
import { ApiError, type FieldErrors } from './api.ts'
import { withoutPath } from './field-sentences.ts'

const withErrors = ({ status, code, message, retryAfterSeconds }: ApiError, errors: FieldErrors): ApiError =>
  new ApiError(status, code, message, { errors, retryAfterSeconds })

/** @param rename of a path, where the page has one field for several of the service's. */
export function spoken(error: unknown, rename: (path: string) => string = (path) => path): unknown {
  if (!(error instanceof ApiError)) return error
  const errors: Record<string, readonly string[]> = {}
  for (const [path, sentences] of Object.entries(error.errors)) {
    const known = errors[rename(path)] ?? []
    errors[rename(path)] = [...known, ...sentences.map((sentence) => withoutPath(path, sentence))]
  }
  return withErrors(error, errors)
}

/**
 * Of a list that is typed line by line, what is wrong with each: `domains.2 must be a host.` → `: “a b” must
 * be a host.`
 * @param lists as they were sent.
 */
export function spokenByLine(error: unknown, lists: Readonly<Record<string, readonly string[]>>): unknown {
  if (!(error instanceof ApiError)) return error
  const errors: Record<string, readonly string[]> = {}
  for (const [path, sentences] of Object.entries(error.errors)) {
    const [field = '', index] = path.split('.')
    const line = index === undefined ? undefined : lists[field]?.[Number(index)]
    const words = sentences.map((sentence) => {
      const rest = withoutPath(path, sentence)
      return line === undefined ? rest : `: “${line}” ${rest}`
    })
    errors[field] = [...(errors[field] ?? []), ...words]
  }
  return withErrors(error, errors)
}

/** For `catch`: what a form is to show of an error. */
export function rethrowSpoken(error: unknown): never {
  throw spoken(error)
}
