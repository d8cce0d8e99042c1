// The dashboard's files: index.html for every page, everything else by its name. All have a policy without
// inline code, so that collected text can never run. Counted by the limit of static files.
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { dashboardUrl } from '../config.ts'
import type { Context } from '../context.ts'
import { findEmbedding } from '../members/members.ts'
import { sendStatic } from '../serving/static-files.ts'
import { Problem } from '../kernel/problem.ts'
import type { ShortDomains } from '../redirect/redirect.ts'
import { type Dashboard, type DashboardFile, type Inlined, readBuild, readDashboard } from './files.ts'
import type { Mount } from './mount.ts'

const NOTHING: Inlined = { scripts: [], styles: [] }

/**
 * @param frames who may show the page in a frame: the sources of the policy.
 * @param inlined what the build has put into the page itself.
 */
const policyFor = (frames: string, { scripts, styles }: Inlined): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames}`,
    // Text never becomes HTML, a script or a style: the browser itself prevents it.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

/**
 * The frame in which owners preview their own HTML. It has no origin, and may run only the script that shows
 * what it receives; images and styles load from wherever the HTML says, as they will for visitors.
 */
const PREVIEW_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline' https: http:",
  'img-src https: http: data:',
  'media-src https: http:',
  'font-src https: http: data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

const headers = {
  'content-security-policy': policyFor("'none'", NOTHING),
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

const pageHeaders = (inlined: Inlined) => ({
  ...headers,
  'content-security-policy': policyFor("'none'", inlined),
})

const previewHeaders = { ...headers, 'content-security-policy': PREVIEW_POLICY, 'x-frame-options': 'SAMEORIGIN' }

/**
 * The page of a share link. It is never cached: browsers would keep the policy of before when they only ask
 * whether the page has changed.
 */
function shareHeaders(origins: readonly string[], inlined: Inlined): Record<string, string> {
  const { 'x-frame-options': denied, ...rest } = pageHeaders(inlined)
  const own = { 'cache-control': 'no-store' }
  if (origins.length === 0) return { ...rest, ...own, 'x-frame-options': denied }
  return { ...rest, ...own, 'content-security-policy': policyFor(origins.join(' '), inlined) }
}

/** The page itself is revalidated each time, and most often has not changed. */
const PAGE_CACHE = 'no-cache'
const FOREVER_CACHE = 'public, max-age=31536000, immutable'
/** Files with fixed names: the theme, the icon, the frame of previews. */
const HOUR_CACHE = 'public, max-age=3600'

/**
 * A missing file of these is a 404: a browser that requests a script of an older build must notice. Any other
 * path is a page.
 */
const isAsset = (path: string): boolean => path.startsWith('assets/')
const isOverview = (path: string): boolean => /^properties\/[^/]+(?:\/overview)?\/?$/.test(path)

/** @param name undefined for a page. */
function headersOf(name: string | undefined, file: DashboardFile, inlined: Inlined): Record<string, string> {
  if (name === undefined) return { ...pageHeaders(inlined), 'cache-control': PAGE_CACHE }
  const own = name === 'preview.html' ? previewHeaders : headers
  return { ...own, 'cache-control': file.isImmutable ? FOREVER_CACHE : HOUR_CACHE }
}

/** The file at that path, or else the page. */
async function sendFile(
  { files, page, overviewPage, inlined }: Dashboard,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const file = files.get(path)
  if (file) return sendStatic(request, reply, file, headersOf(path, file, inlined))
  if (isAsset(path)) throw new Problem('not_found', 'Nothing found at this URL.')
  const html = await (isOverview(path) ? overviewPage() : page())
  return sendStatic(request, reply, html, headersOf(undefined, html, inlined))
}

const notBuilt = () =>
  new Problem(
    'unavailable',
    'The dashboard has not been built: npm start builds it, or node tools/build-dashboard.mjs.',
  )

/** Whether the service's own root is free for a redirect to the dashboard. */
const isRootFree = ({ paths }: ShortDomains): boolean => paths.every(({ path }) => path !== '')

export function dashboardRoutes(
  { config, log, records }: Context,
  mount: Mount,
  shortDomains: ShortDomains,
  folder?: string,
): FastifyPluginAsync {
  return async (app) => {
    const dashboard = folder === undefined ? readBuild(mount) : readDashboard(folder, mount)
    if (!dashboard) log.warn('the dashboard has not been built')
    const methods = ['GET', 'HEAD']
    const schema = { hide: true }
    const answer = async (path: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (!dashboard) throw notBuilt()
      return sendFile(dashboard, path, request, reply)
    }
    app.route({
      method: methods,
      url: mount.route,
      schema,
      handler: async (request, reply) => answer('', request, reply),
    })
    app.route<{ Params: { '*': string } }>({
      method: methods,
      url: `${mount.route}/*`,
      schema,
      handler: async (request, reply) => answer(request.params['*'], request, reply),
    })
    app.route<{ Params: { token: string } }>({
      method: methods,
      url: `${mount.route}/share/:token`,
      schema,
      handler: async (request, reply) => {
        if (!dashboard) throw notBuilt()
        const origins = await findEmbedding({ records }, request.params.token)
        return sendStatic(request, reply, await dashboard.page(), shareHeaders(origins, dashboard.inlined))
      },
    })
    if (!isRootFree(shortDomains)) return
    app.route({
      method: methods,
      url: '/',
      schema,
      handler: async (_request, reply) => reply.redirect(dashboardUrl(config), 302),
    })
  }
}
