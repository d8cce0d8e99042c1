// One's own account (/manage/account): for whoever is signed in, and nobody else.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { personOf, requirePerson } from '../http/hooks.ts'
import { readPageAsk } from '../kernel/page.ts'
import {
  beginTotp,
  changeAccount,
  confirmTotp,
  endMySession,
  listMySessions,
  removeTotp,
  renewRecoveryCodes,
} from './account.ts'
import { pageOf } from './manage.ts'
import {
  ChangedAccount,
  CurrentPassword,
  DeletedAnswer,
  GivenCode,
  NewFactorAnswer,
  OwnSessions,
  PageQuery,
  RecoveryCodesAnswer,
  SessionParams,
  SignInPage,
  UserAnswer,
} from './schema.ts'
import { listSignInRows } from './sign-in-records.ts'

const common = { tags: ['Accounts'], security: [{ session: [] }] }

function accountRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/manage/account', {
      schema: { ...common, summary: 'Change your account', body: ChangedAccount, response: { 200: UserAnswer } },
      handler: async (request) => ok({ user: await changeAccount(context, personOf(request), request.body) }),
    })

    app.get('/manage/account/sign-ins', {
      schema: { ...common, summary: 'Your sign-ins', querystring: PageQuery, response: { 200: SignInPage } },
      handler: async (request) => {
        const { user } = personOf(request)
        const listed = await listSignInRows(context.records, user.id, readPageAsk(request.query))
        return pageOf(context, '/manage/account/sign-ins', request.query, listed)
      },
    })

    app.get('/manage/account/sessions', {
      schema: { ...common, summary: 'Where you are signed in', response: { 200: OwnSessions } },
      handler: async (request) => ok({ data: await listMySessions(context, personOf(request)) }),
    })

    app.delete('/manage/account/sessions/:session', {
      schema: { ...common, summary: 'Sign out elsewhere', params: SessionParams, response: { 200: DeletedAnswer } },
      handler: async (request) => {
        await endMySession(context, personOf(request), request.params.session)
        return ok({ deleted: true })
      },
    })
  }
}

function totpRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/manage/account/totp', {
      schema: {
        ...common,
        summary: 'Begin with an authenticator',
        body: CurrentPassword,
        response: { 200: NewFactorAnswer },
      },
      handler: async (request) => ok(await beginTotp(context, personOf(request), request.body.current_password)),
    })

    app.post('/manage/account/totp/confirm', {
      schema: {
        ...common,
        summary: 'Confirm the authenticator',
        body: GivenCode,
        response: { 200: RecoveryCodesAnswer },
      },
      handler: async (request) =>
        ok({ recovery_codes: await confirmTotp(context, personOf(request), request.body.code) }),
    })

    app.delete('/manage/account/totp', {
      schema: {
        ...common,
        summary: 'Do without the authenticator',
        body: CurrentPassword,
        response: { 200: DeletedAnswer },
      },
      handler: async (request) => {
        await removeTotp(context, personOf(request), request.body.current_password)
        return ok({ deleted: true })
      },
    })

    app.post('/manage/account/recovery-codes', {
      schema: {
        ...common,
        summary: 'Make new recovery codes',
        body: CurrentPassword,
        response: { 200: RecoveryCodesAnswer },
      },
      handler: async (request) =>
        ok({ recovery_codes: await renewRecoveryCodes(context, personOf(request), request.body.current_password) }),
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requirePerson(context))
    for (const part of [accountRoutes, totpRoutes]) await app.register(part(context))
  }
}
