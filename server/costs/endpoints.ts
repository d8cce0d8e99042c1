// What advertising cost (docs/api/dashboard.md, "Costs").
import { role } from '../http/access.ts'
import { chapter, get, post } from '../http/endpoint.ts'
import { linkedPage } from '../kernel/page.ts'
import { listCosts, removeCosts } from './costs.ts'
import { importFile, importRows } from './import.ts'
import * as schema from './schema.ts'

const writing = role('admin')

export const costEndpoints = chapter('Dashboard', [
  get(
    '/manage/properties/:property/costs',
    role('viewer'),
    {
      summary: 'List the advertising costs of a property, latest day first',
      query: schema.PageQuery,
      answer: schema.listFields,
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listCosts(context, property.id, ask)),
  ),
  post(
    '/manage/properties/:property/costs',
    writing,
    {
      summary: 'Record advertising costs by day, source, medium and campaign',
      body: schema.CostsBody,
      answer: schema.importedFields,
      says: 'With any invalid row nothing is written.',
    },
    async ({ context, property, body: { rows, is_trial } }) =>
      importRows(context, property, { rows, isTrial: is_trial ?? false }),
  ),
  post(
    '/manage/properties/:property/costs/import',
    writing,
    {
      summary: 'Check advertising costs in CSV, and record them all if every row is valid',
      body: schema.ImportBody,
      answer: schema.importedFields,
    },
    async ({ context, property, body: { csv, is_trial } }) =>
      importFile(context, property, { csv, isTrial: is_trial ?? false }),
  ),
  post(
    '/manage/properties/:property/costs/remove',
    writing,
    {
      summary: 'Remove the advertising costs of some days',
      body: schema.RemoveBody,
      answer: schema.removedFields,
    },
    async ({ context, property, body }) => ({ removed: await removeCosts(context, property.id, body) }),
  ),
])
