// The calls of the browser library. They answer 200 with `success` and a message, also when nothing was
// recorded; `success: true` means that it is stored.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { identifyContact } from '../identify/identify.ts'
import type { Context } from '../context.ts'
import { headerOf } from '../http/client.ts'
import { validationProblem } from '../http/validation.ts'
import { readViewId, sessionId } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { adoptCurrency } from '../properties/properties.ts'
import { recordAcquisition, recordEvent } from '../sessions/sessions.ts'
import {
  findProperty,
  findSession,
  findVisited,
  findVisitorSession,
  isFailure,
  openTracker,
  senderOf,
  type Tracker,
  unknownSession,
} from './calls.ts'
import { recordLoad } from './load.ts'
import { pingRow } from './rows.ts'
import { type SentView, sentInBody, sentInHeaders } from './sent.ts'
import * as schema from './schema.ts'
import { addVitals } from './vitals-public.ts'

type App = Parameters<FastifyPluginAsyncTypebox>[0]

const stored = { success: true, message: 'ok' } as const
const tags = ['Tracker']
/** For the documentation. */
const ABOUT_SESSION =
  "An id of an earlier day, or one that nobody knows, stands for the visitor's session of now, rebuilt from the request; without one, and for an id of another property, the message is `Session not found`."

/** The key in a beacon's body; nothing else of the body is read here. */
function siteIdOf(body: unknown): string | undefined {
  const siteId = typeof body === 'object' && body !== null && 'site_id' in body ? body.site_id : undefined
  return typeof siteId === 'string' ? siteId : undefined
}

/**
 * Global Privacy Control: the visitor does not want to be identified, so no contact is looked up, created or
 * linked, and the body is not stored. Checked twice: before the body is read, and, for a property that the
 * body names, before it is validated.
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

/**
 * Faults of the caller get the tracker's own shape of answer; failures of the service go to the group's
 * handler.
 */
function answerRefusals(app: App): void {
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

function addLoad(app: App, { context, readVisitor }: Tracker): void {
  const load = async (request: FastifyRequest, reply: FastifyReply, sent: SentView): Promise<object> => {
    // A cached answer would be a page view that never happened.
    reply.header('cache-control', 'no-store')
    const loaded = await recordLoad(context, readVisitor, request, sent)
    if (!('refused' in loaded)) return { ...stored, ...loaded }
    return { success: false, message: loaded.message, ...(loaded.errors && { errors: [...loaded.errors] }) }
  }
  const summary = 'Open or continue a session and record a page view'
  app.route({
    method: 'GET',
    url: '/v2/signal/load',
    schema: {
      tags,
      summary,
      headers: schema.LoadHeaders,
      response: schema.LoadAnswer,
    },
    validatorCompiler: () => () => true,
    handler: async (request, reply) => load(request, reply, sentInHeaders(request.headers)),
  })
  app.route({
    method: 'POST',
    url: '/v2/signal/load',
    schema: {
      tags,
      summary: `${summary}, from a request body`,
      description:
        'The same as GET with the headers. As text/plain and without headers of its own it needs no CORS preflight.',
      body: schema.LoadBody,
      response: schema.LoadAnswer,
    },
    validatorCompiler: () => () => true,
    handler: async (request, reply) =>
      load(request, reply, sentInBody(request.body, headerOf(request.headers, 'x-svc-id') ?? '')),
  })
}

function addPing(app: App, tracker: Tracker): void {
  const { context } = tracker
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
      const property = await findVisited(tracker, request, site_id)
      if (isFailure(property)) return property
      const view = readViewId(context.keys, property.id, viewId)
      if (!view || !(await context.visitors.isCurrent(view))) return { success: false, message: 'Invalid page id' }
      await context.facts.append('views', pingRow(property.id, view, { at: context.now(), tos, max }))
      context.visitors.noteActivity(view)
      return stored
    },
  })
}

