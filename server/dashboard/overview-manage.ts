// The overview of a property (/manage/properties/{property}/overview), for whoever may look at it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { allowNoBody, checkSharedAsk } from '../analytics/routes.ts'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole, shareOf } from '../http/hooks.ts'
import { inShareTurn } from '../http/share-turns.ts'
import { getProperty } from '../properties/properties.ts'
import { openOverviews } from './overview.ts'
import { OverviewAnswer, OverviewBody, PropertyParams } from './schema.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  const overviews = openOverviews(context, context.answers)
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer', { shared: true }))
    app.addHook('preHandler', checkSharedAsk)
    app.route({
      method: 'POST',
      url: '/manage/properties/:property/overview',
      preValidation: allowNoBody,
      schema: {
        tags: ['Dashboard'],
        security: [{ admin: [] }],
        summary: 'Cards, graph, lists and outcomes of a window in one answer',
        params: PropertyParams,
        body: OverviewBody,
        response: { 200: OverviewAnswer },
      },
      handler: async (request) => {
        const property = await getProperty(context, request.params.property)
        const isShared = shareOf(request) !== undefined
        return ok(await inShareTurn(shareOf(request), () => overviews.answer(property, request.body, { isShared })))
      },
    })
  }
}
