// The history of a form under /manage: what was changed, by whom, and put back.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { callerOf, requireRole } from '../http/hooks.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { formAnswer } from './form-answer.ts'
import { listFormEdits, undoFormEdit } from './forms.ts'
import * as schema from './schema.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))

    app.get(
      '/manage/properties/:property/forms/:form/edits',
      {
        schema: {
          ...common,
          summary: 'List the edits of a form, newest first',
          params: schema.FormParams,
          querystring: schema.PageQuery,
          response: { 200: schema.EditPage },
        },
      },
      async ({ params, query }) => {
        const ask = readPageAsk(query)
        const { id } = await getProperty(context, params.property)
        const { rows, total } = await listFormEdits(context, id, params.form, ask)
        const path = `/manage/properties/${id}/forms/${params.form}/edits`
        const address = { baseUrl: context.config.baseUrl, path, query: { ...query } }
        return ok(paginateLinked(await withEditors(context, rows), ask, total, address))
      },
    )

    app.post('/manage/properties/:property/forms/:form/edits/:edit/undo', {
      schema: {
        ...common,
        summary: 'Put back what was before an edit of a form',
        params: schema.EditParams,
        response: { 200: schema.FormAnswer },
      },
      handler: async (request) => {
        const { property, form, edit } = request.params
        const { id } = await getProperty(context, property)
        const deps = editingDeps(context, callerOf(request))
        return ok(await formAnswer(context, await undoFormEdit(deps, { propertyId: id, id: form }, edit)))
      },
    })
  }
}
