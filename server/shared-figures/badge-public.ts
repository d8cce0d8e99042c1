// The badges of share links, which pages of anybody show as an image.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { BADGE_SECONDS, badgeImage, openBadges } from './badge.ts'

const MAX_LABEL = 40
const MAX_KEY = 64
const USUAL_LABEL = 'online now'

/** An SVG that is opened by itself is a document: it may load and run nothing. */
const headers = {
  'cache-control': `public, max-age=${BADGE_SECONDS}`,
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

export function badgeRoutes(context: Context): FastifyPluginAsyncTypebox {
  const countLive = openBadges(context)
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/icons/live/:badge.svg',
      schema: {
        tags: ['Public'],
        summary: 'Get the badge of a share link: live visitors as an image',
        params: Type.Object({ badge: Type.String({ minLength: 1, maxLength: MAX_KEY }) }),
        querystring: Type.Object({
          label: Type.Optional(
            Type.String({ maxLength: MAX_LABEL, description: `Behind the number. Default: ${USUAL_LABEL}.` }),
          ),
        }),
      },
      handler: async ({ params, query }, reply) => {
        const count = await countLive(params.badge)
        const label = (query.label ?? USUAL_LABEL).toWellFormed().replace(/\p{Cc}/gu, ' ')
        return reply.headers(headers).type('image/svg+xml; charset=utf-8').send(badgeImage(count, label))
      },
    })
  }
}
