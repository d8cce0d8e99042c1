// The redirect (docs/api/redirect.md): GET and HEAD of a code on a short domain, and POST of the password of
// one. It fails open: visitors of a
// link in memory are redirected, even when the click cannot be stored.
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { problemOf, sendProblem } from '../http/errors.ts'
import { readPlainBodies } from '../http/plain-bodies.ts'
import { Problem } from '../kernel/problem.ts'
import { isExcludedAddress, type Property } from '../properties/properties.ts'
import { openVisitorReader, type Visitor } from '../tracker/tracker.ts'
import { isCode } from '../links/codes.ts'
import type { LinkRules, PreviewCard } from '../links/rules-model.ts'
import { choose } from './choose.ts'
import { type DeadLink, sendDead, sendLost } from './dead-links-public.ts'
import { type ClickLimit, openClickLimit } from './click-limit.ts'
import { placeUrl, PROOF_PATH, proofOf, type OwnHost } from '../links/domain-model.ts'
import type { LinkDirectory, Target } from './directory.ts'
import { HOST_ROUTE, type Asked, plainHost, type ShortDomains } from './hosts.ts'
import { leadsRound } from './loops.ts'
import { type FindLost, openLostLinks } from './lost-links.ts'
import { cardPage, destinationPage, unavailablePage } from './pages.ts'
import { admitToLocked } from './password-public.ts'
import { acceptedBy, redirect, sendMissingPage, sendPage } from './replies-public.ts'
import { type Clicked, isBotClick, isPreviewer } from '../clicks/click-model.ts'
import { isScanUrl } from '../clicks/scans.ts'
import { type ClickRecorder, type CountClicks, openRecorder } from '../clicks/click-recorder.ts'

/** A link that is not in memory yet is read from the records; the visitor waits this long for it. */
const LOOKUP_MS = 3_000
const RETRY_AFTER_SECONDS = 5
/** After a code: shows the destination instead of redirecting. */
const plusSign = /\+$/
const methods = ['GET', 'HEAD']
/** A password with the name of its field. */
const BODY_BYTES = 4096
const formBody = /^application\/x-www-form-urlencoded\b/i

const nothingHere = () => new Problem('not_found', 'Nothing found at this URL.')

type Owner = Pick<Property, 'proxy_key_hash' | 'excluded_addresses'>

const unknownOwner: Owner = { proxy_key_hash: null, excluded_addresses: [] }

/**
 * A short domain with its own host knows GET, HEAD and forms; anything else finds nothing, even before the
 * body is read and for methods without routes. Added after the security headers, which the page's own
 * replace.
 */
export function answerOtherMethods(app: FastifyInstance, { isShortHost }: ShortDomains): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { method, url, headers } = request
    const isForm = method === 'POST' && formBody.test(headers['content-type'] ?? '')
    const isKnown = isForm || methods.includes(method)
    if (url === HOST_ROUTE && !isKnown && isShortHost(headers.host)) sendMissingPage(reply)
    else done()
  })
}

/** Most often the link is in memory, and nobody waits. @throws Problem when the time is over. */
async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Problem('unavailable', 'The lookup took too long.')), ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The property as far as it is known: one that cannot be read most likely still exists. Undefined when it is
 * gone.
 */
async function findOwner(context: Pick<Context, 'properties' | 'deadlines'>, id: string): Promise<Owner | undefined> {
  const found = context.properties.byId(id)
  if (!(found instanceof Promise)) return found
  try {
    return await within(found, context.deadlines.redirectMs)
  } catch {
    return unknownOwner
  }
}

/** On a host of a property's own: its links there, and those that it has on the short domain itself. */
async function findOwn(links: LinkDirectory, { host, propertyId, domain }: OwnHost, code: string) {
  for (const place of [host, domain]) {
    const target = await links.find(place, code)
    if (target?.group.propertyId === propertyId) return target
  }
  return undefined
}

/** Links in use, active or not: deleting a link or its group removes it from memory. */
async function findTarget(
  { links }: Pick<Context, 'links'>,
  { domain, own }: Asked,
  code: string,
): Promise<Target | undefined> {
  const found = own ? findOwn(links, own, code) : links.find(domain, code)
  return found instanceof Promise ? within(found, LOOKUP_MS) : found
}

