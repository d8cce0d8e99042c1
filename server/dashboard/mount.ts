// Where the dashboard is mounted: under a path of BASE_URL's host, or on a host of its own. It may share a
// root with the API, which then has priority.
import type { IncomingMessage } from 'node:http'
import { type Config, dashboardUrl, SettingError } from '../config.ts'
import { ownPaths, type ShortDomains } from '../redirect/redirect.ts'

/** The router's internal path when the dashboard has no path of its own. */
const MOUNT = '/dashboard'

/** What pages and files of the dashboard begin with, where it has no path of its own. */
const pages: readonly string[] = [
  '/account',
  '/assets',
  '/icon.svg',
  '/invitation',
  '/mail',
  '/backups',
  '/new',
  '/preview.html',
  '/preview.js',
  '/properties',
  '/setup',
  '/share',
  '/sign-in',
  '/users',
]

export interface Mount {
  /** Its path in the router, without a trailing slash. */
  readonly route: string
  /** The path of its pages as browsers see it, without a trailing slash. */
  readonly basePath: string
  /** The path before /manage and /v2 as browsers see it. */
  readonly apiPath: string
  /** Paths at and below which it answers, and nothing else may. */
  readonly taken: readonly string[]
  /** What has another name than its own (PUBLIC_PATHS): `/signals.js=/js/app.js`, separated by spaces. */
  readonly names: string
  /** Undefined for requests that are not for it; left out when the router needs no rewriting. */
  readonly rewriteUrl:
    | ((request: Pick<IncomingMessage, 'headers' | 'method' | 'url'>) => string | undefined)
    | undefined
}

const pathOf = (url: URL): string => url.pathname.replace(/\/+$/, '')
const isUnder = (path: string, top: string): boolean => `${path}/`.startsWith(`${top}/`)
/** Without the port: proxies drop it or add their own. */
const plainHost = (host: string | undefined): string =>
  (host ?? '').toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

function refuse(reason: string): never {
  throw new SettingError('DASHBOARD_URL', reason)
}

function checkedUrl(config: Config): URL {
  const text = dashboardUrl(config)
  const url = new URL(text)
  if (/[?#@]/.test(text) || !/^(?:\/[\w.~-]+)*$/.test(pathOf(url)))
    refuse('must be a host with a plain path: no query, fragment, user name or escapes')
  return url
}

/** Whether something else answers there. */
function takenBy(path: string, { paths }: ShortDomains): string | undefined {
  const taken = [...ownPaths.filter((own) => own !== MOUNT), ...paths.map((home) => home.path || '/')]
  return taken.find((own) => path === own || (own !== '/' && (isUnder(path, own) || isUnder(own, path))))
}

/** Paths under `path` that nothing else uses go to the mount. */
function rewriter(host: string | undefined, path: string, { paths }: ShortDomains): Mount['rewriteUrl'] {
  const others = [...ownPaths.filter((own) => own !== MOUNT), ...paths.map((home) => home.path).filter(Boolean)]
  return ({ headers, method, url = '/' }) => {
    if (host !== undefined && plainHost(headers.host) !== host) return undefined
    if (method !== 'GET' && method !== 'HEAD') return undefined
    const [asked = '/'] = url.split(/[?#]/, 1)
    if (!isUnder(asked.replace(/\/+$/, ''), path) || others.some((own) => isUnder(asked, own))) return undefined
    return MOUNT + url.slice(path.length)
  }
}

/**
 * A URL that was cut or mistyped within an escape is a page that does not exist, which the dashboard itself
 * says.
 */
export function readablePage({ route }: Pick<Mount, 'route'>, url: string): string {
  const [path = ''] = url.split(/[?#]/, 1)
  if (!path.includes('%') || !isUnder(path, route)) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length)
  }
}

/** @throws SettingError when DASHBOARD_URL is where something else answers. */
export function findMount(config: Config, shortDomains: ShortDomains): Mount {
  const names = config.publicPaths.map((pair) => pair.join('=')).join(' ')
  const place = findPlace(config, shortDomains)
  return { ...place, taken: [place.route, ...(place.basePath === '' ? pages : [])], names }
}

function findPlace(config: Config, shortDomains: ShortDomains): Omit<Mount, 'names' | 'taken'> {
  const base = new URL(config.baseUrl)
  const url = checkedUrl(config)
  const basePath = pathOf(url)
  if (plainHost(url.host) !== plainHost(base.host)) {
    if (shortDomains.isShortHost(url.host))
      refuse('must not be on the host of a short domain, where everything is a link')
    return { route: MOUNT, basePath, apiPath: '', rewriteUrl: rewriter(plainHost(url.host), basePath, shortDomains) }
  }
  // BASE_URL may have a path that a proxy removes; then it is removed from paths under it too.
  const apiPath = pathOf(base)
  const path = apiPath !== '' && isUnder(basePath, apiPath) ? basePath.slice(apiPath.length) : basePath
  const taken = takenBy(path === '' ? '/' : path, shortDomains)
  if (taken !== undefined) refuse(`must not lie at ${taken}, which is taken: take another path, or a host of its own`)
  if (path !== '') return { route: path, basePath, apiPath, rewriteUrl: undefined }
  return { route: MOUNT, basePath, apiPath, rewriteUrl: rewriter(undefined, '', shortDomains) }
}
