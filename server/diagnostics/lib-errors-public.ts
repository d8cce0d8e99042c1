// POST /v2/lib/error (SPEC.md 4.6): a browser library tells of its own failure. What is refused is refused in a shape of its own.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { problemOf } from '../http/errors.ts'
import { openVisitorReader } from '../tracker/client.ts'
import { recordLibError } from './lib-errors.ts'
import { LibErrorAnswer, LibErrorBody } from './schema.ts'

const messages = { payload: 'Invalid payload', property: 'Invalid property' } as const

function refuse(reply: FastifyReply, what: keyof typeof messages): FastifyReply {
  return reply.code(422).send({ code: 422, status: 'Error', data: { error: messages[what] } })
}

/** What the caller wrote is an invalid payload, also when it is no JSON or is not said to be; all else is told by the group. */
function answerRefusals(error: unknown, _request: FastifyRequest, reply: FastifyReply): void {
  const kind = problemOf(error)?.kind
  if (kind !== 'validation_failed' && kind !== 'unsupported_media_type') throw error
  void refuse(reply, 'payload')
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  const readVisitor = openVisitorReader(context.config.trustProxy)
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/lib/error',
      errorHandler: answerRefusals,
      schema: {
        tags: ['Diagnostics'],
        security: [],
        summary: 'Report a failure in a browser library',
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
