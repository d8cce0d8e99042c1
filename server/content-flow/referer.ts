// Where the page stands that asks for content, as the browser says it in Referer: on the property's base domain, or nowhere.
// A page cannot lie there; a program can, and learns no more than a visitor of the page does.
import { getDomain } from 'tldts'
import { readHost } from '../kernel/hosts.ts'

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** In the spelling of kernel/hosts.ts; undefined for what names no page of the web. */
function hostOf(referer: string): string | undefined {
  const url = URL.parse(referer)
  return url && isWeb(url) ? readHost(url.hostname) : undefined
}

/**
 * The part of a host that somebody registered: `www.example.co.uk` → `example.co.uk`. By the public suffix list with its private part, so
 * that two customers of one host of sites (`github.io`) are strangers. Null for an address, `localhost` and a suffix itself.
 */
const baseOf = (host: string): string | null => getDomain(host, { allowPrivateDomains: true })

/**
 * Whether the referrer is on the base domain of one of `domains`, its subdomains among it. What has no base domain stands for itself alone.
 * @param domains in the spelling of kernel/hosts.ts.
 */
export function isOnBaseDomain(referer: string | undefined, domains: readonly string[]): boolean {
  const host = hostOf(referer ?? '')
  if (host === undefined) return false
  const base = baseOf(host)
  return domains.some((domain) => domain === host || (base !== null && baseOf(domain) === base))
}
