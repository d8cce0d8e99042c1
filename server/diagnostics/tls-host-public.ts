// For which hosts a TLS server before the service may get a certificate: it asks here, as Caddy does
// (on_demand_tls), so that nobody else's name makes it ask for one.
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { type Config, dashboardUrl, linkUrl } from '../config.ts'
import type { Context } from '../context.ts'
import { isAdmin } from '../http/auth.ts'
import { isPassedOn } from '../http/client.ts'
import { openAddressRanges } from '../kernel/addresses.ts'
import { currentTs } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { isProvenHost } from '../links/links.ts'

const isNear = openAddressRanges(['loopback', 'uniquelocal'])

/**
 * A domain that is checked needs its certificate for the request that is the second half of the check. One
 * that does not lead here by then would only cost failed attempts, of which authorities allow few.
 */
const PROVEN_SECONDS = 3_600

/** Every host at which the service answers, without ports. */
function knownHosts(config: Config): ReadonlySet<string> {
  const urls = [config.baseUrl, dashboardUrl(config), linkUrl(config, 'link-a'), linkUrl(config, 'link-b')]
  return new Set(urls.map((url) => new URL(url).hostname))
}

/** A host as URLs write it; undefined for what is none. */
function hostOf(text: string): string | undefined {
  const url = `https://${text.replace(/\.$/, '')}`
  return /^[^\s/?#@:[\]]+$/.test(text) && URL.canParse(url) ? new URL(url).hostname : undefined
}

/** The server itself asks, from this machine or its network, and passes on nobody's request. */
const isAsker = (context: Context, request: FastifyRequest): boolean =>
  isAdmin(context, request) || (isNear(request.socket.remoteAddress) && !isPassedOn(request.headers))

const isKnown = async (context: Context, host: string): Promise<boolean> =>
  knownHosts(context.config).has(host) || isProvenHost(context.records, host, currentTs(context) - PROVEN_SECONDS)

export function tlsHostRoutes(context: Context): FastifyPluginAsync {
  return async (app) => {
    const summary = 'Check whether the service uses the host `domain` (200 or 404), for TLS servers'
    const schema = { tags: ['diagnostics'], summary, security: [{ admin: [] }] }
    const handler = async (request: FastifyRequest<{ Querystring: { domain?: unknown } }>) => {
      if (!isAsker(context, request)) throw new Problem('not_found', 'Nothing found at this URL.')
      const { domain } = request.query
      const host = typeof domain === 'string' ? hostOf(domain) : undefined
      if (host === undefined || !(await isKnown(context, host)))
        throw new Problem('not_found', 'The service does not answer at this host.')
      return { status: 'OK' }
    }
    app.route({ method: 'GET', url: '/tls-host', schema, handler })
  }
}
