// Content blocks as their owner manages them (/manage/properties/{property}/content), for the administrator. One of another property is as if it did
// not exist.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { callerOf, requireRole } from '../http/hooks.ts'
import { editingDeps } from '../http/editors.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { createBlock, getBlock, listBlocks, removeBlock, shownBlock, updateBlock } from './blocks.ts'
import { readHtml } from './draft.ts'
import { htmlPolicies } from './html.ts'
import * as schema from './schema.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/content',
      {
        schema: {
          ...common,
          summary: 'List and search the content blocks of a property, newest first',
          params: schema.PropertyParams,
          querystring: schema.BlocksQuery,
          response: { 200: schema.BlockPage },
        },
      },
      async ({ params, query }) => {
        const ask = readPageAsk(query)
        const { id } = await getProperty(context, params.property)
        const { rows, total } = await listBlocks(context, id, ask, query.search)
        const path = `/manage/properties/${id}/content`
        const address = { baseUrl: context.config.baseUrl, path, query: { ...query } }
        return ok(paginateLinked(rows.map(shownBlock), ask, total, address))
      },
    )

    app.post('/manage/properties/:property/content', {
      schema: {
        ...common,
        summary: 'Create a content block, as yet without a version',
        params: schema.PropertyParams,
        body: schema.NewBlock,
        response: { 200: schema.BlockAnswer },
      },
      handler: async (request) => {
        const { id } = await getProperty(context, request.params.property)
        const deps = editingDeps(context, callerOf(request))
        return ok({ content: shownBlock(await createBlock(deps, id, request.body)) })
      },
    })

    app.get(
      '/manage/properties/:property/content/policy',
      {
        schema: {
          ...common,
          summary: 'What the HTML of content may hold: both policies, and which of them is in force',
          params: schema.PropertyParams,
          response: { 200: schema.PolicyAnswer },
        },
      },
      async ({ params }) => {
        const { content_policy } = await getProperty(context, params.property)
        return ok({ content_policy, policies: htmlPolicies })
      },
    )

    app.post(
      '/manage/properties/:property/content/preview',
      {
        schema: {
          ...common,
          summary: 'What the policy in force would store of HTML, and what it would take out; nothing is written',
          params: schema.PropertyParams,
          body: schema.PreviewBody,
          response: { 200: schema.PreviewAnswer },
        },
      },
      async ({ params, body }) => {
        const { content_policy } = await getProperty(context, params.property)
        return ok({ ...readHtml(content_policy, body.html) })
      },
    )
  }
}

function blockRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/content/:block',
      {
        schema: {
          ...common,
          summary: 'Get a content block with its versions',
          params: schema.BlockParams,
          response: { 200: schema.BlockAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ content: shownBlock(await getBlock(context, id, params.block)) })
      },
    )

    app.post('/manage/properties/:property/content/:block', {
      schema: {
        ...common,
        summary: 'Change or archive a content block, or the weights of its versions',
        params: schema.BlockParams,
        body: schema.ChangedBlock,
        response: { 200: schema.BlockAnswer },
      },
      handler: async (request) => {
        const { property, block } = request.params
        const { id } = await getProperty(context, property)
        const deps = editingDeps(context, callerOf(request))
        return ok({ content: shownBlock(await updateBlock(deps, id, block, request.body)) })
      },
    })

    app.delete(
      '/manage/properties/:property/content/:block',
      {
        schema: {
          ...common,
          summary: 'Delete a content block with its versions and its history, for good',
          params: schema.BlockParams,
          response: { 200: schema.DeletedAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        await removeBlock(context, id, params.block)
        return ok({ deleted: true })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [listRoutes, blockRoutes]) await app.register(part(context))
  }
}
