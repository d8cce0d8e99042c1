// The analytics endpoints (SPEC.md 4.1). Their answers carry no envelope.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { propertyOf, requireScope, shareOf } from '../http/hooks.ts'
import { inShareTurn } from '../http/share-turns.ts'
import { answerMetrics, answerSessions } from './analytics.ts'
import { type ClauseAsk, parseClauses } from './clauses.ts'
import { answerGraph, answerLive } from './graph.ts'
import {
  GraphAnswer,
  GraphBody,
  LiveBody,
  MetricsAnswer,
  MetricsBody,
  SessionsAnswer,
  SessionsBody,
  SessionsQuery,
} from './schema.ts'
import { checkSharedClauses, type Shared } from './shared.ts'

const SESSIONS_PATH = '/v2/property/signals/sessions'

/** Every field has a default: no body at all asks for all the defaults. */
export async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

/** A preHandler hook of questions that a share link may ask. @throws Problem('validation_failed') */
export async function checkSharedAsk(request: FastifyRequest): Promise<void> {
  const { clauses } = request.body as { readonly clauses?: readonly ClauseAsk[] | null }
  if (shareOf(request)) checkSharedClauses(parseClauses(clauses ?? []))
}

const sharedBy = (request: FastifyRequest): Shared => ({ isShared: shareOf(request) !== undefined })

export function routes(context: Context): FastifyPluginAsyncTypebox {
  const hooks = {
    onRequest: requireScope(context, 'signals:read', { shared: true }),
    preValidation: allowNoBody,
    preHandler: checkSharedAsk,
  }
  // Visits one by one tell of people: not for whoever has a share link.
  const sessionHooks = { ...hooks, onRequest: requireScope(context, 'signals:read') }
  const tags = ['Analytics']
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/property/signals/analytics/metrics',
      ...hooks,
      schema: {
        tags,
        summary: 'Summary, top lists, countries and languages of a window',
        body: MetricsBody,
        response: { 200: MetricsAnswer },
      },
      handler: async (request) =>
        inShareTurn(shareOf(request), () =>
          answerMetrics(context, propertyOf(request), request.body, sharedBy(request)),
        ),
    })

    app.route({
      method: 'POST',
      url: '/v2/property/signals/analytics/graph',
      ...hooks,
      schema: { tags, summary: 'One metric over time', body: GraphBody, response: { 200: GraphAnswer } },
      handler: async (request) =>
        inShareTurn(shareOf(request), () => answerGraph(context, propertyOf(request), request.body, sharedBy(request))),
    })

    app.route({
      method: 'POST',
      url: '/v2/property/signals/analytics/live',
      ...hooks,
      schema: {
        tags,
        summary: 'One metric over the last five minutes',
        body: LiveBody,
        response: { 200: GraphAnswer },
      },
      handler: async (request) =>
        inShareTurn(shareOf(request), () => answerLive(context, propertyOf(request), request.body, sharedBy(request))),
    })

    app.route({
      method: 'POST',
      url: SESSIONS_PATH,
      ...sessionHooks,
      schema: {
        tags,
        summary: 'Sessions of a window, newest first',
        body: SessionsBody,
        querystring: SessionsQuery,
        response: { 200: SessionsAnswer },
      },
      handler: async (request) =>
        answerSessions(context, propertyOf(request), request.body, SESSIONS_PATH, request.query),
    })
  }
}
