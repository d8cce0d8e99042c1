// Whether a code can be chosen, told while it is typed, with others that can.
import type { Records } from '../stores/records.ts'
import { codeKey, keyOf, shadowedAmong, takenCodes } from './code-records.ts'
import { ownHostsOf } from './domain-records.ts'
import { type CodeFault, MAX_SLUG, slugFault, slugOf } from './codes.ts'
import type { Domain } from './link-model.ts'

const MOST_SUGGESTIONS = 3
/** `spring`, `spring-2`, `spring-3` … */
const NUMBERED = 5

export interface CodeQuery {
  readonly domain: Domain
  /** '' while nothing is typed. */
  readonly code: string
  /** What suggestions are made of, the first that says something. */
  readonly words: readonly string[]
}

export interface Availability {
  readonly is_free: boolean
  readonly reason: CodeFault | null
  readonly suggestions: readonly string[]
}

/** Of an address the last part of its path that says something, else the name of its site. */
export function wordsOfAddress(address: string): string {
  const url = URL.parse(/^https?:\/\//i.test(address) ? address : `https://${address}`)
  if (!url) return ''
  const parts = url.pathname.split('/').map((part) => slugOf(readable(part).replace(/\.\w{2,5}$/, '')))
  const last = parts.findLast((part) => part.length > 2 && !/^\d+$/.test(part))
  return last ?? slugOf(url.hostname.replace(/^www\./, '').replace(/\.[^.]+$/, ''))
}

function readable(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function candidatesOf({ code, words }: CodeQuery): string[] {
  const base = [code, ...words].map(slugOf).find((slug) => slug !== '')
  if (base === undefined) return []
  const numbered = Array.from({ length: NUMBERED }, (_, index) => `${base}-${index + 2}`)
  return [base, ...numbered].filter((slug) => slug !== code && slug.length <= MAX_SLUG && slugFault(slug) === undefined)
}

export async function readAvailability(records: Records, propertyId: string, query: CodeQuery): Promise<Availability> {
  const { domain, code } = query
  const host = (await ownHostsOf(records, propertyId)).get(domain) ?? null
  const linkAt = (text: string) => ({ domain, host, code: text })
  const candidates = candidatesOf(query)
  const asked = [code, ...candidates].filter(Boolean).map(linkAt)
  const taken = await takenCodes(records, asked.map(keyOf))
  for (const key of await shadowedAmong(records, propertyId, asked)) taken.add(key)
  const isTaken = (text: string): boolean => taken.has(codeKey(keyOf(linkAt(text))))
  const reason = code === '' ? null : (slugFault(code) ?? (isTaken(code) ? 'taken' : null))
  const suggestions = candidates.filter((slug) => !isTaken(slug)).slice(0, MOST_SUGGESTIONS)
  return { is_free: code !== '' && reason === null, reason, suggestions }
}