const leads = ({ isActive, group }: Target): boolean => isActive && group.state === 'active'

interface Tools {
  readonly context: Context
  readonly links: LinkDirectory
  readonly findLost: FindLost
  readonly shortDomains: ShortDomains
  readonly recorder: ClickRecorder
  readonly limit: ClickLimit
  readonly readVisitor: ReturnType<typeof openVisitorReader>
}

/** Only links with a password take forms. */
function refuseForm(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.routeOptions.url === HOST_ROUTE) return sendMissingPage(reply)
  const allowed = methods.join(', ')
  reply.header('allow', allowed)
  return sendProblem(reply, new Problem('method_not_allowed', `This URL accepts ${allowed}.`))
}

/** What it would be if it led nowhere. */
const deadLink = ({ group }: Target, { own }: Asked, isPreview: boolean): DeadLink => ({
  propertyId: group.propertyId,
  kind: 'missing',
  isPreview,
  namesSite: own !== undefined,
})

/** Only the code decides the destination, nothing else of the request. */
async function answer(tools: Tools, request: FastifyRequest, reply: FastifyReply, asked: Asked | undefined) {
  const code = asked?.text.replace(plusSign, '') ?? ''
  const target = asked && isCode(code) ? await findTarget(tools.context, asked, code) : undefined
  const isPreview = code !== asked?.text
  if (request.method === 'POST' && !(target?.password !== undefined && leads(target))) return refuseForm(request, reply)
  if (!asked) return sendMissingPage(reply)
  if (!target) return sendLost(tools, reply, asked, code)
  const dead = deadLink(target, asked, isPreview)
  const owner = leads(target) ? await findOwner(tools.context, target.group.propertyId) : undefined
  if (!owner) return sendDead(tools, reply, dead)
  if (target.rules) {
    const home = { domain: asked.domain, host: asked.own?.host ?? null }
    const shortUrl = `${placeUrl(tools.context.config, home)}/${code}`
    const ruled = { target: { ...target, rules: target.rules }, owner, isPreview, shortUrl, dead }
    return answerByRules(tools, request, reply, ruled)
  }
  if (isPreview) return sendPage(reply, 200, destinationPage(target.location, acceptedBy(reply)))
  if (leadsRound(tools, target.linkId, target.location)) return sendDead(tools, reply, dead)
  if (target.group.tracksClicks)
    await record(tools, request, { clicked: target, visitor: tools.readVisitor(request, owner), owner })
  return redirect(reply, target.location)
}

interface Followed {
  readonly clicked: Clicked
  readonly visitor: Visitor
  readonly owner: Owner
}

async function record({ recorder }: Tools, request: FastifyRequest, { clicked, visitor, owner }: Followed) {
  const isScan = isScanUrl(request.originalUrl)
  if (!isExcludedAddress(owner, visitor.address))
    await recorder.record({ ...clicked, isScan }, { visitor, method: request.method, headers: request.headers })
}

interface Ruled {
  readonly target: Target & { readonly rules: LinkRules }
  readonly owner: Owner
  readonly isPreview: boolean
  readonly shortUrl: string
  readonly dead: DeadLink
}

/** A link that has expired leads elsewhere, or nowhere. */
const sendExpired = (tools: Tools, reply: FastifyReply, { target, dead }: Ruled, location: string | null) =>
  location === null || leadsRound(tools, target.linkId, location)
    ? sendDead(tools, reply, { ...dead, kind: 'expired', namesSite: true })
    : redirect(reply, location)

/** A link that has expired, or not begun, records no click. */
async function answerByRules(tools: Tools, request: FastifyRequest, reply: FastifyReply, ruled: Ruled) {
  const { target, owner, isPreview, shortUrl, dead } = ruled
  const { password, rules } = target
  const visitor = tools.readVisitor(request, owner)
  const choice = await choose(tools.context, target, visitor, request.headers)
  if (choice.is === 'early') return sendDead(tools, reply, dead)
  if (choice.is === 'over') return sendExpired(tools, reply, ruled, choice.location)
  if (rules.card && !isPreview && isPreviewer(visitor.agent))
    return sendCard(tools, request, reply, { ...ruled, card: rules.card, location: choice.location, visitor })
  const locked = password === undefined ? undefined : { linkId: target.linkId, password }
  if (locked && !(await admitToLocked(tools.context, request, reply, { link: locked, visitor, shortUrl }))) return reply
  if (rules.max_clicks !== null && !(await tools.limit.admits(target, isCounted(tools, request, ruled, visitor))))
    return sendExpired(tools, reply, ruled, rules.expired_url)
  const { location, rule } = choice
  if (isPreview) return sendPage(reply, 200, destinationPage(location, acceptedBy(reply)))
  if (leadsRound(tools, target.linkId, location)) return sendDead(tools, reply, dead)
  if (target.group.tracksClicks)
    await record(tools, request, { clicked: { ...target, location, rule }, visitor, owner })
  return redirect(reply, location)
}

