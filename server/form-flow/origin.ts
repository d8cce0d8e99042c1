// Where a form is embedded, by the browser's Origin and Referer. A page cannot forge them; a program can send
// or omit anything.
import type { IncomingHttpHeaders } from 'node:http'
import { headerOf } from '../http/client.ts'
import { readHost } from '../kernel/hosts.ts'

/** Undefined for a text without a host: `null`, a file, no URL. */
const hostOf = (written: string): string | undefined =>
  URL.canParse(written) ? readHost(new URL(written).hostname) : undefined

/** `localhost` matches only itself; so does an IP address, since no URL has a subdomain of one. */
const isWithin = (host: string, domain: string): boolean =>
  host === domain || (domain !== 'localhost' && host.endsWith(`.${domain}`))

const originsOf = (headers: IncomingHttpHeaders): string[] =>
  ['origin', 'referer'].flatMap((name) => headerOf(headers, name) ?? [])

/** Whether the request names the page at all. */
export const namesOrigin = (headers: IncomingHttpHeaders): boolean => originsOf(headers).length > 0

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
