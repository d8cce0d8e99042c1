// The figures of a form (/manage/properties/{property}/forms/{form}/statistics), for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { getForm } from './forms.ts'
import { FormParams, StatisticsAnswer, StatisticsQuery } from './statistics-schema.ts'
import { readFormStatistics } from './statistics.ts'

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    app.get(
      '/manage/properties/:property/forms/:form/statistics',
      {
        schema: {
          tags: ['Management'],
          security: [{ admin: [] }],
          summary: 'Views, openings and submissions of a form',
          params: FormParams,
          querystring: StatisticsQuery,
          response: { 200: StatisticsAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const form = await getForm(context, property.id, params.form)
        return ok({ statistics: await readFormStatistics(context, property, form.id, query) })
      },
    )
  }
}
