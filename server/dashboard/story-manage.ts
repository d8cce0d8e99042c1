// One session with its story (/manage/properties/{property}/sessions/{session}).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { SessionParams, StoryAnswer } from './schema.ts'
import { readStory } from './story.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer'))
    app.route({
      method: 'GET',
      url: '/manage/properties/:property/sessions/:session',
      schema: {
        tags: ['Dashboard'],
        security: [{ admin: [] }],
        summary: 'A session, and what happened in it in the order of time',
        params: SessionParams,
        response: { 200: StoryAnswer },
      },
      handler: async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok(await readStory(context, id, params.session))
      },
    })
  }
}
