// The endpoint of failures that the browser libraries report (/manage/properties/{property}/lib-errors).
import { role } from '../http/access.ts'
import { chapter, get } from '../http/endpoint.ts'
import { pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import { listLibErrors } from './lib-errors.ts'
import { ErrorDayShape, LibErrorQuery } from './schema.ts'

export const diagnosticsEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/lib-errors',
    role('viewer'),
    {
      summary: 'List the most frequent errors of the browser libraries by day',
      query: LibErrorQuery,
      answer: pageFields(ErrorDayShape),
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listLibErrors(context, property, query, ask)),
  ),
])
