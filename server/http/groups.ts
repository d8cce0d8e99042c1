// The three groups of endpoints and what each has in common: who may call, from where, how often, and how
// large a body.
import type { FastifyPluginAsyncTypebox, TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../kernel/problem.ts'
import type { Context } from '../context.ts'
import type { Property } from '../properties/properties.ts'
import { readAnyBodies, readJsonBodies } from './bodies.ts'
import { clientAddress, headerOf, openForwarding, proxiedAddress } from './client.ts'
import { refuseWrongClock } from './clock.ts'
import { errorHandler } from './errors.ts'
import { clientOf, secondsLeft } from './limits.ts'

/** A page view is under 4 KiB; a form under 64. */
const PUBLIC_BODY_BYTES = 64 * 1024
const AUTHENTICATED_BODY_BYTES = 1024 * 1024
export const AUTHENTICATED_RATE_LIMIT = 600
/**
 * A forwarding proxy may use this many visitors' limits: enough for a busy site, and bounded for a stolen
 * proxy key.
 */
export const VISITORS_A_FORWARDER = 250

/**
 * A page view may load several of the browser libraries; the dashboard's first page loads some eighty
 * files, icons included.
 */
const FILES_A_CALL = 5

export type Capability = (context: Context) => FastifyPluginAsync | FastifyPluginAsyncTypebox

/** Exactly what the browser libraries send (docs/browser.md). */
const CORS_REQUEST_HEADERS =
  'Content-Type, X-SVC-ID, X-SVC-PAGE, X-SVC-LIB, X-SVC-TITLE, X-SVC-SRC, X-SVC-STATUS, X-SVC-DIM, X-SVC-FORM, X-SVC-SID, X-SVC-SESSION'
const CORS_RESPONSE_HEADERS = 'Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset'
/** Browsers cap it themselves, at two hours (Chromium) or a day (Firefox). */
const PREFLIGHT_SECONDS = '86400'

/** Any origin, never with credentials. */
const publicHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': CORS_RESPONSE_HEADERS,
}

function preflight(methods: string) {
  return (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': CORS_REQUEST_HEADERS,
        'access-control-max-age': PREFLIGHT_SECONDS,
      })
      .send()
}

/** @throws Problem('rate_limited') for requests beyond the limit until the minute is over. */
function spend(reply: FastifyReply, limit: number, made: number, nowMs: number): void {
  const reset = secondsLeft(nowMs)
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': Math.max(0, limit - made),
    'ratelimit-reset': reset,
  })
  if (made > limit)
    throw new Problem('rate_limited', 'Too many requests: try again in a moment.', { retryAfterSeconds: reset })
}

/** Counts one request of `key`; synchronous when the counters are in this process. */
export function limit(context: Context, reply: FastifyReply, key: string, perMinute: number): void | Promise<void> {
  const nowMs = context.now()
  const made = context.limits.count(key, nowMs)
  if (typeof made === 'number') return spend(reply, perMinute, made, nowMs)
  return made.then((count) => spend(reply, perMinute, count, nowMs))
}

/** What all routes of a group have: the largest body, and the documented authentication. */
function addToRoutes(scope: FastifyInstance, bodyBytes: number, scheme: string): void {
  scope.addHook('onRoute', (route) => {
    route.bodyLimit ??= bodyBytes
    const { security = [{ [scheme]: [] }], ...schema } = route.schema ?? {}
    // A signed-in person may call what a token may, within their role.
    const ways = new Set(security.flatMap((way) => Object.keys(way)))
    const isForPeople = !ways.has('session') && (ways.has('admin') || ways.has('token'))
    route.schema = { ...schema, security: isForPeople ? [...security, { session: [] }] : security }
  })
}

async function registerAll(
  scope: FastifyInstance,
  context: Context,
  capabilities: readonly Capability[],
): Promise<void> {
  const typed = scope.withTypeProvider<TypeBoxTypeProvider>()
  for (const capability of capabilities) await typed.register(capability(context))
}