interface Carded extends Ruled {
  readonly card: PreviewCard
  readonly location: string
  readonly visitor: Visitor
}

/** To programs that ask for a preview, whether or not people are asked for a password; never to people. */
async function sendCard(tools: Tools, request: FastifyRequest, reply: FastifyReply, carded: Carded) {
  const { target, location, visitor, owner, card, shortUrl } = carded
  if (target.group.tracksClicks) await record(tools, request, { clicked: { ...target, location }, visitor, owner })
  return sendPage(reply, 200, cardPage(card, shortUrl))
}

/** Towards a limit of clicks: those of people, and not the owner's own. */
function isCounted(
  { context }: Tools,
  request: FastifyRequest,
  { owner, isPreview }: Ruled,
  visitor: Visitor,
): boolean {
  const { method, headers } = request
  return (
    !isPreview &&
    !isExcludedAddress(owner, visitor.address) &&
    !isBotClick(context.enrich, { visitor, method, headers })
  )
}

/** The records are away and the link is not in memory; or a bug, which the log describes. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error)
    // A fault of the request itself is answered as everywhere.
    if (problem && problem.kind !== 'unavailable') throw error
    const level = problem ? 'warn' : 'error'
    request.log[level]({ err: error, route: request.routeOptions.url }, 'a short link could not be answered')
    return sendPage(reply.header('retry-after', String(RETRY_AFTER_SECONDS)), 503, unavailablePage(acceptedBy(reply)))
  })
}

/**
 * Without a rate limit: thousands behind one address follow a link in a newspaper. Only the storage of clicks
 * is limited (floods.ts).
 * @param count receives the outcome of each click.
 */
export function redirects(context: Context, shortDomains: ShortDomains, count: CountClicks): FastifyPluginAsync {
  const tools: Tools = {
    context,
    links: context.links,
    findLost: openLostLinks(context.records),
    shortDomains,
    recorder: openRecorder(context, count),
    limit: openClickLimit(context),
    readVisitor: openVisitorReader(context.config.trustProxy),
  }
  return async (app) => {
    answerFailures(app)
    readPlainBodies(app)
    app.addHook('onClose', () => tools.recorder.close())
    // Nothing is logged per visit, so no request needs a child logger.
    app.setChildLoggerFactory((logger) => logger)
    const schema = { hide: true }

    for (const { domain, path } of shortDomains.paths) {
      // At the root of the service, only paths that nothing else uses.
      const [urls, name] = path === '' ? [['/:code'], 'code'] : [[path, `${path}/*`], '*']
      for (const url of urls)
        app.route<{ Params: Record<string, string> }>({
          method: [...methods, 'POST'],
          url,
          schema,
          bodyLimit: BODY_BYTES,
          handler: (request, reply) => answer(tools, request, reply, { domain, text: request.params[name] ?? '' }),
        })
    }

    // Asked when a domain is checked: whoever gets this answer under a name knows that the name leads here.
    app.post(PROOF_PATH, { schema, bodyLimit: BODY_BYTES }, async ({ headers }, reply) =>
      reply.type('text/plain; charset=utf-8').send(proofOf(context, plainHost(headers.host ?? ''))),
    )

    if (shortDomains.rewriteUrl === undefined) return
    app.route({
      method: [...methods, 'POST'],
      url: HOST_ROUTE,
      schema,
      bodyLimit: BODY_BYTES,
      handler: async (request, reply) => {
        const { host } = request.headers
        if (!shortDomains.isShortHost(host)) return sendProblem(reply, nothingHere())
        return answer(tools, request, reply, shortDomains.readHost(host, request.originalUrl))
      },
    })
  }
}
