// The redirect (DESIGN.md, short links): GET and HEAD of a code on a short domain. It fails open: whoever follows a link that is in memory
// is sent on, whatever becomes of the record of it.
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { sendProblem } from '../http/errors.ts'
import { Problem } from '../kernel/problem.ts'
import { isExcludedAddress } from '../properties/exclusions.ts'
import type { Property } from '../properties/properties.ts'
import { openVisitorReader } from '../tracker/client.ts'
import { isCode } from '../links/codes.ts'
import type { Target } from './directory.ts'
import { HOST_ROUTE, type Asked, type ShortDomains } from './hosts.ts'
import { destinationPage, missingPage, pageHeaders, unavailablePage } from './pages.ts'
import { type ClickRecorder, type CountClicks, openRecorder } from '../clicks/click-recorder.ts'

/** A link that is not in memory yet is asked of the records; a person waits this long for a page. */
const LOOKUP_MS = 3_000
const RETRY_AFTER_SECONDS = 5
/** Behind a code: where does it lead? */
const plusSign = /\+$/
const methods = ['GET', 'HEAD']

const nothingHere = () => new Problem('not_found', 'There is nothing at this address.')

/** A redirect from a cache would be a click that nobody counts, and the old place once the link leads elsewhere. */
const redirectHeaders = { 'cache-control': 'private, no-store', 'content-length': '0' }

type Owner = Pick<Property, 'proxy_key_hash' | 'excluded_addresses'>

const unknownOwner: Owner = { proxy_key_hash: null, excluded_addresses: [] }

function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply.code(status).headers(pageHeaders).send(html)
}

/** Whatever is asked for under a short domain and is no link in use. */
export function sendMissingPage(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, missingPage)
}

/**
 * On a host of its own a short domain knows GET and HEAD, and any other method finds nothing either: said before a body is read, and for
 * methods that no route can have. Added after the security headers, which the page's own replace.
 */
export function answerOtherMethods(app: FastifyInstance, { isShortHost }: ShortDomains): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url, headers } = request
    if (url === HOST_ROUTE && !methods.includes(method) && isShortHost(headers.host)) sendMissingPage(reply)
    else done()
  })
}

/** What is looked up is most often in memory, and then nobody waits. @throws Problem when the time is over. */
async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Problem('unavailable', 'The look-up takes too long.')), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The property as far as it is known: one that cannot be looked up is most likely there still. Undefined when it is gone. */
async function findOwner(context: Pick<Context, 'properties' | 'deadlines'>, id: string): Promise<Owner | undefined> {
  const found = context.properties.byId(id)
  if (!(found instanceof Promise)) return found
  try {
    return await within(found, context.deadlines.redirectMs)
  } catch {
    return unknownOwner
  }
}

/** Links in use alone; groups that are archived or deleted take theirs out of it. */
async function findTarget(
  { links }: Pick<Context, 'links'>,
  { domain }: Asked,
  code: string,
): Promise<Target | undefined> {
  const found = links.find(domain, code)
  const target = found instanceof Promise ? await within(found, LOOKUP_MS) : found
  return target?.isActive && target.group.state === 'active' ? target : undefined
}

interface Tools {
  readonly context: Context
  readonly recorder: ClickRecorder
  readonly readVisitor: ReturnType<typeof openVisitorReader>
}

/** Nothing of the request but the code decides where it goes. */
async function answer(tools: Tools, request: FastifyRequest, reply: FastifyReply, asked: Asked | undefined) {
  const code = asked?.text.replace(plusSign, '') ?? ''
  const target = asked && isCode(code) ? await findTarget(tools.context, asked, code) : undefined
  const owner = target && (await findOwner(tools.context, target.group.propertyId))
  if (!target || !owner) return sendMissingPage(reply)
  if (code !== asked?.text) return sendPage(reply, 200, destinationPage(target.location))
  if (target.group.tracksClicks) {
    const visitor = tools.readVisitor(request, owner)
    if (!isExcludedAddress(owner, visitor.address))
      await tools.recorder.record(target, { visitor, method: request.method, headers: request.headers })
  }
  return reply
    .code(302)
    .headers({ location: target.location, ...redirectHeaders })
    .send()
}

/** The records are away and the link is not in memory; or a fault of the program, which its log tells. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    // What is wrong with the request itself is answered as everywhere.
    if (error instanceof Problem && error.kind !== 'unavailable') throw error
    const level = error instanceof Problem ? 'warn' : 'error'
    request.log[level]({ err: error, route: request.routeOptions.url }, 'a short link could not be answered')
    return sendPage(reply.header('retry-after', String(RETRY_AFTER_SECONDS)), 503, unavailablePage)
  })
}

/**
 * No limit of requests: a link in a newspaper is followed by thousands behind one address. What is recorded of them has one (floods.ts).
 * @param count is told what became of each click.
 */
export function redirects(context: Context, shortDomains: ShortDomains, count: CountClicks): FastifyPluginAsync {
  const tools: Tools = {
    context,
    recorder: openRecorder(context, count),
    readVisitor: openVisitorReader(context.config.trustProxy),
  }
  return async (app) => {
    answerFailures(app)
    app.addHook('onClose', () => tools.recorder.close())
    // Nothing is logged of a visit that a logger of its own would be needed for.
    app.setChildLoggerFactory((logger) => logger)
    const schema = { hide: true }

    for (const { domain, path } of shortDomains.paths) {
      // At the root of the service, only what no other address is.
      const [urls, name] = path === '' ? [['/:code'], 'code'] : [[path, `${path}/*`], '*']
      for (const url of urls)
        app.route<{ Params: Record<string, string> }>({
          method: methods,
          url,
          schema,
          handler: (request, reply) => answer(tools, request, reply, { domain, text: request.params[name] ?? '' }),
        })
    }

    if (shortDomains.rewriteUrl === undefined) return
    app.route({
      method: methods,
      url: HOST_ROUTE,
      schema,
      handler: async (request, reply) => {
        const { host } = request.headers
        if (!shortDomains.isShortHost(host)) return sendProblem(reply, nothingHere())
        return answer(tools, request, reply, shortDomains.readHost(host, request.originalUrl))
      },
    })
  }
}
