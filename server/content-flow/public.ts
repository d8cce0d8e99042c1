// Content as pages request it (docs/api/content.md): render answers 200 with `success` and a message, track
// 422 for what it refuses. `success: true` of track means that the interaction is stored.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { headerOf } from '../http/client.ts'
import { openVisitorReader } from '../tracker/tracker.ts'
import * as schema from './public-schema.ts'
import { openRender } from './render.ts'
import { trackContent } from './track.ts'

/** Called by visitors of the property's pages, with neither a token nor the property's key. */
const common = { tags: ['Content'], security: [] }

export function contentRoutes(context: Context): FastifyPluginAsyncTypebox {
  const readVisitor = openVisitorReader(context.config.trustProxy)
  const render = openRender(context)
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v2/content/:contentKey/render',
      schema: {
        ...common,
        summary: 'Get a content block in the version for this visitor',
        headers: schema.RenderHeaders,
        response: schema.RenderAnswer,
      },
      validatorCompiler: () => () => true,
      handler: async (request, reply) => {
        // Not cached: versions differ between visitors, and a cached request id would belong to another
        // visitor.
        reply.header('cache-control', 'private, no-store')
        const { contentKey } = request.params as { contentKey: string }
        return render({
          key: contentKey,
          referer: headerOf(request.headers, 'referer'),
          visitorOf: (property) => readVisitor(request, property),
        })
      },
    })

    app.route({
      method: 'POST',
      url: '/v2/content/track',
      schema: {
        ...common,
        summary: 'Report that a block was seen or clicked',
        body: schema.TrackBodySchema,
        response: schema.TrackAnswer,
      },
      handler: async (request) => {
        const visitorOf = (property: Parameters<typeof readVisitor>[1]) => readVisitor(request, property)
        const id = await trackContent(context, request.body, { headers: request.headers, visitorOf })
        return { success: true, interaction_id: id }
      },
    })
  }
}
