// The two short domains on one port: each has a host of its own, or a path on the host of BASE_URL; and the
// hosts of properties' own. On such a host nothing else is served; and no Host header can make the host of
// BASE_URL a short domain.
import type { IncomingMessage } from 'node:http'
import { type Config, linkUrl, SettingError } from '../config.ts'
import { PROOF_PATH, type OwnHost } from '../links/domain-model.ts'
import { domains, type Domain } from '../links/link-model.ts'
import type { LinkDirectory } from './directory.ts'

/**
 * The router's internal path to the handler of such hosts; a request for it on any other host finds nothing.
 */
export const HOST_ROUTE = '/short-domain'

/**
 * Where the service's own paths begin, including dashboard and browser libraries: a code there would hide one
 * or be hidden.
 */
export const ownPaths: readonly string[] = [
  '/.well-known',
  '/v2',
  '/f',
  '/manage',
  '/metrics',
  '/healthz',
  '/readyz',
  '/tls-host',
  '/openapi.json',
  '/docs',
  '/icons',
  '/lists',
  '/unsubscribe',
  '/uploads',
  '/dashboard',
  '/signals.js',
  '/form.js',
  '/extras.js',
  '/vitals.js',
  '/filling.js',
  '/managed.js',
  '/notes.js',
  '/content.js',
  '/tag.js',
  HOST_ROUTE,
]

interface Home {
  readonly domain: Domain
  /** Without a trailing slash; '' at the root. */
  readonly path: string
}

/** A request of a short domain: the code, or the text in its place. */
export interface Asked {
  readonly domain: Domain
  readonly text: string
  /** On a host of a property's own: its links alone answer there. */
  readonly own?: OwnHost
}

export interface ShortDomains {
  /** Short domains under BASE_URL's host: as routes, so that the router finds them. */
  readonly paths: readonly Home[]
  /** Whether a raw URL is under one of them: for URLs that the router cannot parse. */
  readonly isUnderPath: (url: string) => boolean
  /**
   * The rewriteUrl option of fastify; undefined when no short domain has a host of its own, so that other
   * requests have no overhead.
   */
  readonly rewriteUrl: ((request: Pick<IncomingMessage, 'headers' | 'url'>) => string) | undefined
  /** Whether the host is that of a short domain, or a property's own. */
  readonly isShortHost: (host: string | undefined) => boolean
  /** The request for a URL on such a host; undefined when it is under no short domain. */
  readonly readHost: (host: string | undefined, url: string) => Asked | undefined
}

const settingOf = { 'link-a': 'LINK_A_URL', 'link-b': 'LINK_B_URL' } as const
/** Characters that the router interprets; codes contain none of them. */
const plainPath = /^(?:\/[\w.~-]+)*$/

function pathOf(url: URL): string {
  return url.pathname.replace(/\/+$/, '')
}

function readUrl(config: Config, domain: Domain): URL {
  const text = linkUrl(config, domain)
  const url = new URL(text)
  if (/[?#@]/.test(text) || !plainPath.test(pathOf(url)))
    throw new SettingError(
      settingOf[domain],
      'must be a host with a plain path: no query, fragment, user name or escapes',
    )
  return url
}

/** Without the port: proxies drop it or add their own. */
export function plainHost(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

/**
 * BASE_URL may have a path that a proxy removes; then it is removed from the paths of short domains under it
 * too.
 */
function pathUnder(base: URL, url: URL): string {
  const basePath = pathOf(base)
  const path = pathOf(url)
  return basePath !== '' && `${path}/`.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}

/** The path of a request target, which may also be a whole URL; without its query. */
function requestPath(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

/** Decoded as the router does. A text that cannot be decoded stays as it is, and is no code. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** At the root, only a path without a further slash, like the route there. */
function isUnder(path: string, home: Home): boolean {
  return home.path === '' ? path.lastIndexOf('/') === 0 : path.startsWith(`${home.path}/`)
}

function refuseTwins(homes: ReadonlyMap<Domain, URL>): void {
  const [one, two] = [...homes.values()].map((url) => plainHost(url.host) + pathOf(url))
  if (one === two) throw new SettingError('LINK_B_URL', 'must differ from LINK_A_URL: a code would lead to two places')
}

function refuseOwnPath({ domain, path }: Home): void {
  const own = ownPaths.find((taken) => `${path}/`.startsWith(`${taken}/`))
  if (own === undefined) return
  const reason = `must not lie at ${own}, which is an address of the service itself: take another path, or a host of its own`
  throw new SettingError(settingOf[domain], reason)
}

type FindOwnHost = LinkDirectory['ownHost']

/** The name is looked up as it came first: nearly all come as they are known. */
function ownHostOf(find: FindOwnHost | undefined, host: string | undefined): OwnHost | undefined {
  return host === undefined || find === undefined ? undefined : (find(host) ?? find(plainHost(host)))
}

/**
 * @param findOwn hosts of properties' own; left out where there can be none.
 * @throws SettingError when a short domain cannot be served.
 */
export function openShortDomains(config: Config, findOwn?: FindOwnHost): ShortDomains {
  const base = new URL(config.baseUrl)
  const urls = new Map(domains.map((domain) => [domain, readUrl(config, domain)]))
  refuseTwins(urls)
  const paths: Home[] = []
  const byHost = new Map<string, Home[]>()
  for (const [domain, url] of urls) {
    const host = plainHost(url.host)
    if (host === plainHost(base.host)) paths.push({ domain, path: pathUnder(base, url) })
    else byHost.set(host, [...(byHost.get(host) ?? []), { domain, path: pathOf(url) }])
  }
  for (const home of paths) refuseOwnPath(home)
  const homesOf = (host: string | undefined): readonly Home[] | undefined =>
    host === undefined ? undefined : (byHost.get(host) ?? byHost.get(plainHost(host)))
  const isShortHost = (host: string | undefined): boolean =>
    homesOf(host) !== undefined || ownHostOf(findOwn, host) !== undefined
  return {
    paths,
    isUnderPath(url) {
      const path = requestPath(url)
      return paths.some((home) => isUnder(path, home))
    },
    rewriteUrl:
      byHost.size === 0 && !findOwn
        ? undefined
        : ({ headers, url = '/' }) => (isShortHost(headers.host) && url !== PROOF_PATH ? HOST_ROUTE : url),
    isShortHost,
    readHost(host, url) {
      const path = requestPath(url)
      const own = ownHostOf(findOwn, host)
      if (own) return { domain: own.domain, text: decoded(path.slice(1)), own }
      // Of two on one host the longer path is tried first: codes of the other contain no slash.
      const home = homesOf(host)
        ?.toSorted((a, b) => b.path.length - a.path.length)
        .find((candidate) => path.startsWith(`${candidate.path}/`))
      return home && { domain: home.domain, text: decoded(path.slice(home.path.length + 1)) }
    },
  }
}
