// Exports of a property (/manage/properties/{property}/exports): made in the background, looked at, fetched, removed. For admins: a file takes
// everything out at once.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { getProperty } from '../properties/properties.ts'
import { readPlan } from './export.ts'
import { shownExport } from './exports.ts'
import { DeletedAnswer, ExportAnswer, ExportList, ExportParams, NewExport, PropertyParams } from './schema.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/exports',
      { schema: { ...common, summary: 'List the exports', params: PropertyParams, response: { 200: ExportList } } },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ data: context.exports.list(id).map(shownExport) })
      },
    )

    app.post(
      '/manage/properties/:property/exports',
      {
        schema: {
          ...common,
          summary: 'Begin an export',
          params: PropertyParams,
          body: NewExport,
          response: { 200: ExportAnswer },
        },
      },
      async ({ params, body }) => {
        const property = await getProperty(context, params.property)
        const plan = readPlan(body, context.now(), property)
        return ok({ export: shownExport(await context.exports.create(property, plan)) })
      },
    )
  }
}

function oneRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/exports/:export',
      {
        schema: { ...common, summary: 'How far an export is', params: ExportParams, response: { 200: ExportAnswer } },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ export: shownExport(context.exports.get(id, params.export)) })
      },
    )

    app.delete(
      '/manage/properties/:property/exports/:export',
      {
        schema: {
          ...common,
          summary: 'Remove an export, or end it',
          params: ExportParams,
          response: { 200: DeletedAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        await context.exports.remove(id, params.export)
        return ok({ deleted: true })
      },
    )

    app.get(
      '/manage/properties/:property/exports/:export/file',
      {
        schema: {
          ...common,
          summary: 'The file of an export that is done',
          params: ExportParams,
          produces: ['text/csv', 'application/json', 'application/vnd.apache.parquet'],
        },
      },
      async ({ params }, reply) => {
        const { id } = await getProperty(context, params.property)
        const { name, type, bytes, stream } = await context.exports.open(id, params.export)
        reply.headers({
          'content-disposition': `attachment; filename="${name}"`,
          'content-length': bytes,
          'cache-control': 'private, no-store',
          'x-content-type-options': 'nosniff',
        })
        return reply.type(type).send(stream)
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'admin'))
    for (const part of [listRoutes, oneRoutes]) await app.register(part(context))
  }
}
