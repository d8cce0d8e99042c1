// The calls of the browser library (SPEC.md 4.6). They answer 200 with `success` and a message, also when nothing was recorded;
// `success: true` means that it is stored.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { identifyContact } from '../identify/identify.ts'
import type { Context } from '../context.ts'
import { validationProblem } from '../http/validation.ts'
import { readSessionId, readViewId, sessionId, type SessionRef } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { isExcludedAddress } from '../properties/exclusions.ts'
import type { Property } from '../properties/properties.ts'
import { recordAcquisition, recordEvent } from '../sessions/sessions.ts'
import type { Sender } from '../sessions/triggers.ts'
import { openVisitorReader, type ReadVisitor } from './client.ts'
import { isOfAnotherProperty } from './foreign.ts'
import { openGuard } from './guard.ts'
import { EXCLUDED, recordLoad } from './load.ts'
import { hintsIn, pingRow } from './rows.ts'
import * as schema from './schema.ts'
import type { Visitor } from './visitors.ts'

const stored = { success: true, message: 'ok' } as const
/** For the documentation. */
const ABOUT_SESSION =
  "An id of an earlier day, or one that nobody knows, stands for the visitor's session of now, rebuilt from the request; without one, and for an id of another property, the message is `Session not found`."

const unknownSession = { success: false, message: 'Session not found' } as const

interface Failure {
  readonly success: false
  readonly message: string
  readonly errors?: readonly string[]
}

function isFailure(value: Property | Failure): value is Failure {
  return 'success' in value
}

/** The property of a call; a beacon names it in its body. */
async function findProperty(context: Context, request: FastifyRequest, siteId?: string): Promise<Property | Failure> {
  const header = request.headers['x-svc-id']
  const key = (typeof header === 'string' ? header : '') || siteId
  if (!key) return { success: false, message: 'Missing headers', errors: ['X-SVC-ID'] }
  return (await context.properties.byKey(key)) ?? { success: false, message: 'Signal ID not found' }
}

/** The same, for what a visitor does on a page: of one whose address is excluded nothing is kept. */
async function findVisited(
  context: Context,
  readVisitor: ReadVisitor,
  request: FastifyRequest,
  siteId?: string,
): Promise<Property | Failure> {
  const property = await findProperty(context, request, siteId)
  if (isFailure(property) || property.excluded_addresses.length === 0) return property
  const { address } = readVisitor(request, property)
  return isExcludedAddress(property, address) ? { success: false, message: EXCLUDED } : property
}

/**
 * The session that an id of a page stands for: itself while its day lasts or it carries on over midnight, else the visitor's session of
 * today, whatever the id is. Undefined when the visitor has no page view today, and for a genuine id of another property.
 */
async function findSession(
  context: Context,
  readVisitor: ReadVisitor,
  request: FastifyRequest,
  property: Property,
  id: string,
): Promise<SessionRef | undefined> {
  const given = readSessionId(context.keys, property.id, id)
  if (given && (await context.visitors.isCurrent(given))) return given
  const session = await findVisitorSession(context, readVisitor, request, property)
  // Asked last, since it costs the most: without a session the answer is the same.
  const isMistaken = session && !given && (await isOfAnotherProperty(context, property.id, id))
  return isMistaken ? undefined : session
}

async function findVisitorSession(
  context: Context,
  readVisitor: ReadVisitor,
  request: FastifyRequest,
  property: Property,
): Promise<SessionRef | undefined> {
  const rebuilt = await context.visitors.identify(property.id, readVisitor(request, property))
  return (await context.visitors.exists(property.id, rebuilt)) ? rebuilt : undefined
}

/** As a page view of the same request would be judged. */
function isRobot({ enrich }: Pick<Context, 'enrich'>, visitor: Visitor, headers: FastifyRequest['headers']): boolean {
  const place = enrich.place(visitor.address)
  return enrich.bot({ userAgent: visitor.agent, place, brands: hintsIn(headers)?.brands }).is_bot
}

/** The key in a beacon's body, of which nothing else is looked at. */
function siteIdOf(body: unknown): string | undefined {
  const siteId = typeof body === 'object' && body !== null && 'site_id' in body ? body.site_id : undefined
  return typeof siteId === 'string' ? siteId : undefined
}

/**
 * Global Privacy Control: the visitor asked not to be followed, so nobody is looked up, made or linked, and what the call says is not read.
 * Asked twice: before the body is there, and, where the property is named in the body, before it is checked.
 */
function answerGpc(context: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (request.headers['sec-gpc'] !== '1') return undefined
    const isNamed = Boolean(request.headers['x-svc-id'])
    if (!isNamed && request.body === undefined) return undefined
    const property = await findProperty(context, request, siteIdOf(request.body))
    if (isFailure(property)) return reply.send(property)
    return reply.send({ success: true, contact_id: null, linked_to_session: false, gpc: true })
  }
}

