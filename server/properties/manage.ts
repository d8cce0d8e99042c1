// The management interface of properties and their tokens (/manage/properties): each caller sees those that are theirs.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import type { Caller } from '../http/auth.ts'
import { callerOf, requireOwner, requireRole, requireSomebody, roleOfCaller, userIdOf } from '../http/hooks.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import { invalid } from '../kernel/problem.ts'
import { readPropertyChange, readPropertyDraft, readTokenDraft } from './drafts.ts'
import {
  createProperty,
  getProperty,
  type Listed,
  listProperties,
  removeProperty,
  renewProxyKey,
  shownProperty,
  updateProperty,
} from './properties.ts'
import {
  ChangedProperty,
  DeletedAnswer,
  NewProperty,
  NewToken,
  NewTokenAnswer,
  OnePropertyAnswer,
  PageQuery,
  PropertyAnswer,
  PropertyPage,
  PropertyParams,
  PropertyQuery,
  ProxyKeyAnswer,
  TokenPage,
  TokenParams,
} from './schema.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

interface PageQueryText {
  readonly page?: string
  readonly per_page?: string
}

function pageOf<Row>(context: Context, path: string, query: PageQueryText, listed: Listed<Row>) {
  const address = { baseUrl: context.config.baseUrl, path, query: { ...query } }
  return ok(paginateLinked(listed.rows, readPageAsk(query), listed.total, address))
}

const common = { tags: ['Management'], security: [{ admin: [] }] }

/** Undefined: all there are. */
function propertiesOf(caller: Caller): readonly string[] | undefined {
  if (caller.kind === 'share') return [caller.propertyId]
  return caller.kind === 'admin' || caller.user.is_owner ? undefined : [...caller.roles.keys()]
}

/** PostgreSQL takes no NUL, not even to look for it. @throws Problem('validation_failed') */
function readSearch(given = ''): string {
  if (given.includes('\0')) throw invalid('search', 'search holds a character that no name has.')
  return given.trim()
}

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/manage/properties', {
      onRequest: requireSomebody(context),
      schema: {
        ...common,
        summary: 'List the properties',
        querystring: PropertyQuery,
        response: { 200: PropertyPage },
      },
      handler: async (request) => {
        const { query } = request
        const filter = { ids: propertiesOf(callerOf(request)), search: readSearch(query.search) }
        const { rows, total } = await listProperties(context, readPageAsk(query), filter)
        return pageOf(context, '/manage/properties', query, { rows: rows.map(shownProperty), total })
      },
    })

    app.post(
      '/manage/properties',
      {
        onRequest: requireOwner(context),
        schema: { ...common, summary: 'Create a property', body: NewProperty, response: { 200: PropertyAnswer } },
      },
      async ({ body }) => ok({ property: shownProperty(await createProperty(context, readPropertyDraft(body))) }),
    )
  }
}

function changeRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, { read: 'viewer', write: 'admin' }))

    app.get('/manage/properties/:property', {
      schema: { ...common, summary: 'Get a property', params: PropertyParams, response: { 200: OnePropertyAnswer } },
      handler: async (request) => {
        const property = shownProperty(await getProperty(context, request.params.property))
        const role = roleOfCaller(request)
        const { retentionDays, deliveryDays } = context.config
        return ok({ property, role, kept_days: { facts: retentionDays, deliveries: deliveryDays } })
      },
    })

    app.post(
      '/manage/properties/:property',
      {
        schema: {
          ...common,
          summary: 'Update a property',
          params: PropertyParams,
          body: ChangedProperty,
          response: { 200: PropertyAnswer },
        },
      },
      async ({ params, body }) => {
        const change = readPropertyChange(body)
        return ok({
          property: shownProperty(await updateProperty(context, context.properties, params.property, change)),
        })
      },
    )
  }
}

function removeRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'owner'))

    app.delete(
      '/manage/properties/:property',
      { schema: { ...common, summary: 'Delete a property', params: PropertyParams, response: { 200: DeletedAnswer } } },
      async ({ params }) => {
        await removeProperty(context, context, params.property)
        return ok({ deleted: true })
      },
    )
  }
}

/** What lets programs in: nothing for those who only look. */
function proxyKeyRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'admin'))

    app.post(
      '/manage/properties/:property/proxy-key',
      { schema: { ...common, summary: 'Make a proxy key', params: PropertyParams, response: { 200: ProxyKeyAnswer } } },
      async ({ params }) => {
        const { property, proxyKey } = await renewProxyKey(context, context.properties, params.property)
        return ok({ property: shownProperty(property), proxy_key: proxyKey })
      },
    )
  }
}

function tokenRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'admin'))

    app.get(
      '/manage/properties/:property/tokens',
      {
        schema: {
          ...common,
          summary: 'List the tokens of a property',
          params: PropertyParams,
          querystring: PageQuery,
          response: { 200: TokenPage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        return pageOf(
          context,
          `/manage/properties/${id}/tokens`,
          query,
          await listTokens(context, id, readPageAsk(query)),
        )
      },
    )

    app.post('/manage/properties/:property/tokens', {
      schema: {
        ...common,
        summary: 'Create a token',
        params: PropertyParams,
        body: NewToken,
        response: { 200: NewTokenAnswer },
      },
      handler: async (request) => {
        const { params, body } = request
        const { id } = await getProperty(context, params.property)
        const { token, accessToken } = await createToken(context, id, readTokenDraft(body), userIdOf(request))
        return ok({ token, access_token: accessToken })
      },
    })

    app.delete(
      '/manage/properties/:property/tokens/:token',
      { schema: { ...common, summary: 'Revoke a token', params: TokenParams, response: { 200: DeletedAnswer } } },
      async ({ params }) => {
        await revokeToken(context, context.tokens, params.property, params.token)
        return ok({ deleted: true })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [listRoutes, changeRoutes, removeRoutes, proxyKeyRoutes, tokenRoutes])
      await app.register(part(context))
  }
}
