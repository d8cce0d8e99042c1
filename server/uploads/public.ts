// Files by signed links, as webhooks have them (docs/webhooks.md).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { openFile } from './download.ts'
import { readFileLink } from './links.ts'

export function uploadRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/uploads/:link',
      schema: { hide: true },
      handler: async (request, reply) => {
        const { link } = request.params as { readonly link: string }
        const { headers, content } = await openFile(context, readFileLink(context.keys, link, context.now()))
        return reply.headers(headers).send(content)
      },
    })
  }
}