function addEvent(app: App, tracker: Tracker): void {
  const { context } = tracker
  app.route({
    method: 'POST',
    url: '/v2/signal/:sessionId/event',
    schema: {
      tags,
      summary: 'Record an event',
      description: ABOUT_SESSION,
      body: schema.TrackerEventBody,
      response: schema.PlainAnswer,
    },
    handler: async (request) => {
      const { event, site_id, ...rest } = request.body
      const property = await findVisited(tracker, request, site_id)
      if (isFailure(property)) return property
      const call = { request, property }
      const session = await findSession(tracker, call)
      if (isFailure(session)) return session
      const sender = senderOf(tracker, call)
      const named = { ...rest, name: event }
      const { isStored } = await recordEvent(context, { propertyId: property.id, session, sender }, named)
      if (isStored) context.visitors.noteActivity(session)
      return stored
    },
  })
}

function addAcquisition(app: App, tracker: Tracker): void {
  const { context, guard } = tracker
  app.route({
    method: 'POST',
    url: '/v2/signal/:sessionId/acquisition',
    schema: {
      tags,
      summary: 'Record revenue and tags',
      description: ABOUT_SESSION,
      body: schema.TrackerAcquisitionBody,
      response: schema.AcquisitionAnswer,
    },
    handler: async (request) => {
      const { body } = request
      const property = await findVisited(tracker, request, body.site_id)
      if (isFailure(property)) return property
      const refused = guard.revenue(property, body)
      if (refused) return refused
      const call = { request, property }
      const session = await findSession(tracker, call)
      if (isFailure(session)) return session
      const sender = senderOf(tracker, call)
      const recorded = await recordAcquisition(context, { propertyId: property.id, session, sender }, body)
      // Only stored activity counts: otherwise the facts, and other nodes, would not know of it.
      if (recorded.isStored) context.visitors.noteActivity(session)
      await adoptCurrency(context, property, recorded.acquisition.value?.currency)
      return { ...stored, ...recorded.acquisition }
    },
  })
}

function addIdentify(app: App, tracker: Tracker): void {
  const { context, guard } = tracker
  app.route({
    method: 'POST',
    url: '/v2/signal/:sessionId/identify',
    onRequest: answerGpc(context),
    preValidation: answerGpc(context),
    schema: {
      tags,
      summary: 'Identify the visitor',
      description: ABOUT_SESSION,
      body: schema.IdentifyBody,
      response: schema.IdentifyAnswer,
    },
    handler: async (request) => {
      const { external_id, email, traits, site_id } = request.body
      const property = await findVisited(tracker, request, site_id)
      if (isFailure(property)) return property
      const refused = guard.identification(property)
      if (refused) return refused
      const session = await findSession(tracker, { request, property })
      if (isFailure(session)) return session
      const identification = { external_id, email, traits }
      const identified = await identifyContact(context, property.id, { by: 'visitor', identification, session })
      // Anybody may send a known email address: of the contact only the id is answered.
      return {
        success: true,
        message: identified.ignored.join(' ') || stored.message,
        contact_id: identified.contact.id,
        linked_to_session: identified.isLinked,
      }
    },
  })
}

function addResolve(app: App, tracker: Tracker): void {
  app.route({
    method: 'POST',
    url: '/v2/signal/resolve',
    schema: {
      tags,
      summary: "Get the visitor's session from the request",
      body: schema.ResolveBody,
      response: schema.ResolveAnswer,
    },
    handler: async (request) => {
      const property = await findVisited(tracker, request, request.body?.site_id)
      if (isFailure(property)) return { ...property, session_id: null }
      const session = await findVisitorSession(tracker, { request, property })
      if (!session) return { ...unknownSession, session_id: null }
      return { ...stored, session_id: sessionId(tracker.context.keys, property.id, session) }
    },
  })
}

export function trackerRoutes(context: Context): FastifyPluginAsyncTypebox {
  const tracker = openTracker(context)
  return async (app) => {
    answerRefusals(app)
    for (const add of [addLoad, addPing, addVitals, addEvent, addAcquisition, addIdentify, addResolve])
      add(app, tracker)
  }
}