/** Counts a request and throws or rejects when it is over the limit. */
type Spend = (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>

/** `hook` with a callback: an async one would cost a promise per page view. */
function limitBy(spendOne: Spend) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (request.method === 'OPTIONS') return done()
    try {
      const spent = spendOne(request, reply)
      // oxlint-disable-next-line promise/no-callback-in-promise -- fastify's hooks take a callback
      if (spent) spent.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/**
 * The property whose proxy key a request carries, when it is in memory; until then requests count for the
 * proxy.
 */
function keyedProperty({ properties }: Context, { headers }: FastifyRequest): Property | undefined {
  if (headers['x-proxy-key'] === undefined) return undefined
  const found = properties.byKey(headerOf(headers, 'x-svc-id') ?? '')
  if (!(found instanceof Promise)) return found
  found.catch(() => undefined) // the handler asks for itself, and answers for what goes wrong
  return undefined
}

/**
 * By the client's address; forwarded requests by the visitor's, below a ceiling for the proxy.
 * @param name of the counters: each kind of endpoint has its own.
 */
function spendByVisitor(context: Context, name: string, perMinute: number): Spend {
  const isForwarded = openForwarding(context.config.trustProxy)
  return (request, reply) => {
    const client = clientOf(clientAddress(request))
    const visitor = proxiedAddress(request)
    if (visitor === undefined || !isForwarded(request, keyedProperty(context, request)))
      return limit(context, reply, `${name}:${client}`, perMinute)
    const forwarded = limit(context, reply, `${name}-forwarder:${client}`, perMinute * VISITORS_A_FORWARDER)
    const spendVisitor = () => limit(context, reply, `${name}:${clientOf(visitor)}`, perMinute)
    return forwarded ? forwarded.then(spendVisitor) : spendVisitor()
  }
}

/** Collects the paths of a group; the returned function adds a preflight answer to each. */
function notePaths(scope: FastifyInstance): () => void {
  const methods = new Map<string, Set<string>>()
  scope.addHook('onRoute', (route) => {
    const known = methods.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) known.add(method)
    methods.set(route.url, known)
  })
  return () => {
    const paths = [...methods] // a copy: each new route is noted too
    for (const [url, known] of paths)
      scope.options(url, { schema: { hide: true } }, preflight([...known, 'OPTIONS'].join(', ')))
  }
}

/**
 * Called by pages of any origin: CORS on every answer, errors that also say `success: false`, small bodies,
 * counted by address.
 */
export function publicGroup(context: Context, capabilities: readonly Capability[]): FastifyPluginAsync {
  return async (scope) => {
    addToRoutes(scope, PUBLIC_BODY_BYTES, 'property')
    readAnyBodies(scope)
    scope.setErrorHandler(errorHandler({ success: false }))
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(publicHeaders)
      done()
    })
    scope.addHook('onRequest', refuseWrongClock(context))
    const perMinute = context.config.publicRateLimit
    if (perMinute > 0) scope.addHook('onRequest', limitBy(spendByVisitor(context, 'public', perMinute)))
    const addPreflights = notePaths(scope)
    await registerAll(scope, context, capabilities)
    addPreflights()
  }
}

/**
 * Counts public files separately from visitors' calls, so that neither uses up the other's limit.
 * @param name of the counters.
 * @returns undefined while there is no limit.
 */
export function countFiles(context: Context, name: 'static' | 'ready'): ReturnType<typeof limitBy> | undefined {
  const perMinute = context.config.publicRateLimit * FILES_A_CALL
  return perMinute > 0 ? limitBy(spendByVisitor(context, name, perMinute)) : undefined
}

/** Public files: scripts, icons, the dashboard, the documentation. */
export function staticGroup(context: Context, plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync {
  return async (scope) => {
    const count = countFiles(context, 'static')
    if (count) scope.addHook('onRequest', count)
    for (const plugin of plugins) await scope.register(plugin)
  }
}

/**
 * Called by the owner's servers with a bearer token; each endpoint names its scope (http/access.ts), which
 * also counts the request.
 */
export function tokenGroup(context: Context, capabilities: readonly Capability[]): FastifyPluginAsync {
  return async (scope) => {
    addToRoutes(scope, AUTHENTICATED_BODY_BYTES, 'token')
    scope.addHook('onRequest', refuseWrongClock(context))
    readAnyBodies(scope)
    await registerAll(scope, context, capabilities)
  }
}

/**
 * Called by the CLI, scripts and the dashboard. JSON only: a form on a foreign page must not be able to use
 * the owner's cookie.
 */
export function manageGroup(context: Context, capabilities: readonly Capability[]): FastifyPluginAsync {
  return async (scope) => {
    addToRoutes(scope, AUTHENTICATED_BODY_BYTES, 'admin')
    scope.addHook('onRequest', refuseWrongClock(context))
    readJsonBodies(scope)
    const byAddress: Spend = (request, reply) =>
      limit(context, reply, `manage:${clientOf(clientAddress(request))}`, AUTHENTICATED_RATE_LIMIT)
    scope.addHook('onRequest', limitBy(byAddress))
    await registerAll(scope, context, capabilities)
  }
}
