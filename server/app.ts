// Registers all endpoints, in three groups by caller. An endpoint's full URL is in the file that answers it.
import { type IncomingMessage, maxHeaderSize } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyServerOptions,
  type onSendAsyncHookHandler,
} from 'fastify'
import { backupTimes } from './backups/backups.ts'
import { badgeRoutes } from './shared-figures/badge-public.ts'
import { iconRoutes } from './icons/public.ts'
import { countWaiting } from './deliveries/queue-records.ts'
import { noteBoundPort } from './config.ts'
import { openAddressRanges } from './kernel/addresses.ts'
import { contentRoutes } from './content-flow/public.ts'
import type { Context } from './context.ts'
import { findMount, type Mount, readablePage } from './dashboard/mount.ts'
import { dashboardRoutes } from './dashboard/public.ts'
import {
  addBackupMetrics,
  addDeliveryMetrics,
  addPauseMetric,
  openClickCounter,
  openMetrics,
} from './diagnostics/metrics.ts'
import { libErrorRoutes } from './diagnostics/lib-errors-public.ts'
import { pingMeRoutes } from './diagnostics/ping-me-public.ts'
import { diagnosticsRoutes } from './diagnostics/routes.ts'
import { formRoutes } from './form-flow/public.ts'
import { endpoints } from './endpoints.ts'
import { askAsCaller } from './http/asking.ts'
import { openServer } from './serving/connections.ts'
import { answerBrokenRequest, errorHandler } from './http/errors.ts'
import { type Capability, manageGroup, publicGroup, staticGroup, tokenGroup } from './http/groups.ts'
import { addSecurityHeaders, refuseExpectations, securityHeaders } from './serving/headers.ts'
import { endConnectionsAtClose } from './serving/closing.ts'
import { compressAnswers } from './serving/compress.ts'
import { logAnswers } from './serving/log.ts'
import { answerUnknownPaths } from './serving/notfound.ts'
import { docs } from './documentation/public.ts'
import { describeRoutes } from './serving/openapi.ts'
import { register } from './http/register.ts'
import { readableUrl } from './serving/readable-url.ts'
import { openValidatorCompiler } from './http/validation.ts'
import { openShortDomains, type ShortDomains } from './redirect/hosts.ts'
import { answerOtherMethods, redirects } from './redirect/public.ts'
import { sendMissingPage } from './redirect/replies-public.ts'
import { scriptRoutes } from './scripts/public.ts'
import { openPublicPaths, type PublicPaths } from './scripts/public-paths.ts'
import { listPages } from './contact-lists/public.ts'
import { unsubscribeRoutes } from './subscriptions/public.ts'
import { trackerRoutes } from './tracker/public.ts'
import { uploadRoutes } from './uploads/public.ts'
import { VERSION } from './version.ts'

const publicCapabilities: readonly Capability[] = [
  trackerRoutes,
  formRoutes,
  contentRoutes,
  libErrorRoutes,
  pingMeRoutes,
  unsubscribeRoutes,
  listPages,
  uploadRoutes,
]

/** Serialisers of answers, by the schema that the route declares. */
export type Serializing = Parameters<FastifyInstance['setSerializerCompiler']>[0]

const answer = errorHandler()

/** What lies where. */
interface Places {
  readonly shortDomains: ShortDomains
  readonly mount: Mount
  readonly publicPaths: PublicPaths
}

/** What a request is for, as the router names it: a link, a call under another name, a page, or itself. */
function routerUrl({ shortDomains, mount, publicPaths }: Places) {
  return (request: IncomingMessage): string => {
    const { url = '/', headers } = request
    const called = shortDomains.isShortHost(headers.host) ? undefined : publicPaths.rewriteUrl?.(url)
    return called ?? mount.rewriteUrl?.(request) ?? shortDomains.rewriteUrl?.(request) ?? url
  }
}

