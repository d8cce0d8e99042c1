// Liveness, readiness and metrics. For the machine that runs the service, not for visitors.
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Context } from '../context.ts'
import { isAdmin } from '../http/auth.ts'
import { isPassedOn } from '../http/client.ts'
import { countFiles } from '../http/groups.ts'
import { Problem } from '../kernel/problem.ts'
import { gatheredMetrics } from './metrics.ts'
import { openReadiness, ownParts, parts } from './readiness.ts'
import { tlsHostRoutes } from './tls-host-public.ts'

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** A local caller uses such a host name; a caller from elsewhere reaches a proxy by the site's name. */
function isLoopbackName(host: string | undefined): boolean {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  return name === 'localhost' || name === '[::1]' || /^127(\.\d+){3}$/.test(name)
}

/** A call from this machine itself: requests that a local proxy passes on come from elsewhere. */
function isLocal(request: FastifyRequest): boolean {
  return (
    loopback.has(request.socket.remoteAddress ?? '') &&
    isLoopbackName(request.headers.host) &&
    !isPassedOn(request.headers)
  )
}

const tags = ['diagnostics']

export function diagnosticsRoutes(context: Context, metrics: Registry): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', { schema: { tags, summary: 'Check that the process is alive' } }, async () => ({
      status: 'OK',
    }))

    const readiness = openReadiness(context, parts)
    const ownReadiness = openReadiness(context, ownParts)
    const count = countFiles(context, 'ready')
    app.get(
      '/readyz',
      {
        ...(count && { onRequest: count }),
        schema: {
          tags,
          summary:
            'Check that both stores respond and DATA_DIR is writable. 503 lists in `away` what is not, or says `stopping`. `?scope=node` leaves out the stores, for load balancers',
        },
      },
      async (request, reply) => {
        if (context.stopping.isAnnounced) return reply.code(503).send({ status: 'Error', stopping: true, away: [] })
        const { scope } = request.query as { readonly scope?: unknown }
        const ready = await (scope === 'node' ? ownReadiness() : readiness())
        const away = parts.filter((part) => ready[part] === false)
        const isReady = away.length === 0
        return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'OK' : 'Error', ...ready, away })
      },
    )

    await app.register(tlsHostRoutes(context))

    const gather = gatheredMetrics(metrics, context.team)
    const summary = 'Prometheus metrics, from this machine or with ADMIN_TOKEN'
    app.get('/metrics', { schema: { tags, summary, security: [{ admin: [] }] } }, async (request, reply) => {
      if (!isLocal(request) && !isAdmin(context, request))
        throw new Problem('unauthenticated', 'The administrator token is required.')
      return reply.type(metrics.contentType).send(await gather())
    })
  }
}
