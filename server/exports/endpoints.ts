// The endpoints of exports (/manage/properties/{property}/exports): made in the background, looked at,
// fetched, removed. For admins: a file takes everything out at once.
import { role } from '../http/access.ts'
import { chapter, get, getRaw, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields } from '../http/shapes.ts'
import { readPlan } from './export.ts'
import { createExport, getExport, listExports, openExport, removeExport } from './office.ts'
import * as schema from './schema.ts'

const managing = role('admin')

export const exportEndpoints = chapter('Management', [
  get(
    '/manage/properties/:property/exports',
    managing,
    { summary: 'List the exports', answer: { data: schema.ExportList }, says: 'Newest first.' },
    async ({ context, property }) => ({ data: await listExports(context, property.id) }),
  ),
  post(
    '/manage/properties/:property/exports',
    managing,
    { summary: 'Start an export', body: schema.NewExport, answer: schema.exportFields, says: 'The export.' },
    async ({ context, property, body }) => {
      const plan = readPlan(body, context.now(), property)
      return { export: await createExport(context, property, plan) }
    },
  ),
  get(
    '/manage/properties/:property/exports/:export',
    managing,
    { summary: 'Get the progress of an export', answer: schema.exportFields, says: 'The export.' },
    async ({ context, property, params }) => ({ export: await getExport(context, property.id, params.export) }),
  ),
  remove(
    '/manage/properties/:property/exports/:export',
    managing,
    {
      summary: 'Delete or cancel an export',
      answer: deletedFields,
      says: 'Gone, and ended when it was under way.',
    },
    async ({ context, property, params }) => {
      await removeExport(context, property.id, params.export)
      return deleted
    },
  ),
  getRaw(
    '/manage/properties/:property/exports/:export/file',
    managing,
    {
      summary: 'Download a finished export',
      produces: ['text/csv', 'application/json', 'application/vnd.apache.parquet'],
      rows: Object.values(schema.rowShapes),
      document: schema.RecordsShape,
    },
    async ({ context, property, params, reply }) => {
      const { name, type, bytes, stream } = await openExport(context, property.id, params.export)
      reply.headers({
        'content-disposition': `attachment; filename="${name}"`,
        'content-length': bytes,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
      return reply.type(type).send(stream)
    },
  ),
])
