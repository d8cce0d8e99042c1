// Failures in the browser libraries by day (/manage/properties/{property}/lib-errors), for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { listLibErrors } from './lib-errors.ts'
import { LibErrorPage, LibErrorQuery, PropertyParams } from './schema.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    app.get(
      '/manage/properties/:property/lib-errors',
      {
        schema: {
          tags: ['Management'],
          security: [{ admin: [] }],
          summary: 'The most frequent failures of the browser libraries, by day',
          params: PropertyParams,
          querystring: LibErrorQuery,
          response: { 200: LibErrorPage },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const ask = readPageAsk(query)
        const { rows, total } = await listLibErrors(context, property, query, ask)
        const path = `/manage/properties/${property.id}/lib-errors`
        return ok(paginateLinked(rows, ask, total, { baseUrl: context.config.baseUrl, path, query }))
      },
    )
  }
}