/** What the caller wrote is answered in the tracker's own way; what is ours or the store's goes on to the group's handler. */
function answerRefusals(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem, _request, reply: FastifyReply) => {
    const problem =
      'validation' in error && error.validation
        ? validationProblem(error.validation, error.validationContext ?? 'body')
        : error
    if (!(problem instanceof Problem) || problem.kind !== 'validation_failed') throw error
    // One sentence may be about several fields.
    const errors = [...new Set(Object.values(problem.errors ?? {}).flat())]
    return reply.code(200).send({ success: false, message: problem.message, errors })
  })
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  const readVisitor = openVisitorReader(context.config.trustProxy)
  const guard = openGuard(context.refusals)
  const tags = ['Tracker']
  const senderOf = (request: FastifyRequest, property: Property): Sender => ({
    isVisitor: true,
    isRobot: () => isRobot(context, readVisitor(request, property), request.headers),
    checkUsd: (cents) => guard.checkUsd(property, cents),
  })
  return async (app) => {
    answerRefusals(app)

    app.route({
      method: 'GET',
      url: '/v2/signal/load',
      schema: {
        tags,
        summary: 'Open or continue a session and record a page view',
        headers: schema.LoadHeaders,
        response: schema.LoadAnswer,
      },
      validatorCompiler: () => () => true,
      handler: async (request, reply) => {
        // A page view answered from a cache would be one that never happened.
        reply.header('cache-control', 'no-store')
        const load = await recordLoad(context, readVisitor, request)
        if (!('refused' in load)) return { ...stored, ...load }
        return { success: false, message: load.message, ...(load.errors && { errors: [...load.errors] }) }
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/signal/:viewId/ping',
      schema: {
        tags,
        summary: 'Report time on the page and scroll depth',
        body: schema.PingBody,
        response: schema.PlainAnswer,
      },
      handler: async (request) => {
        const { viewId } = request.params as { viewId: string }
        const { tos = 0, max = -1, site_id } = request.body
        const property = await findVisited(context, readVisitor, request, site_id)
        if (isFailure(property)) return property
        const view = readViewId(context.keys, property.id, viewId)
        if (!view || !(await context.visitors.isCurrent(view))) return { success: false, message: 'Invalid page id' }
        await context.facts.append('views', pingRow(property.id, view, context.now(), tos, max))
        context.visitors.noteActivity(view)
        return stored
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/signal/:sessionId/event',
      schema: {
        tags,
        summary: 'Record an event of the visitor',
        description: ABOUT_SESSION,
        body: schema.TrackerEventBody,
        response: schema.PlainAnswer,
      },
      handler: async (request) => {
        const { event, site_id, ...rest } = request.body
        const property = await findVisited(context, readVisitor, request, site_id)
        if (isFailure(property)) return property
        const { sessionId: id } = request.params as { sessionId: string }
        const session = await findSession(context, readVisitor, request, property, id)
        if (!session) return unknownSession
        await recordEvent(context, property.id, session, { ...rest, name: event }, senderOf(request, property))
        context.visitors.noteActivity(session)
        return stored
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/signal/:sessionId/acquisition',
      schema: {
        tags,
        summary: 'Record money and tags',
        description: ABOUT_SESSION,
        body: schema.TrackerAcquisitionBody,
        response: schema.AcquisitionAnswer,
      },
      handler: async (request) => {
        const property = await findVisited(context, readVisitor, request, request.body.site_id)
        if (isFailure(property)) return property
        const refused = guard.revenue(property, request.body)
        if (refused) return refused
        const { sessionId: id } = request.params as { sessionId: string }
        const session = await findSession(context, readVisitor, request, property, id)
        if (!session) return unknownSession
        const { acquisition, isStored } = await recordAcquisition(
          context,
          property.id,
          session,
          request.body,
          senderOf(request, property),
        )
        // What is not stored is no activity: the facts, and another node, would know nothing of it.
        if (isStored) context.visitors.noteActivity(session)
        return { ...stored, ...acquisition }
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/signal/:sessionId/identify',
      onRequest: answerGpc(context),
      preValidation: answerGpc(context),
      schema: {
        tags,
        summary: 'Say who the visitor is',
        description: ABOUT_SESSION,
        body: schema.IdentifyBody,
        response: schema.IdentifyAnswer,
      },
      handler: async (request) => {
        const { external_id, email, traits, site_id } = request.body
        const property = await findVisited(context, readVisitor, request, site_id)
        if (isFailure(property)) return property
        const refused = guard.identification(property)
        if (refused) return refused
        const { sessionId: id } = request.params as { sessionId: string }
        const session = await findSession(context, readVisitor, request, property, id)
        if (!session) return unknownSession
        const identification = { external_id, email, traits }
        const { contact, isLinked, ignored } = await identifyContact(
          context,
          property.id,
          session,
          identification,
          'visitor',
        )
        // Whoever knows an address may send it: of the contact nothing but its id is answered.
        return {
          success: true,
          message: ignored.join(' ') || stored.message,
          contact_id: contact.id,
          linked_to_session: isLinked,
        }
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/signal/resolve',
      schema: {
        tags,
        summary: "The visitor's session, rebuilt from the request",
        body: schema.ResolveBody,
        response: schema.ResolveAnswer,
      },
      handler: async (request) => {
        const property = await findVisited(context, readVisitor, request, request.body?.site_id)
        if (isFailure(property)) return { ...property, session_id: null }
        const session = await findVisitorSession(context, readVisitor, request, property)
        if (!session) return { ...unknownSession, session_id: null }
        return { ...stored, session_id: sessionId(context.keys, property.id, session) }
      },
    })
  }
}
