// Pages of the owner's own: on a domain of the property or of the form, or on a subdomain of one. Visitors
// are sent to no other, whatever a page or a form asks for: a form must not be an open redirect.
import { invalid } from '../kernel/problem.ts'
import { readHost } from '../kernel/hosts.ts'
import { readMaybeText } from '../kernel/draft-read.ts'
import { MAX_REDIRECT_URL } from './form-model.ts'

/** Undefined for a text without a host: `null`, a file, no URL. */
export const hostOf = (written: string): string | undefined =>
  URL.canParse(written) ? readHost(new URL(written).hostname) : undefined

/** `localhost` matches only itself; so does an IP address, since no URL has a subdomain of one. */
export const isWithin = (host: string, domain: string): boolean =>
  host === domain || (domain !== 'localhost' && host.endsWith(`.${domain}`))

/**
 * The URL as browsers understand it, when it is a page on one of the domains; undefined for any other text.
 * @param domains in the spelling of kernel/hosts.ts.
 */
export function ownPage(written: string, domains: readonly string[]): string | undefined {
  if (written.length > MAX_REDIRECT_URL || !URL.canParse(written)) return undefined
  const url = new URL(written)
  if (!/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  const host = hostOf(written)
  return host !== undefined && domains.some((domain) => isWithin(host, domain)) ? url.href : undefined
}

/**
 * Its shape alone; the domains are checked with the property at hand. @throws Problem('validation_failed')
 */
export function readRedirectUrl(value: unknown): string | null {
  const text = readMaybeText('redirect_url', value, MAX_REDIRECT_URL)?.trim() || null
  if (text === null) return null
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw invalid('redirect_url', 'redirect_url must be a full URL that begins with http:// or https://.')
  return url.href
}

/** @throws Problem('validation_failed') for a page of somebody else. */
export function assertOwnPage(redirectUrl: string | null, domains: readonly string[]): void {
  if (redirectUrl !== null && ownPage(redirectUrl, domains) === undefined)
    throw invalid('redirect_url', 'redirect_url must be on a domain of the property or of the form.')
}
