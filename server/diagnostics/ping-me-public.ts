// GET /v2/ping-me: what this service sees of its caller, by the same code as a page view. For finding out
// what a proxy passes on; nothing is stored.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { cleanText } from '../enrich/enrich.ts'
import { headerOf } from '../http/client.ts'
import { openVisitorReader, hintsIn, type Visitor } from '../tracker/tracker.ts'
import { PingMeAnswer } from './schema.ts'

/** As for referrers of page views. */
const MAX_REFERRER = 2048

const known = (text: string): string | null => (text === '' ? null : text)

function seenOf({ enrich }: Pick<Context, 'enrich'>, { headers }: FastifyRequest, visitor: Visitor) {
  const hints = hintsIn(headers)
  const place = enrich.place(visitor.address)
  const agent = enrich.agent(visitor.agent, hints)
  const bot = enrich.bot({ userAgent: visitor.agent, place, brands: hints?.brands })
  return {
    ip: known(visitor.address),
    asn: place.asn,
    as_name: known(place.as_name),
    country: known(place.country),
    country_code: known(place.country_code),
    region: known(place.region),
    city: known(place.city),
    timezone: known(place.timezone),
    lat: place.lat,
    lon: place.lon,
    device: known(agent.device),
    os: known(agent.os),
    browser: known(agent.browser),
    language: known(enrich.language(visitor.language)),
    is_bot: bot.is_bot,
    bot_name: known(bot.name),
    referrer: known(cleanText(headerOf(headers, 'referer') ?? '', MAX_REFERRER)),
  }
}

/** The property only matters for X-PROXY-*, through its proxy key. */
const nobody = { proxy_key_hash: null }

export function pingMeRoutes(context: Context): FastifyPluginAsyncTypebox {
  const readVisitor = openVisitorReader(context.config.trustProxy)
  return async (app) => {
    app.get(
      '/v2/ping-me',
      {
        schema: {
          tags: ['Diagnostics'],
          security: [],
          summary: 'Get what the service sees of the caller',
          response: PingMeAnswer,
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'private, no-store')
        const property = await context.properties.byKey(headerOf(request.headers, 'x-svc-id') ?? '')
        return seenOf(context, request, readVisitor(request, property ?? nobody))
      },
    )
  }
}
