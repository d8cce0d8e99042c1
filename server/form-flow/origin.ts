// Where a form stands, as the browser says it in Origin and Referer. A page cannot lie there; a program can leave both out or write anything.
import type { IncomingHttpHeaders } from 'node:http'
import { headerOf } from '../http/client.ts'
import { readHost } from '../kernel/hosts.ts'

/** Undefined for what names no host: `null`, a file, a text that is no URL. */
const hostOf = (written: string): string | undefined =>
  URL.canParse(written) ? readHost(new URL(written).hostname) : undefined

/** `localhost` stands for itself alone; so does an address, since no URL has a name before one. */
const isWithin = (host: string, domain: string): boolean =>
  host === domain || (domain !== 'localhost' && host.endsWith(`.${domain}`))

const originsOf = (headers: IncomingHttpHeaders): string[] =>
  ['origin', 'referer'].flatMap((name) => headerOf(headers, name) ?? [])

/** Whether a page named where it stands. */
export const namesOrigin = (headers: IncomingHttpHeaders): boolean => originsOf(headers).length > 0

/**
 * Whether each of Origin and Referer that is there is of one of the domains or of a subdomain of one. With neither it is: what no browser
 * sends says nothing about where a page stands.
 * @param domains in the spelling of kernel/hosts.ts.
 */
export function isRegistered(headers: IncomingHttpHeaders, domains: readonly string[]): boolean {
  return originsOf(headers).every((written) => {
    const host = hostOf(written)
    return host !== undefined && domains.some((domain) => isWithin(host, domain))
  })
}
