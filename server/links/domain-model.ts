// A domain of a property's own for its short links: what it is, and how it is shown to its owner.
import { domainToASCII } from 'node:url'
import { isIP } from 'node:net'
import { type Config, dashboardUrl, linkUrl } from '../config.ts'
import { type Keys, mac } from '../kernel/keys.ts'
import { invalid } from '../kernel/problem.ts'
import { type Domain, domains } from './link-model.ts'

/**
 * `pending`: nothing is proven; `proven`: the name servers say whose it is, so that a TLS server may get its
 * certificate; `verified`: it also leads here, and links answer. `removed` rows tell other nodes.
 */
export type DomainState = 'pending' | 'proven' | 'verified' | 'removed'

/** Why the last check did not succeed. */
export const domainFaults = [
  'txt_missing',
  'dns_away',
  'not_reached',
  'refused_address',
  'other_service',
  'taken_over',
] as const
export type DomainFault = (typeof domainFaults)[number]

export interface OwnDomain {
  readonly host: string
  /** The short domain whose place it takes. */
  readonly domain: Domain
  readonly token: string
  readonly state: DomainState
  readonly fault: DomainFault | null
  /** Unix seconds. */
  readonly checked_ts: number | null
  readonly verified_ts: number | null
  readonly created_ts: number
}

/** A host that answers for one property. */
export interface OwnHost {
  readonly host: string
  readonly propertyId: string
  readonly domain: Domain
}

/** Hosts of a property by the short domain whose place they take. */
export type OwnHosts = ReadonlyMap<Domain, string>

export const noHosts: OwnHosts = new Map()

/** A text record at this name says whose the host is. */
export const txtName = (host: string): string => `_footfall.${host}`
export const txtValue = (token: string): string => `footfall-domain=${token}`

/** Certificates are asked for every one: short links of an own domain always begin with https. */
export const hostUrl = (host: string): string => `https://${host}`

/** Where the codes of a link's place live. */
export const placeUrl = (config: Config, { domain, host }: { readonly domain: Domain; readonly host: string | null }) =>
  host === null ? linkUrl(config, domain) : hostUrl(host)

/** A POST there is answered with the proof of the host that it names. */
export const PROOF_PATH = '/.well-known/footfall-domain'

/** Only this installation can say it, and any node of it. */
export const proofOf = ({ keys }: { readonly keys: Keys }, host: string): string =>
  mac(keys('link-domain'), host).toString('base64url')

const MAX_HOST = 253
/** What a parser would cut or turn in silence. */
const unwanted = /[^\p{L}\p{M}\p{N}.-]/u
const hostShape = /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/

/** Nothing else can be a domain of anybody, and may hold what a database does not take. */
export const isHost = (text: string): boolean => hostShape.test(text)

/** Hosts at which the service itself answers: none of them becomes somebody's. */
const serviceHosts = (config: Config): ReadonlySet<string> =>
  new Set(
    [config.baseUrl, dashboardUrl(config), ...domains.map((domain) => linkUrl(config, domain))].map(
      (url) => new URL(url).hostname,
    ),
  )

/** Of what people paste: `https://Go.Example/` → `go.example`. @throws Problem('validation_failed') */
export function readHost(config: Config, written: string): string {
  const bare = written
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\.?\/?$/, '')
  const host = bare.length > MAX_HOST || unwanted.test(bare) ? '' : domainToASCII(bare)
  if (!hostShape.test(host) || isIP(host) !== 0)
    throw invalid('host', 'host must be a domain name like go.example.com, without a path or port.')
  if (serviceHosts(config).has(host)) throw invalid('host', 'host is used by this service itself.')
  return host
}

/** Where the name has to lead: the host of the short domain whose place it takes. */
const targetOf = (config: Config, domain: Domain): string => new URL(linkUrl(config, domain)).hostname

export function shownDomain(config: Config, one: OwnDomain, countLinks: number) {
  const { host, domain, state, fault, checked_ts, verified_ts, created_ts, token } = one
  return {
    host,
    domain,
    url: hostUrl(host),
    is_verified: state === 'verified',
    fault,
    records: [
      { type: 'CNAME' as const, name: host, value: targetOf(config, domain) },
      { type: 'TXT' as const, name: txtName(host), value: txtValue(token) },
    ],
    count_links: countLinks,
    checked_ts,
    verified_ts,
    created_ts,
  }
}
