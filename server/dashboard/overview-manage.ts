// The overview of a property (/manage/properties/{property}/overview), for whoever may look at it.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/auth.ts'
import { getProperty } from '../properties/properties.ts'
import { openOverviews } from './overview.ts'
import { OverviewAnswer, OverviewBody, PropertyParams } from './schema.ts'

/** Every field has a default: no body at all asks for all the defaults. */
async function allowNoBody(request: FastifyRequest): Promise<void> {
  request.body ??= {}
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  const overviews = openOverviews(context)
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer', { shared: true }))
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
      handler: async ({ params, body }) =>
        ok(await overviews.answer(await getProperty(context, params.property), body)),
    })
  }
}
