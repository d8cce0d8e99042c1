// Automations under /manage/properties/{property}/automations, for the administrator. Their deliveries are in delivery-manage.ts.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import {
  createAutomation,
  DEFAULT_OVERLAP_HOURS,
  enableAutomation,
  getAutomation,
  listAutomations,
  removeAutomation,
  rotateSecret,
  shownAutomation,
  testAutomation,
  updateAutomation,
} from './automations.ts'
import { readLastDeliveries } from './deliveries.ts'
import type { Warnings } from './draft.ts'
import type { StoredAutomation } from './records.ts'
import {
  AutomationAnswer,
  AutomationPage,
  AutomationParams,
  ChangedAnswer,
  ChangedAutomation,
  CreatedAnswer,
  DeletedAnswer,
  NewAutomation,
  PageQuery,
  PropertyParams,
  Rotation,
  SecretAnswer,
  TestAnswer,
} from './schema.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

/** Left out when there is nothing to be known. */
const warned = (warnings: Warnings) => (Object.keys(warnings).length > 0 ? { warnings } : {})

const shown = ({ now }: Context, automation: StoredAutomation) => shownAutomation(automation, Math.floor(now() / 1000))

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/automations',
      {
        schema: {
          ...common,
          summary: 'List the automations of a property',
          params: PropertyParams,
          querystring: PageQuery,
          response: { 200: AutomationPage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        const ask = readPageAsk(query)
        const { rows, total } = await listAutomations(context, id, ask)
        const address = { baseUrl: context.config.baseUrl, path: `/manage/properties/${id}/automations`, query }
        const ids = rows.map((automation) => automation.id)
        const last = await readLastDeliveries(context, id, ids)
        const documents = rows.map((automation) => ({
          ...shown(context, automation),
          last_delivery: last.get(automation.id) ?? null,
        }))
        return ok(paginateLinked(documents, ask, total, address))
      },
    )

    app.post(
      '/manage/properties/:property/automations',
      {
        schema: {
          ...common,
          summary: 'Create an automation',
          params: PropertyParams,
          body: NewAutomation,
          response: { 200: CreatedAnswer },
        },
      },
      async ({ params, body }) => {
        const property = await getProperty(context, params.property)
        const { automation, signingSecret, warnings } = await createAutomation(context, property, body)
        return ok({ automation: shown(context, automation), signing_secret: signingSecret, ...warned(warnings) })
      },
    )
  }
}

function automationRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/automations/:automation',
      {
        schema: {
          ...common,
          summary: 'Get an automation',
          params: AutomationParams,
          response: { 200: AutomationAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ automation: shown(context, await getAutomation(context, id, params.automation)) })
      },
    )

    app.post(
      '/manage/properties/:property/automations/:automation',
      {
        schema: {
          ...common,
          summary: 'Update an automation',
          params: AutomationParams,
          body: ChangedAutomation,
          response: { 200: ChangedAnswer },
        },
      },
      async ({ params, body }) => {
        const property = await getProperty(context, params.property)
        const { automation, warnings } = await updateAutomation(context, property, params.automation, body)
        return ok({ automation: shown(context, automation), ...warned(warnings) })
      },
    )

    app.delete(
      '/manage/properties/:property/automations/:automation',
      {
        schema: {
          ...common,
          summary: 'Delete an automation with its run log',
          params: AutomationParams,
          response: { 200: DeletedAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        await removeAutomation(context, id, params.automation)
        return ok({ deleted: true })
      },
    )
  }
}

function actionRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/properties/:property/automations/:automation/enable',
      {
        schema: {
          ...common,
          summary: 'Switch an automation on',
          params: AutomationParams,
          response: { 200: AutomationAnswer },
        },
      },
      async ({ params }) => {
        const property = await getProperty(context, params.property)
        return ok({ automation: shown(context, await enableAutomation(context, property, params.automation)) })
      },
    )

    app.post(
      '/manage/properties/:property/automations/:automation/secret',
      {
        schema: {
          ...common,
          summary: 'Make a new signing secret',
          params: AutomationParams,
          body: Rotation,
          response: { 200: SecretAnswer },
        },
      },
      async ({ params, body }) => {
        const { id } = await getProperty(context, params.property)
        const hours = body?.overlap_hours ?? DEFAULT_OVERLAP_HOURS
        const { automation, signingSecret } = await rotateSecret(context, id, params.automation, hours)
        return ok({ automation: shown(context, automation), signing_secret: signingSecret })
      },
    )

    app.post(
      '/manage/properties/:property/automations/:automation/test',
      {
        schema: {
          ...common,
          summary: 'Send a test through each action',
          params: AutomationParams,
          response: { 200: TestAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ deliveries: await testAutomation(context, id, params.automation) })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [listRoutes, automationRoutes, actionRoutes]) await app.register(part(context))
  }
}
