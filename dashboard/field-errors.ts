// What the service says about a field begins with the field's path; under the field itself only the rest is needed.
import { ApiError } from './api.ts'

/** `fields.2.name must be short.` at `fields.2.name` → `Must be short.` */
export function withoutPath(path: string, sentence: string): string {
  const names = [path, path.split('.').at(-1) ?? path]
  const name = names.find((one) => sentence.startsWith(`${one}: `) || sentence.startsWith(`${one} `))
  const rest = (name === undefined ? sentence : sentence.slice(name.length)).replace(/^:?\s+/, '')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** @param rename of a path, where the page has one field for several of the service's. */
export function spoken(error: unknown, rename: (path: string) => string = (path) => path): unknown {
  if (!(error instanceof ApiError)) return error
  const errors: Record<string, readonly string[]> = {}
  for (const [path, sentences] of Object.entries(error.errors)) {
    const known = errors[rename(path)] ?? []
    errors[rename(path)] = [...known, ...sentences.map((sentence) => withoutPath(path, sentence))]
  }
  return new ApiError(error.status, error.code, error.message, { errors, retryAfterSeconds: error.retryAfterSeconds })
}

/**
 * Of a list that is typed line by line, what is wrong with each: `domains.2 must be a host.` → `“a b”: must be a host.`
 * @param lists as they were sent.
 */
export function spokenByLine(error: unknown, lists: Readonly<Record<string, readonly string[]>>): unknown {
  if (!(error instanceof ApiError)) return error
  const errors: Record<string, readonly string[]> = {}
  for (const [path, sentences] of Object.entries(error.errors)) {
    const [field = '', index] = path.split('.')
    const line = index === undefined ? undefined : lists[field]?.[Number(index)]
    const words = sentences.map((sentence) =>
      line === undefined ? withoutPath(path, sentence) : sentence.replace(path, `“${line}”`),
    )
    errors[field] = [...(errors[field] ?? []), ...words]
  }
  return new ApiError(error.status, error.code, error.message, { errors, retryAfterSeconds: error.retryAfterSeconds })
}
