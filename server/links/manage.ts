// What the owner sees of a link or a group beyond /v2 (/manage/properties/{property}/links, …/link-groups), for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/auth.ts'
import { readInteger } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { GroupParams, LinkParams, StatisticsAnswer, StatisticsQuery } from './click-schema.ts'
import { getGroup } from './groups.ts'
import { getLink, getShortUrl } from './links.ts'
import { MAX_QR_SIZE, MIN_QR_SIZE, qrPng, qrSvg } from './qr.ts'
import { QrQuery } from './schema.ts'
import { readStatistics } from './statistics.ts'

/** CSS pixels of an SVG, pixels of a PNG: sharp on a page and on small print. */
const DEFAULT_QR_SIZE = 512

const common = { tags: ['Management'], security: [{ admin: [] }] }

function statisticsRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/links/:link/statistics',
      {
        schema: {
          ...common,
          summary: 'Clicks, arrivals and engaged sessions of a link',
          params: LinkParams,
          querystring: StatisticsQuery,
          response: { 200: StatisticsAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const link = await getLink(context, property.id, params.link)
        const owner = { linkId: link.id, groupId: link.group_id }
        return ok({ statistics: await readStatistics(context, property, owner, query) })
      },
    )

    app.get(
      '/manage/properties/:property/link-groups/:group/statistics',
      {
        schema: {
          ...common,
          summary: 'Clicks, arrivals and engaged sessions of a link group',
          params: GroupParams,
          querystring: StatisticsQuery,
          response: { 200: StatisticsAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const group = await getGroup(context, property.id, params.group)
        return ok({ statistics: await readStatistics(context, property, { groupId: group.id }, query) })
      },
    )
  }
}

function qrRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/links/:link/qr',
      {
        schema: {
          ...common,
          summary: 'The QR code of a link, as a picture',
          params: LinkParams,
          querystring: QrQuery,
          produces: ['image/svg+xml', 'image/png'],
        },
      },
      async ({ params, query }, reply) => {
        const { id } = await getProperty(context, params.property)
        const { code, short_url } = await getShortUrl(context, id, params.link)
        const size = readInteger('size', query.size, { min: MIN_QR_SIZE, max: MAX_QR_SIZE, default: DEFAULT_QR_SIZE })
        const format = query.format ?? 'svg'
        reply.header('content-disposition', `inline; filename="${code}.${format}"`)
        return format === 'png'
          ? reply.type('image/png').send(await qrPng(short_url, size))
          : reply.type('image/svg+xml; charset=utf-8').send(qrSvg(short_url, size))
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [statisticsRoutes, qrRoutes]) await app.register(part(context))
  }
}