function options(context: Context, places: Places): FastifyServerOptions {
  const { mount } = places
  const { isUnderPath } = places.shortDomains
  const urlOf = routerUrl(places)
  const headers = securityHeaders(context.config.baseUrl)
  return {
    loggerInstance: context.log,
    // serving/log.ts writes less, and nothing personal
    logController: new LogController({ disableRequestLogging: true }),
    // By the rule of everything else, which costs a fifth of the framework's own for each request.
    trustProxy: context.config.trustProxy.length > 0 && openAddressRanges(context.config.trustProxy),
    serverFactory: (handle) => openServer(handle, { stopping: context.stopping }),
    // What still comes on open connections is answered; Fastify's own 503 is none of ours.
    return503OnClosing: false,
    exposeHeadRoutes: false, // a HEAD of the tracker must not count as a page view
    // No address is longer than the head it comes in: every id reaches its handler, which says in its own
    // words that there is none.
    routerOptions: { maxParamLength: maxHeaderSize },
    rewriteUrl: (request) => readablePage(mount, readableUrl(urlOf(request))),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors(error, request, reply) {
      reply.headers(headers)
      // A mistyped code that the router cannot even read is one that leads nowhere, like any other.
      if (error.code === 'FST_ERR_BAD_URL' && isUnderPath(request.originalUrl)) sendMissingPage(reply)
      else answer(error, request, reply)
    },
    schemaErrorFormatter: () => new Error('not valid'), // http/validation.ts says it in sentences
  }
}

/** For tests, which hold answers against what endpoints declare. */
export interface Checks {
  readonly serializing: Serializing
  /** Of answers that are written as streams. */
  readonly sending?: onSendAsyncHookHandler
}

/** Response schemas only describe: they neither remove nor add what handlers return. */
const unchecked: Checks = { serializing: () => JSON.stringify }

export async function openApp(context: Context, checks = unchecked): Promise<FastifyInstance> {
  const shortDomains = openShortDomains(context.config, (host) => context.links.ownHost(host))
  const mount = findMount(context.config, shortDomains)
  const publicPaths = openPublicPaths(context.config, { dashboard: mount.taken, shortDomains })
  const app = fastify(options(context, { shortDomains, mount, publicPaths })).withTypeProvider<TypeBoxTypeProvider>()
  app.setValidatorCompiler(openValidatorCompiler())
  app.setSerializerCompiler(checks.serializing)
  if (checks.sending) app.addHook('onSend', checks.sending)
  app.setErrorHandler(answer)
  app.decorateRequest('allowed', null)
  endConnectionsAtClose(app)
  app.addHook('preHandler', askAsCaller)
  addSecurityHeaders(app, context.config.baseUrl)
  refuseExpectations(app)
  if (shortDomains.rewriteUrl) answerOtherMethods(app, shortDomains)
  app.addHook('onListen', async () => {
    const address = app.server.address()
    if (address !== null && typeof address === 'object') noteBoundPort(context.config, address.port)
  })
  logAnswers(app, context.log, (route) =>
    route.startsWith('/v2/property/') || route.startsWith('/manage/') ? 'info' : 'debug',
  )
  compressAnswers(app)
  answerUnknownPaths(app)
  const metrics = openMetrics(app, context)
  addDeliveryMetrics(metrics, context.deliveryStats, () => countWaiting(context.records))
  addPauseMetric(metrics, context.pause)
  addBackupMetrics(metrics, () => backupTimes(context))
  await describeRoutes(app, VERSION)
  await app.register(diagnosticsRoutes(context, metrics))
  await app.register(
    staticGroup(context, [
      iconRoutes(context),
      badgeRoutes(context),
      scriptRoutes(context, publicPaths),
      dashboardRoutes(context, mount, shortDomains),
      docs,
    ]),
  )
  // In a demo nobody can change anything: no visit, click or submission is taken.
  if (!context.config.isDemo) {
    await app.register(redirects(context, shortDomains, openClickCounter(metrics)))
    await app.register(publicGroup(context, publicCapabilities))
  }
  await app.register(tokenGroup(context, [(each) => register(each, endpoints, '/v2/property/')]))
  await app.register(manageGroup(context, [(each) => register(each, endpoints, '/manage/')]))
  await app.ready()
  return app
}
