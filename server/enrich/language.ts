// The preferred language of a browser.
import { lastUsed } from '../kernel/last-used.ts'

/** Longest Accept-Language read: real ones have under a hundred characters. */
const MAX_HEADER_LENGTH = 512
/** Under a megabyte when full. */
const CACHED_HEADERS = 2000

/** A reader with its own bounded cache. */
export function openLanguages(): (acceptLanguage: string) => string {
  const cache = lastUsed<string, string>(CACHED_HEADERS)
  return (acceptLanguage) => {
    const header = acceptLanguage.slice(0, MAX_HEADER_LENGTH)
    const known = cache.get(header)
    if (known !== undefined) return known
    const language = readLanguage(header)
    cache.set(header, language)
    return language
  }
}

/**
 * Like `en-GB`, `zh-Hant-TW`, `de`; '' when there is none. The header's order breaks ties between equal
 * weights (RFC 9110, 12.5.4).
 */
function readLanguage(acceptLanguage: string): string {
  let best = ''
  let bestWeight = 0
  for (const part of acceptLanguage.split(',')) {
    const [tag = '', ...parameters] = part.split(';')
    const language = canonicalTag(tag.trim())
    const weight = weightOf(parameters)
    if (language !== '' && weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}

function weightOf(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter))
  if (q === undefined) return 1
  const weight = Number(q.slice(q.indexOf('=') + 1))
  return weight >= 0 && weight <= 1 ? weight : 0
}

/**
 * Case as BCP 47 recommends; extensions are dropped, since two browsers of one language should count as one.
 */
function canonicalTag(tag: string): string {
  const match = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_][a-z0-9]{1,8})*$/i.exec(tag)
  if (!match) return ''
  const [, language = '', script = '', region = ''] = match
  const parts = [
    language.toLowerCase(),
    script && script[0]!.toUpperCase() + script.slice(1).toLowerCase(),
    region.toUpperCase(),
  ]
  return parts.filter((part) => part !== '').join('-')
}
