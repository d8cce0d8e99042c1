// Where a form is embedded, by the browser's Origin and Referer. A page cannot forge them; a program can send
// or omit anything.
import type { IncomingHttpHeaders } from 'node:http'
import { headerOf } from '../http/client.ts'
import { hostOf, isWithin } from '../forms/own-pages.ts'

const originsOf = (headers: IncomingHttpHeaders): string[] =>
  ['origin', 'referer'].flatMap((name) => headerOf(headers, name) ?? [])

/** A browser writes `null` for a page that wants to stay unnamed, by its referrer policy or in a sandbox. */
const namedBy = (headers: IncomingHttpHeaders): string[] => originsOf(headers).filter((written) => written !== 'null')

/** Whether the request names the page at all. */
export const namesOrigin = (headers: IncomingHttpHeaders): boolean => namedBy(headers).length > 0

/**
 * Whether each of Origin and Referer, where present, is of one of the domains or of a subdomain. With neither
 * it is true: a request that no browser made says nothing about a page.
 * @param domains in the spelling of kernel/hosts.ts.
 */
export function isRegistered(headers: IncomingHttpHeaders, domains: readonly string[]): boolean {
  return originsOf(headers).every((written) => {
    const host = hostOf(written)
    return host !== undefined && domains.some((domain) => isWithin(host, domain))
  })
}

/**
 * For a plain HTML form: the same, and from our own page, on which a form comes back with its messages. A
 * page
 * that stays unnamed says nothing, as a program does.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, domains: readonly string[], baseUrl: string): boolean {
  const own = new Set([hostOf(baseUrl), hostOf(`http://${headers.host ?? ''}`)])
  return namedBy(headers).every((written) => {
    const host = hostOf(written)
    return host !== undefined && (own.has(host) || domains.some((domain) => isWithin(host, domain)))
  })
}
