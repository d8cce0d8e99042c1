// Whether the page that requests content, by its Referer, is on the property's base domain. A page cannot
// forge the header; a program can, and learns no more than a visitor of the page.
import { getDomain } from 'tldts'
import { readHost } from '../kernel/hosts.ts'

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

/** In the spelling of kernel/hosts.ts; undefined for a text that is no URL of the web. */
function hostOf(referer: string): string | undefined {
  const url = URL.parse(referer)
  return url && isWeb(url) ? readHost(url.hostname) : undefined
}

/**
 * The registrable domain of a host: `www.example.co.uk` → `example.co.uk`. Uses the private part of the
 * public suffix list too, so that two customers of a site host (`github.io`) are separate. Null for an IP
 * address, `localhost` and a suffix itself.
 */
const baseOf = (host: string): string | null => getDomain(host, { allowPrivateDomains: true })

/**
 * Whether the referrer is on the base domain of one of `domains`, including subdomains. A host without a base
 * domain matches only itself.
 * @param domains in the spelling of kernel/hosts.ts.
 */
export function isOnBaseDomain(referer: string | undefined, domains: readonly string[]): boolean {
  const host = hostOf(referer ?? '')
  if (host === undefined) return false
  const base = baseOf(host)
  return domains.some((domain) => domain === host || (base !== null && baseOf(domain) === base))
}
