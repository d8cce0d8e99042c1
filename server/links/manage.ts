// What the owner sees of a link or a group beyond /v2 (/manage/properties/{property}/links, …/link-groups), for the administrator.
import { type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireAdmin } from '../http/auth.ts'
import { getProperty } from '../properties/properties.ts'
import { GroupParams, LinkParams, StatisticsAnswer, StatisticsQuery } from './click-schema.ts'
import { getGroup } from './groups.ts'
import { getLink } from './links.ts'
import { readStatistics } from './statistics.ts'

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

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireAdmin(context))
    for (const part of [statisticsRoutes]) await app.register(part(context))
  }
}
