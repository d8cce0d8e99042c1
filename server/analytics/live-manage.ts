// Who is on the site now (/manage/properties/{property}/live).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole, shareOf } from '../http/hooks.ts'
import { inShareTurn } from '../http/share-turns.ts'
import { getProperty } from '../properties/properties.ts'
import { answerLiveView } from './live-view.ts'
import { LiveViewAnswer, LiveViewBody, PropertyParams } from './manage-schema.ts'
import { allowNoBody, checkSharedAsk } from './routes.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer', { shared: true }))
    app.addHook('preHandler', checkSharedAsk)
    app.route({
      method: 'POST',
      url: '/manage/properties/:property/live',
      preValidation: allowNoBody,
      schema: {
        tags: ['Dashboard'],
        security: [{ admin: [] }],
        summary: 'Who is here: sessions of the last five minutes, their pages, countries and sources',
        params: PropertyParams,
        body: LiveViewBody,
        response: { 200: LiveViewAnswer },
      },
      handler: async (request) => {
        const property = await getProperty(context, request.params.property)
        const isShared = shareOf(request) !== undefined
        const answer = () => answerLiveView(context, property, request.body, { isShared })
        return ok(await inShareTurn(shareOf(request), answer))
      },
    })
  }
}
