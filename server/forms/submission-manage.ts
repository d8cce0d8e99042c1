// What was sent through a form, for its owner (/manage/properties/{property}/forms/{form}/submissions): the list, one, its mark, its end,
// and all of them as CSV.
import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok, okInParts } from '../http/answer.ts'
import { requireRole } from '../http/hooks.ts'
import { paginateLinked, readInteger, readPageAsk, refusePages, unlessEmpty } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { type CsvPart, exportSubmissions } from './export.ts'
import type { Form, Verdict } from './form.ts'
import { getForm } from './forms.ts'
import type { Show, SubmissionFilter } from './list-records.ts'
import * as schema from './submission-schema.ts'
import { getSubmission, listSubmissions, markSubmission, removeSubmission, shownSubmission } from './submissions.ts'

/** Ten digits: any time there is. */
const MAX_TS = 9_999_999_999

interface FilterQuery {
  readonly show?: Show | ''
  readonly verdict?: Verdict | ''
  readonly search?: string
  readonly from_ts?: string
  readonly to_ts?: string
}

function readTs(field: string, text: string | undefined): number | undefined {
  const given = unlessEmpty(text)
  return given === undefined ? undefined : readInteger(field, given, { min: 0, max: MAX_TS, default: 0 })
}

/** Whoever asks for a verdict is not asking for what is kept of it. */
function readFilter({ show, verdict, search, from_ts, to_ts }: FilterQuery): SubmissionFilter {
  const [fromTs, toTs] = [readTs('from_ts', from_ts), readTs('to_ts', to_ts)]
  return {
    show: show || (verdict ? 'all' : 'kept'),
    ...(verdict && { verdict }),
    ...(search?.trim() && { search: search.trim() }),
    ...(fromTs !== undefined && { fromMs: fromTs * 1000 }),
    ...(toTs !== undefined && { toMs: (toTs + 1) * 1000 }),
  }
}

async function formOf(context: Context, params: { readonly property: string; readonly form: string }): Promise<Form> {
  const { id } = await getProperty(context, params.property)
  return getForm(context, id, params.form)
}

const scopeOf = ({ id, property_id }: Form) => ({ propertyId: property_id, formId: id })

const common = { tags: ['Management'], security: [{ admin: [] }] }

function readRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/forms/:form/submissions',
      {
        schema: {
          ...common,
          summary: 'List what was sent through a form, newest first',
          params: schema.FormParams,
          querystring: schema.SubmissionsQuery,
          response: { 200: schema.SubmissionPage },
        },
      },
      async ({ params, query }, reply) => {
        const [ask, filter] = [readPageAsk(query), readFilter(query)]
        const form = await formOf(context, params)
        const { rows, total } = await listSubmissions(context, form, filter, ask)
        const path = `/manage/properties/${form.property_id}/forms/${form.id}/submissions`
        const page = paginateLinked(rows, ask, total, { baseUrl: context.config.baseUrl, path, query: { ...query } })
        return reply.type('application/json; charset=utf-8').send(Readable.from(okInParts(page), { objectMode: false }))
      },
    )

    app.get(
      '/manage/properties/:property/forms/:form/submissions/:submission',
      {
        schema: {
          ...common,
          summary: 'Get a submission',
          params: schema.SubmissionParams,
          response: { 200: schema.SubmissionAnswer },
        },
      },
      async ({ params }) => {
        const form = await formOf(context, params)
        const submission = await getSubmission(context.records, scopeOf(form), params.submission)
        return ok({ submission: shownSubmission(context.keys, form, submission) })
      },
    )
  }
}

function changeRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/properties/:property/forms/:form/submissions/:submission',
      {
        schema: {
          ...common,
          summary: 'Mark a submission as spam, as no spam, or leave that to its score',
          params: schema.SubmissionParams,
          body: schema.MarkBody,
          response: { 200: schema.SubmissionAnswer },
        },
      },
      async ({ params, body }) => {
        const form = await formOf(context, params)
        const submission = await markSubmission(context, scopeOf(form), params.submission, body.mark)
        return ok({ submission: shownSubmission(context.keys, form, submission) })
      },
    )

    app.delete(
      '/manage/properties/:property/forms/:form/submissions/:submission',
      {
        schema: {
          ...common,
          summary: 'Delete a submission for good',
          params: schema.SubmissionParams,
          response: { 200: schema.DeletedAnswer },
        },
      },
      async ({ params }) => {
        await removeSubmission(context, scopeOf(await formOf(context, params)), params.submission)
        return ok({ deleted: true })
      },
    )
  }
}

async function* textsOf(first: string, parts: AsyncGenerator<CsvPart>): AsyncGenerator<string> {
  yield first
  for await (const { text } of parts) yield text
}

/** All of it at once, to be carried away: for who keeps the property, as with its other exports. */
function exportRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'admin'))

    app.get(
      '/manage/properties/:property/forms/:form/submissions/export',
      {
        schema: {
          ...common,
          summary: 'What was sent through a form, as CSV',
          params: schema.FormParams,
          querystring: schema.ExportQuery,
          produces: ['text/csv'],
        },
      },
      async ({ params, query }, reply) => {
        refusePages({ ...query })
        const filter = readFilter(query)
        const form = await formOf(context, params)
        const parts = exportSubmissions(context.records, form, filter)
        // The header first: until it is there, what goes wrong can still be answered.
        const head = await parts.next()
        reply.header('content-disposition', `attachment; filename="submissions-${form.id}.csv"`)
        reply.header('cache-control', 'no-store')
        const texts = textsOf(head.done ? '' : head.value.text, parts)
        return reply.type('text/csv; charset=utf-8').send(Readable.from(texts, { objectMode: false }))
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    await app.register(exportRoutes(context))
    await app.register(async (others) => {
      others.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
      for (const part of [readRoutes, changeRoutes]) await others.register(part(context))
    })
  }
}
