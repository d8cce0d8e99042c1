// The run log of an automation (/manage/properties/{property}/automations/{automation}/deliveries), for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { paginateLinked, readPageAsk, unlessEmpty } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { getAutomation } from './automations.ts'
import { getDelivery, listDeliveries, retryDelivery } from './deliveries.ts'
import type { AutomationKey, State } from './delivery-records.ts'
import { AutomationParams, DeliveriesQuery, DeliveryAnswer, DeliveryPage, DeliveryParams } from './delivery-schema.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

interface Params {
  readonly property: string
  readonly automation: string
}

/** @throws Problem('not_found') */
async function keyOf(context: Context, params: Params): Promise<AutomationKey> {
  const { id: propertyId } = await getProperty(context, params.property)
  const { id: automationId } = await getAutomation(context, propertyId, params.automation)
  return { propertyId, automationId }
}

function readingRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/automations/:automation/deliveries',
      {
        schema: {
          ...common,
          summary: 'List the deliveries of an automation',
          params: AutomationParams,
          querystring: DeliveriesQuery,
          response: { 200: DeliveryPage },
        },
      },
      async ({ params, query }) => {
        const key = await keyOf(context, params)
        const ask = readPageAsk(query)
        const state = unlessEmpty(query.state) as State | undefined
        const { rows, total } = await listDeliveries(context, key, state, ask)
        const path = `/manage/properties/${key.propertyId}/automations/${key.automationId}/deliveries`
        const page = paginateLinked(rows, ask, total, { baseUrl: context.config.baseUrl, path, query })
        return ok({ ...page, is_sending: context.deliveryStats.isSending })
      },
    )

    app.get(
      '/manage/properties/:property/automations/:automation/deliveries/:delivery',
      {
        schema: {
          ...common,
          summary: 'Get a delivery: what was sent, and every attempt',
          params: DeliveryParams,
          response: { 200: DeliveryAnswer },
        },
      },
      async ({ params }) => {
        const delivery = await getDelivery(context, await keyOf(context, params), params.delivery)
        return ok({ delivery, is_sending: context.deliveryStats.isSending })
      },
    )
  }
}

function retryRoute(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/properties/:property/automations/:automation/deliveries/:delivery/retry',
      {
        schema: {
          ...common,
          summary: 'Try a delivery once more, at once',
          params: DeliveryParams,
          response: { 200: DeliveryAnswer },
        },
      },
      async ({ params }) => {
        const delivery = await retryDelivery(context, await keyOf(context, params), params.delivery)
        context.triggers.wake()
        return ok({ delivery, is_sending: context.deliveryStats.isSending })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [readingRoutes, retryRoute]) await app.register(part(context))
  }
}
