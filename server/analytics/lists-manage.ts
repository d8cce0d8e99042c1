// The full lists of a property (/manage/properties/{property}/lists/{dimension}), for whoever may look at its overview.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { boundToAsker } from '../kernel/asker.ts'
import { ok } from '../http/answer.ts'
import { requireRole, shareOf } from '../http/hooks.ts'
import { holdShareFile, inShareTurn } from '../http/share-turns.ts'
import { getProperty } from '../properties/properties.ts'
import { answerList, exportList, parseListId } from './lists.ts'
import { ListAnswer, ListBody, ListParams, ListQuery } from './manage-schema.ts'
import { allowNoBody, checkSharedAsk } from './routes.ts'

/** The first part is awaited: until it is there, what goes wrong can still be answered. */
async function sendCsv(reply: FastifyReply, name: string, parts: AsyncGenerator<string>): Promise<FastifyReply> {
  const first = await parts.next()
  const next = boundToAsker(() => parts.next())
  async function* all(): AsyncGenerator<string> {
    for (let part = first; !part.done; part = await next()) yield part.value
  }
  reply.headers({ 'content-disposition': `attachment; filename="${name}.csv"`, 'cache-control': 'no-store' })
  return reply.type('text/csv; charset=utf-8').send(Readable.from(all(), { objectMode: false }))
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer', { shared: true }))
    app.addHook('preHandler', checkSharedAsk)
    app.route({
      method: 'POST',
      url: '/manage/properties/:property/lists/:dimension',
      preValidation: allowNoBody,
      schema: {
        tags: ['Dashboard'],
        security: [{ admin: [] }],
        summary: 'All values of a dimension by sessions, searched and page by page, or as CSV',
        params: ListParams,
        querystring: ListQuery,
        body: ListBody,
        response: { 200: ListAnswer },
      },
      handler: async (request, reply) => {
        const { params, query, body } = request
        const isShared = shareOf(request) !== undefined
        const property = await getProperty(context, params.property)
        if (query.format !== 'csv') {
          const answer = () => answerList(context, property, params.dimension, { ...body, isShared })
          return ok(await inShareTurn(shareOf(request), answer))
        }
        holdShareFile(shareOf(request), reply)
        const id = parseListId(params.dimension)
        return sendCsv(reply, `${id}-${property.id}`, exportList(context, property, id, { ...body, isShared }))
      },
    })
  }
}
