// The endpoints of the results of links and groups.
import { role } from '../http/access.ts'
import { chapter, get, getRaw } from '../http/endpoint.ts'
import { unlessEmpty } from '../kernel/page.ts'
import { resultsCsv } from './csv.ts'
import { type Named, readResults } from './link-results.ts'
import { ResultsFileRow, ResultsQuery, ResultsShape, SplitQuery, SplitShape } from './schema.ts'
import { readSplitResults } from './split.ts'

const fileHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}-results.csv"`,
})

const file = { query: ResultsQuery, produces: ['text/csv'], rows: [ResultsFileRow] }

const pair = (kind: Named['kind'], id: string, other: string | undefined): [Named, Named?] => {
  const beside = unlessEmpty(other)
  return beside === undefined
    ? [{ kind, id }]
    : [
        { kind, id },
        { kind, id: beside },
      ]
}

export const linkResultEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/links/:link/results',
    role('viewer'),
    {
      summary: 'Get the results of a link from clicks to value, over time and by country, device, referrer and rule',
      query: ResultsQuery,
      answer: { results: ResultsShape },
    },
    async ({ context, property, params, query }) => ({
      results: await readResults(context, property, pair('link', params.link, query.with), query),
    }),
  ),
  get(
    '/manage/properties/:property/link-groups/:group/results',
    role('viewer'),
    {
      summary:
        'Get the results of a link group from clicks to value, over time and by country, device, referrer and rule',
      query: ResultsQuery,
      answer: { results: ResultsShape },
    },
    async ({ context, property, params, query }) => ({
      results: await readResults(context, property, pair('link_group', params.group, query.with), query),
    }),
  ),
  get(
    '/manage/properties/:property/links/:link/split-results',
    role('viewer'),
    {
      summary: 'Compare the destinations of the split of a link by how many of their visitors reached a goal',
      query: SplitQuery,
      answer: { results: SplitShape },
    },
    async ({ context, property, params, query }) => ({
      results: await readSplitResults(context, property, params.link, query),
    }),
  ),
  getRaw(
    '/manage/properties/:property/links/:link/results/export',
    role('viewer'),
    { summary: 'Export the results of a link as CSV', ...file },
    async ({ context, property, params, query, reply }) => {
      const results = await readResults(context, property, [{ kind: 'link', id: params.link }], query)
      return reply.headers(fileHeaders('link')).send(resultsCsv(results))
    },
  ),
  getRaw(
    '/manage/properties/:property/link-groups/:group/results/export',
    role('viewer'),
    { summary: 'Export the results of a link group as CSV', ...file },
    async ({ context, property, params, query, reply }) => {
      const results = await readResults(context, property, [{ kind: 'link_group', id: params.group }], query)
      return reply.headers(fileHeaders('group')).send(resultsCsv(results))
    },
  ),
])
