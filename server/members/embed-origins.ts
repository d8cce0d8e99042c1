// The websites in which a share link may be embedded.
import { type FieldErrors, Problem } from '../kernel/problem.ts'

export const MAX_ORIGINS = 20
/** The longest host name with scheme and port. */
export const MAX_ORIGIN = 300

/** What browsers compare; undefined for what is no website, or more than one. */
function originOf(text: string): string | undefined {
  const typed = text.trim()
  const url = URL.parse(/^\w+:\/\//.test(typed) ? typed : `https://${typed}`)
  // Quotes, semicolons and blanks have a meaning in the policy that names it.
  if (!url || !/^https?:\/\/[\w.\-:[\]]+$/.test(url.origin)) return undefined
  return url.username === '' && url.password === '' ? url.origin : undefined
}

/** Each once, without paths. @throws Problem('validation_failed') naming every text that is none. */
export function readOrigins(texts: readonly string[]): string[] {
  const errors: FieldErrors = {}
  const origins = texts.flatMap((text, index) => {
    const origin = originOf(text)
    if (origin === undefined)
      errors[`origins.${index}`] = [`origins.${index} must be a website like https://example.com.`]
    return origin ?? []
  })
  const first = Object.values(errors)[0]?.[0]
  if (first !== undefined) throw new Problem('validation_failed', first, { errors })
  return [...new Set(origins)]
}
