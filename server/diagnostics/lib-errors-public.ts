// POST /v2/lib/error (docs/api/diagnostics.md): a browser library reports its own failure. Refusals have a
// shape of their own.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { problemOf } from '../http/errors.ts'
import { openVisitorReader } from '../tracker/tracker.ts'
import { recordLibError } from './lib-errors.ts'
import { LibErrorAnswer, LibErrorBody } from './schema.ts'

const messages = { payload: 'Invalid payload', property: 'Invalid property' } as const

function refuse(reply: FastifyReply, what: keyof typeof messages): FastifyReply {
  return reply.code(422).send({ code: 422, status: 'Error', data: { error: messages[what] } })
}

/**
 * Faults of the caller's body are an invalid payload, including broken JSON and a wrong type; the group
 * answers all others.
 */
function answerRefusals(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const kind = problemOf(error)?.kind
  if (kind !== 'validation_failed' && kind !== 'unsupported_media_type') throw error
  void refuse(reply, 'payload')
}

export function libErrorRoutes(context: Context): FastifyPluginAsyncTypebox {
  const readVisitor = openVisitorReader(context.config.trustProxy)
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/lib/error',
      errorHandler: answerRefusals,
      schema: {
        tags: ['Diagnostics'],
        security: [],
        summary: 'Report an error in a browser library',
        body: LibErrorBody,
        response: LibErrorAnswer,
      },
      handler: async (request, reply) => {
        const visitorOf = (property: Parameters<typeof readVisitor>[1]) => readVisitor(request, property)
        const refused = await recordLibError(context, request.body, { visitorOf, headers: request.headers })
        return refused ? refuse(reply, refused) : ok({ ok: true })
      },
    })
  }
}
