// The endpoints of groups and links (SPEC.md 4.5). A group or link of another property is as if it did not exist.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { propertyOf, requireScope } from '../http/auth.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { createGroup, getGroup, listGroups, removeGroup, updateGroup } from './groups.ts'
import { createLink, getLink, listLinks, removeLink, updateLink } from './links.ts'
import * as schema from './schema.ts'

const tags = ['Short links']

function readGroupRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'shortlinks:read')
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v2/property/link-groups',
      onRequest,
      schema: {
        tags,
        summary: 'List link groups, newest first',
        querystring: schema.GroupsQuery,
        response: { 200: schema.GroupPage },
      },
      handler: async (request) => {
        const page = readPageAsk(request.query)
        const { rows, total } = await listGroups(context, propertyOf(request).id, page)
        const address = { baseUrl: context.config.baseUrl, path: '/v2/property/link-groups', query: request.query }
        const { data: groups, ...rest } = paginateLinked(rows, page, total, address)
        return ok({ groups, ...rest })
      },
    })

    app.route({
      method: 'GET',
      url: '/v2/property/link-groups/:group',
      onRequest,
      schema: { tags, summary: 'Get a link group', params: schema.GroupParams, response: { 200: schema.GroupAnswer } },
      handler: async (request) => ok({ group: await getGroup(context, propertyOf(request).id, request.params.group) }),
    })
  }
}

function changeGroupRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'shortlinks:write')
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/property/link-groups',
      onRequest,
      schema: { tags, summary: 'Create a link group', body: schema.NewGroup, response: { 200: schema.GroupAnswer } },
      handler: async (request) => ok({ group: await createGroup(context, propertyOf(request).id, request.body) }),
    })

    app.route({
      method: 'POST',
      url: '/v2/property/link-groups/:group',
      onRequest,
      schema: {
        tags,
        summary: 'Update a link group',
        params: schema.GroupParams,
        body: schema.ChangedGroup,
        response: { 200: schema.GroupAnswer },
      },
      handler: async (request) =>
        ok({ group: await updateGroup(context, propertyOf(request).id, request.params.group, request.body) }),
    })

    app.route({
      method: 'DELETE',
      url: '/v2/property/link-groups/:group',
      onRequest,
      schema: {
        tags,
        summary: 'Delete a link group with its links; its clicks stay',
        params: schema.GroupParams,
        response: { 200: schema.DeletedAnswer },
      },
      handler: async (request) => {
        await removeGroup(context, propertyOf(request).id, request.params.group)
        return ok({ deleted: true })
      },
    })
  }
}

function readLinkRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'shortlinks:read')
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/v2/property/links',
      onRequest,
      schema: {
        tags,
        summary: 'List short links, newest first',
        querystring: schema.LinksQuery,
        response: { 200: schema.LinkPage },
      },
      handler: async (request) => {
        const page = readPageAsk(request.query)
        const groupId = request.query.group_id || null // an empty text is what a form sends for a field left alone
        const { rows, total } = await listLinks(context, propertyOf(request).id, groupId, page)
        const address = { baseUrl: context.config.baseUrl, path: '/v2/property/links', query: request.query }
        return ok(paginateLinked(rows, page, total, address))
      },
    })

    app.route({
      method: 'GET',
      url: '/v2/property/links/:link',
      onRequest,
      schema: { tags, summary: 'Get a short link', params: schema.LinkParams, response: { 200: schema.LinkAnswer } },
      handler: async (request) => ok({ link: await getLink(context, propertyOf(request).id, request.params.link) }),
    })
  }
}

function changeLinkRoutes(context: Context): FastifyPluginAsyncTypebox {
  const onRequest = requireScope(context, 'shortlinks:write')
  return async (app) => {
    app.route({
      method: 'POST',
      url: '/v2/property/links',
      onRequest,
      schema: { tags, summary: 'Create a short link', body: schema.NewLink, response: { 200: schema.LinkAnswer } },
      handler: async (request) => ok({ link: await createLink(context, propertyOf(request).id, request.body) }),
    })

    app.route({
      method: 'POST',
      url: '/v2/property/links/:link',
      onRequest,
      schema: {
        tags,
        summary: 'Update a short link',
        params: schema.LinkParams,
        body: schema.ChangedLink,
        response: { 200: schema.LinkAnswer },
      },
      handler: async (request) =>
        ok({ link: await updateLink(context, propertyOf(request).id, request.params.link, request.body) }),
    })

    app.route({
      method: 'DELETE',
      url: '/v2/property/links/:link',
      onRequest,
      schema: {
        tags,
        summary: 'Delete a short link; its clicks stay',
        params: schema.LinkParams,
        response: { 200: schema.DeletedAnswer },
      },
      handler: async (request) => {
        await removeLink(context, propertyOf(request).id, request.params.link)
        return ok({ deleted: true })
      },
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [readGroupRoutes, changeGroupRoutes, readLinkRoutes, changeLinkRoutes])
      await app.register(part(context))
  }
}
