// The icons that `favicon` in the top lists points to. They are public: they reveal nothing beyond their URL.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { domainIcon } from './icons.ts'

/** The icon of a domain never changes. */
const CACHE = 'public, max-age=604800, immutable'
/** An SVG that is opened by itself is a document: it may load and run nothing. */
const POLICY = "default-src 'none'; sandbox"
/** As long as a domain name may be. */
const DOMAIN_CHARACTERS = 253

export function iconRoutes(_context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/icons/:domain.svg',
      schema: {
        tags: ['Public'],
        summary: 'Get an icon for a domain',
        params: Type.Object({ domain: Type.String({ minLength: 1, maxLength: DOMAIN_CHARACTERS }) }),
      },
      handler: async (request, reply) =>
        reply
          .headers({ 'cache-control': CACHE, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
          .type('image/svg+xml; charset=utf-8')
          .send(domainIcon(request.params.domain)),
    })
  }
}
