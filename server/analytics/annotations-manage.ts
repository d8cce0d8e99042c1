// Annotations of a property (/manage/properties/{property}/annotations).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { createAnnotation, listAnnotations, removeAnnotation, updateAnnotation } from './annotations.ts'
import * as schema from './manage-schema.ts'

const common = { tags: ['Dashboard'], security: [{ admin: [] }] }

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/annotations',
      {
        schema: {
          ...common,
          summary: 'List the annotations of a property, the latest time first',
          params: schema.PropertyParams,
          querystring: schema.PageQuery,
          response: { 200: schema.AnnotationPage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        const ask = readPageAsk(query)
        const { rows, total } = await listAnnotations(context, id, ask)
        const address = { baseUrl: context.config.baseUrl, path: `/manage/properties/${id}/annotations`, query }
        return ok(paginateLinked(rows, ask, total, address))
      },
    )

    app.post(
      '/manage/properties/:property/annotations',
      {
        schema: {
          ...common,
          summary: 'Pin a note to a time',
          params: schema.PropertyParams,
          body: schema.NewAnnotation,
          response: { 200: schema.AnnotationAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ annotation: await createAnnotation(context, id, body) })
      },
    )
  }
}

function annotationRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/properties/:property/annotations/:annotation',
      {
        schema: {
          ...common,
          summary: 'Update an annotation',
          params: schema.AnnotationParams,
          body: schema.ChangedAnnotation,
          response: { 200: schema.AnnotationAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ annotation: await updateAnnotation(context, id, params.annotation, body) })
      },
    )

    app.delete(
      '/manage/properties/:property/annotations/:annotation',
      {
        schema: {
          ...common,
          summary: 'Delete an annotation',
          params: schema.AnnotationParams,
          response: { 200: schema.DeletedAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        await removeAnnotation(context, id, params.annotation)
        return ok({ deleted: true })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [listRoutes, annotationRoutes]) await app.register(part(context))
  }
}
