// Is the tracking of a property working (/manage/properties/{property}/tracking)?
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { clientAddress } from '../http/client.ts'
import { getProperty } from '../properties/properties.ts'
import { PropertyParams, TrackingAnswer } from './schema.ts'
import { readTracking } from './tracking.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'viewer'))
    app.route({
      method: 'GET',
      url: '/manage/properties/:property/tracking',
      schema: {
        tags: ['Dashboard'],
        security: [{ admin: [] }],
        summary: 'What arrived lately, and what to do about what did not',
        params: PropertyParams,
        response: { 200: TrackingAnswer },
      },
      handler: async (request) => {
        const property = await getProperty(context, request.params.property)
        return ok(await readTracking(context, property, clientAddress(request)))
      },
    })
  }
}
