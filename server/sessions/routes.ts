// The session actions of the owner's server (SPEC.md 4.2). A genuine session id is good for ever: an order may come weeks after the visit.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyInstance, FastifyRequest, preValidationHookHandler } from 'fastify'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { propertyOf, requireScope } from '../http/hooks.ts'
import type { SessionRef } from '../kernel/ids.ts'
import { Problem } from '../kernel/problem.ts'
import { getSession, givenSessionId, namesSession, type NamesSession, sessionMissing } from './given.ts'
import { AcquisitionAnswer, AcquisitionBody, EventAnswer, EventBody, SessionHeaders } from './schema.ts'
import { recordAcquisition, recordEvent } from './sessions.ts'
import { owner } from './triggers.ts'

interface GivenSession {
  readonly id: string
  readonly session: SessionRef
}

/** @throws Problem('validation_failed') without one, Problem('not_found') for one that is not of the property. */
function requireSession(context: Context, request: FastifyRequest, body: NamesSession): GivenSession {
  const id = givenSessionId(request.headers, body)
  if (id === undefined) throw sessionMissing()
  return { id, session: getSession(context.keys, propertyOf(request).id, id) }
}

/** Told before anything else that is wrong with a body: what it is about comes first. */
const refuseWithoutSession: preValidationHookHandler = (request, _reply, done) =>
  done(namesSession(request.headers, request.body) ? undefined : sessionMissing())

/** The same of a body that cannot be read: whatever it names, no session was found. */
function tellOfUnread(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Problem, { headers, body }) => {
    const isUnread = body === undefined && error instanceof Problem && error.kind === 'validation_failed'
    throw isUnread && !error.errors && !namesSession(headers, body) ? sessionMissing(error.message) : error
  })
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'signals:write')
  const tags = ['Session actions']
  return async (app) => {
    tellOfUnread(app)
    app.addHook('preValidation', refuseWithoutSession)

    app.route({
      method: 'POST',
      url: '/v2/property/session/event',
      onRequest,
      schema: {
        tags,
        summary: 'Record an event on a session',
        headers: SessionHeaders,
        body: EventBody,
        response: { 200: EventAnswer },
      },
      handler: async (request) => {
        const { session } = requireSession(context, request, request.body)
        return ok({ event: await recordEvent(context, propertyOf(request).id, session, request.body, owner) })
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/property/session/acquisition',
      onRequest,
      schema: {
        tags,
        summary: 'Record money and tags on a session',
        headers: SessionHeaders,
        body: AcquisitionBody,
        response: { 200: AcquisitionAnswer },
      },
      handler: async (request) => {
        const { id, session } = requireSession(context, request, request.body)
        const { acquisition } = await recordAcquisition(context, propertyOf(request).id, session, request.body, owner)
        return ok({ session: { id, ...acquisition } })
      },
    })
  }
}
