// Programs that came to the site (/manage/properties/{property}/bots).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { answerBots } from './bots.ts'
import { BotsAnswer, BotsBody, PropertyParams } from './manage-schema.ts'
import { allowNoBody } from './routes.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer'))
    app.route({
      method: 'POST',
      url: '/manage/properties/:property/bots',
      preValidation: allowNoBody,
      schema: {
        tags: ['Dashboard'],
        security: [{ admin: [] }],
        summary: 'Sessions of bots: how many, which, over which networks, and their pages',
        params: PropertyParams,
        body: BotsBody,
        response: { 200: BotsAnswer },
      },
      handler: async ({ params, body }) =>
        ok(await answerBots(context, await getProperty(context, params.property), body)),
    })
  }
}
