// Conversions under /manage/properties/{property}/conversions, for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { createConversion, getConversion, listConversions, removeConversion, updateConversion } from './conversions.ts'
import { MAX_CONVERSIONS } from './automation.ts'
import {
  AllConversionStatisticsAnswer,
  ChangedConversion,
  ConversionAnswer,
  ConversionPage,
  ConversionParams,
  ConversionStatisticsAnswer,
  DeletedAnswer,
  NewConversion,
  PageQuery,
  PropertyParams,
  WindowQuery,
} from './schema.ts'
import { readAllConversionStatistics, readConversionStatistics } from './statistics.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/conversions',
      {
        schema: {
          ...common,
          summary: 'List the conversions of a property',
          params: PropertyParams,
          querystring: PageQuery,
          response: { 200: ConversionPage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        const ask = readPageAsk(query)
        const { rows, total } = await listConversions(context, id, ask)
        const address = { baseUrl: context.config.baseUrl, path: `/manage/properties/${id}/conversions`, query }
        return ok(paginateLinked(rows, ask, total, address))
      },
    )

    app.post(
      '/manage/properties/:property/conversions',
      {
        schema: {
          ...common,
          summary: 'Define a conversion',
          params: PropertyParams,
          body: NewConversion,
          response: { 200: ConversionAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ conversion: await createConversion(context, id, body) })
      },
    )
  }
}

function conversionRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/conversions/:conversion',
      {
        schema: {
          ...common,
          summary: 'Get a conversion',
          params: ConversionParams,
          response: { 200: ConversionAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ conversion: await getConversion(context, id, params.conversion) })
      },
    )

    app.post(
      '/manage/properties/:property/conversions/:conversion',
      {
        schema: {
          ...common,
          summary: 'Update a conversion',
          params: ConversionParams,
          body: ChangedConversion,
          response: { 200: ConversionAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ conversion: await updateConversion(context, id, params.conversion, body) })
      },
    )

    app.delete(
      '/manage/properties/:property/conversions/:conversion',
      {
        schema: {
          ...common,
          summary: 'Delete a conversion',
          params: ConversionParams,
          response: { 200: DeletedAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        await removeConversion(context, id, params.conversion)
        return ok({ deleted: true })
      },
    )
  }
}

function statisticsRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/conversions/statistics',
      {
        schema: {
          ...common,
          summary: 'How often each conversion was met',
          params: PropertyParams,
          querystring: WindowQuery,
          response: { 200: AllConversionStatisticsAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const all = { page: 1, perPage: MAX_CONVERSIONS }
        const { rows } = await listConversions(context, property.id, all)
        return ok({ statistics: await readAllConversionStatistics(context, property, rows, query) })
      },
    )

    app.get(
      '/manage/properties/:property/conversions/:conversion/statistics',
      {
        schema: {
          ...common,
          summary: 'How often a conversion was met',
          params: ConversionParams,
          querystring: WindowQuery,
          response: { 200: ConversionStatisticsAnswer },
        },
      },
      async ({ params, query }) => {
        const property = await getProperty(context, params.property)
        const conversion = await getConversion(context, property.id, params.conversion)
        return ok({ statistics: await readConversionStatistics(context, property, conversion, query) })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [listRoutes, conversionRoutes, statisticsRoutes]) await app.register(part(context))
  }
}
