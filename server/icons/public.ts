// The icons of lists: `favicon` in the top lists points to those of domains. They are public: they reveal
// nothing beyond their URL.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { Problem } from '../kernel/problem.ts'
import { domainIcon, flagIcon, namedIcon, namedKinds } from './icons.ts'

/** A week: a version may have another drawing. */
const CACHE = 'public, max-age=604800'
/** An SVG that is opened by itself is a document: it may load and run nothing. */
const POLICY = "default-src 'none'; sandbox"
/** As long as a domain name may be. */
const NAME_CHARACTERS = 253

const name = Type.String({ minLength: 1, maxLength: NAME_CHARACTERS })
const tags = ['Public']

const sendIcon = (reply: FastifyReply, svg: string): FastifyReply =>
  reply
    .headers({ 'cache-control': CACHE, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' })
    .type('image/svg+xml; charset=utf-8')
    .send(svg)

export function iconRoutes(_context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/icons/:domain.svg',
      schema: { tags, summary: 'Get an icon for a domain', params: Type.Object({ domain: name }) },
      handler: async (request, reply) => sendIcon(reply, domainIcon(request.params.domain)),
    })
    app.route({
      method: 'GET',
      url: '/icons/flags/:code.svg',
      schema: {
        tags,
        summary: 'Get the flag of a country by its ISO 3166 code',
        params: Type.Object({ code: Type.String({ minLength: 2, maxLength: 2 }) }),
      },
      handler: async (request, reply) => {
        const svg = flagIcon(request.params.code)
        if (!svg) throw new Problem('not_found', 'There is no flag of this code.')
        return sendIcon(reply, svg)
      },
    })
    for (const kind of namedKinds)
      app.route({
        method: 'GET',
        url: `/icons/${kind}/:name.svg`,
        schema: { tags, summary: `Get an icon for one of the ${kind} by its name`, params: Type.Object({ name }) },
        handler: async (request, reply) => sendIcon(reply, namedIcon(kind, request.params.name)),
      })
  }
}
