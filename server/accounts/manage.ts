// Who may sign in to the installation (/manage/users): for its owners.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireOwner, userIdOf } from '../http/hooks.ts'
import { paginateLinked, readPageAsk } from '../kernel/page.ts'
import type { Listed } from '../properties/properties.ts'
import {
  ChangedUser,
  RemovedAnswer,
  ListedUserAnswer,
  NewReset,
  NewUser,
  NewUserAnswer,
  PageQuery,
  ResetAnswer,
  SignInPage,
  UserPage,
  UserParams,
} from './schema.ts'
import { listSignInRows } from './sign-in-records.ts'
import { changeUser, createUser, getUser, listUsers, makeReset, removeUser } from './users.ts'

interface PageQueryText {
  readonly page?: string
  readonly per_page?: string
}

export function pageOf<Row>({ config }: Context, path: string, query: PageQueryText, listed: Listed<Row>) {
  const address = { baseUrl: config.baseUrl, path, query: { ...query } }
  return ok(paginateLinked(listed.rows, readPageAsk(query), listed.total, address))
}

/** Undefined: with ADMIN_TOKEN. */
const common = { tags: ['Accounts'], security: [{ admin: [] }] }

function listRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/manage/users',
      { schema: { ...common, summary: 'List the people', querystring: PageQuery, response: { 200: UserPage } } },
      async ({ query }) => pageOf(context, '/manage/users', query, await listUsers(context, readPageAsk(query))),
    )

    app.post(
      '/manage/users',
      { schema: { ...common, summary: 'Add a person', body: NewUser, response: { 200: NewUserAnswer } } },
      async ({ body }) => {
        const { user, invitationUrl } = await createUser(context, body)
        return ok({ user, invitation_url: invitationUrl })
      },
    )

    app.get(
      '/manage/users/:user/sign-ins',
      {
        schema: {
          ...common,
          summary: 'The sign-ins of a person',
          params: UserParams,
          querystring: PageQuery,
          response: { 200: SignInPage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getUser(context, params.user)
        const listed = await listSignInRows(context.records, id, readPageAsk(query))
        return pageOf(context, `/manage/users/${id}/sign-ins`, query, listed)
      },
    )
  }
}

function changeRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/manage/users/:user', {
      schema: {
        ...common,
        summary: 'Change a person: rights, name, address',
        params: UserParams,
        body: ChangedUser,
        response: { 200: ListedUserAnswer },
      },
      handler: async (request) => {
        const { params, body } = request
        return ok({ user: await changeUser(context, params.user, body, userIdOf(request) ?? undefined) })
      },
    })

    app.delete('/manage/users/:user', {
      schema: { ...common, summary: 'Remove a person', params: UserParams, response: { 200: RemovedAnswer } },
      handler: async (request) => {
        const left = await removeUser(context, request.params.user, userIdOf(request) ?? undefined)
        return ok({ deleted: true, ...left })
      },
    })

    app.post(
      '/manage/users/:user/reset',
      {
        schema: {
          ...common,
          summary: 'Make a link for a new password',
          params: UserParams,
          body: NewReset,
          response: { 200: ResetAnswer },
        },
      },
      async ({ params, body }) => {
        const { resetUrl, expiresTs } = await makeReset(context, params.user, { dropsTotp: body.totp === true })
        return ok({ reset_url: resetUrl, expires_ts: expiresTs })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireOwner(context))
    for (const part of [listRoutes, changeRoutes]) await app.register(part(context))
  }
}
