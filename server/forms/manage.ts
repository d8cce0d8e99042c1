// Forms as their owner manages them (/manage/properties/{property}/forms), for the administrator. A form of another property is as if it did not exist.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { callerOf, requireRole } from '../http/hooks.ts'
import { editingDeps } from '../http/editors.ts'
import { settledWithin } from '../kernel/deadline.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { countFormEvents } from './facts.ts'
import { formAnswer } from './form-answer.ts'
import type { Form } from './form.ts'
import { createForm, getForm, listForms, removeForm, shownForm, updateForm } from './forms.ts'
import * as schema from './schema.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

/** The list is of the records: it does not wait for figures that cannot be had. */
const COUNT_WAIT_MS = 2000

async function withCounts(context: Context, propertyId: string, forms: readonly Form[]) {
  const ids = forms.map(({ id }) => id)
  const counts = await settledWithin(countFormEvents(context.facts, propertyId, ids), COUNT_WAIT_MS, (error) =>
    context.log.warn({ err: error }, 'form events cannot be counted'),
  )
  return forms.map((form) => {
    const { views, submitted } = counts ? (counts.get(form.id) ?? { views: 0, submitted: 0 }) : {}
    return { ...shownForm(form), views: views ?? null, submitted: submitted ?? null }
  })
}

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/forms',
      {
        schema: {
          ...common,
          summary: 'List and search the forms of a property, newest first',
          params: schema.PropertyParams,
          querystring: schema.FormsQuery,
          response: { 200: schema.FormPage },
        },
      },
      async ({ params, query }) => {
        const ask = readPageAsk(query)
        const { id } = await getProperty(context, params.property)
        const { rows, total } = await listForms(context, id, ask, query.search)
        const path = `/manage/properties/${id}/forms`
        const address = { baseUrl: context.config.baseUrl, path, query: { ...query } }
        return ok(paginateLinked(await withCounts(context, id, rows), ask, total, address))
      },
    )

    app.post('/manage/properties/:property/forms', {
      schema: {
        ...common,
        summary: 'Create a form',
        params: schema.PropertyParams,
        body: schema.NewForm,
        response: { 200: schema.FormAnswer },
      },
      handler: async (request) => {
        const { id } = await getProperty(context, request.params.property)
        const deps = editingDeps(context, callerOf(request))
        return ok(await formAnswer(context, await createForm(deps, id, request.body)))
      },
    })
  }
}

function formRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/forms/:form',
      { schema: { ...common, summary: 'Get a form', params: schema.FormParams, response: { 200: schema.FormAnswer } } },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok(await formAnswer(context, await getForm(context, id, params.form)))
      },
    )

    app.post('/manage/properties/:property/forms/:form', {
      schema: {
        ...common,
        summary: 'Change, publish or archive a form; form sessions under way keep what they began with',
        params: schema.FormParams,
        body: schema.ChangedForm,
        response: { 200: schema.FormAnswer },
      },
      handler: async (request) => {
        const { property, form } = request.params
        const { id } = await getProperty(context, property)
        const deps = editingDeps(context, callerOf(request))
        return ok(await formAnswer(context, await updateForm(deps, id, form, request.body)))
      },
    })

    app.delete(
      '/manage/properties/:property/forms/:form',
      {
        schema: {
          ...common,
          summary: 'Delete a form with everything that was sent through it; its figures stay',
          params: schema.FormParams,
          response: { 200: schema.DeletedAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        await removeForm(context, id, params.form)
        return ok({ deleted: true })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [listRoutes, formRoutes]) await app.register(part(context))
  }
}
