// The versions of a content block and its history under /manage, for the administrator.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { callerOf, requireRole } from '../http/hooks.ts'
import { editingDeps, withEditors } from '../http/editors.ts'
import { type PageAsk, paginateLinked, readPageAsk } from '../kernel/page.ts'
import { getProperty, type Listed } from '../properties/properties.ts'
import { getBlock, shownBlock } from './blocks.ts'
import { listEdits, listPhases, undoEdit } from './edits.ts'
import * as schema from './schema.ts'
import { createVersion, getVersion, removeVersion, updateVersion } from './versions.ts'

const common = { tags: ['Management'], security: [{ admin: [] }] }

interface ListOf {
  readonly params: { readonly property: string; readonly block: string }
  readonly query: { readonly page?: string; readonly per_page?: string }
}

/** A page of what belongs to a block. */
async function pageOf<Row>(
  context: Context,
  { params, query }: ListOf,
  name: string,
  list: (propertyId: string, ask: PageAsk) => Promise<Listed<Row>>,
) {
  const ask = readPageAsk(query)
  const { id } = await getProperty(context, params.property)
  const { rows, total } = await list(id, ask)
  const path = `/manage/properties/${id}/content/${params.block}/${name}`
  return ok(paginateLinked(rows, ask, total, { baseUrl: context.config.baseUrl, path, query: { ...query } }))
}

/** They are few, and come with their block. */
function slice<Row>(rows: readonly Row[], { page, perPage }: PageAsk): Listed<Row> {
  return { rows: rows.slice((page - 1) * perPage, page * perPage), total: rows.length }
}

function versionListRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/content/:block/versions',
      {
        schema: {
          ...common,
          summary: 'List the versions of a content block in the order in which they were made',
          params: schema.BlockParams,
          querystring: schema.PageQuery,
          response: { 200: schema.VersionPage },
        },
      },
      async ({ params, query }) =>
        pageOf(context, { params, query }, 'versions', async (id, ask) =>
          slice((await getBlock(context, id, params.block)).versions, ask),
        ),
    )

    app.post('/manage/properties/:property/content/:block/versions', {
      schema: {
        ...common,
        summary: 'Create a version; an active one opens a new phase',
        params: schema.BlockParams,
        body: schema.NewVersion,
        response: { 200: schema.SavedVersionAnswer },
      },
      handler: async (request) => {
        const { property, block } = request.params
        const owner = await getProperty(context, property)
        return ok({ ...(await createVersion(editingDeps(context, callerOf(request)), owner, block, request.body)) })
      },
    })
  }
}

function versionRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/content/:block/versions/:version',
      {
        schema: {
          ...common,
          summary: 'Get a version',
          params: schema.VersionParams,
          response: { 200: schema.VersionAnswer },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ version: getVersion(await getBlock(context, id, params.block), params.version) })
      },
    )

    app.post('/manage/properties/:property/content/:block/versions/:version', {
      schema: {
        ...common,
        summary: 'Change a version; what visitors can see of it opens a new phase',
        params: schema.VersionParams,
        body: schema.ChangedVersion,
        response: { 200: schema.SavedVersionAnswer },
      },
      handler: async (request) => {
        const { property, block, version } = request.params
        const owner = await getProperty(context, property)
        const of = { blockId: block, versionId: version }
        return ok({ ...(await updateVersion(editingDeps(context, callerOf(request)), owner, of, request.body)) })
      },
    })

    app.delete('/manage/properties/:property/content/:block/versions/:version', {
      schema: {
        ...common,
        summary: 'Delete a version; its figures stay, and undoing the edit brings it back',
        params: schema.VersionParams,
        response: { 200: schema.DeletedAnswer },
      },
      handler: async (request) => {
        const { property, block, version } = request.params
        const { id } = await getProperty(context, property)
        await removeVersion(editingDeps(context, callerOf(request)), id, { blockId: block, versionId: version })
        return ok({ deleted: true })
      },
    })
  }
}

function historyRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/properties/:property/content/:block/phases',
      {
        schema: {
          ...common,
          summary: 'List the phases of a content block, newest first',
          params: schema.BlockParams,
          querystring: schema.PageQuery,
          response: { 200: schema.PhasePage },
        },
      },
      async ({ params, query }) =>
        pageOf(context, { params, query }, 'phases', (id, ask) => listPhases(context, id, params.block, ask)),
    )

    app.get(
      '/manage/properties/:property/content/:block/edits',
      {
        schema: {
          ...common,
          summary: 'List the edits of a content block, newest first',
          params: schema.BlockParams,
          querystring: schema.PageQuery,
          response: { 200: schema.EditPage },
        },
      },
      async ({ params, query }) =>
        pageOf(context, { params, query }, 'edits', async (id, ask) => {
          const { rows, total } = await listEdits(context, id, params.block, ask)
          return { rows: await withEditors(context, rows), total }
        }),
    )

    app.post('/manage/properties/:property/content/:block/edits/:edit/undo', {
      schema: {
        ...common,
        summary: 'Put back what was before an edit',
        params: schema.EditParams,
        response: { 200: schema.UndoneAnswer },
      },
      handler: async (request) => {
        const { params } = request
        const owner = await getProperty(context, params.property)
        const deps = editingDeps(context, callerOf(request))
        const { block, removed } = await undoEdit(deps, owner, params.block, params.edit)
        return ok({ content: shownBlock(block), removed })
      },
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))
    for (const part of [versionListRoutes, versionRoutes, historyRoutes]) await app.register(part(context))
  }
}
