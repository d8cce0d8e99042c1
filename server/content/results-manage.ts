// The results of a content block (/manage/properties/{property}/content/{block}/results), for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { readInteger, unlessEmpty } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { getBlock } from './blocks.ts'
import { ResultsAnswer, ResultsParams, ResultsQuery } from './results-schema.ts'
import { readResults } from './results.ts'

/** What a phase is stored in. */
const MAX_PHASE = 2 ** 31 - 1

/** null: none is named. */
function readPhaseNumber(text: string | undefined): number | null {
  const given = unlessEmpty(text)
  return given === undefined ? null : readInteger('phase', given, { min: 1, max: MAX_PHASE, default: 1 })
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    app.get(
      '/manage/properties/:property/content/:block/results',
      {
        schema: {
          tags: ['Management'],
          security: [{ admin: [] }],
          summary: 'What each version of a content block brought in a phase',
          params: ResultsParams,
          querystring: ResultsQuery,
          response: { 200: ResultsAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const block = await getBlock(context, property.id, params.block)
        return ok({ results: await readResults(context, block, readPhaseNumber(query.phase)) })
      },
    )
  }
}
