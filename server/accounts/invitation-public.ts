// Links that let somebody in (/manage/invitation, /manage/share): the link says who may, so nobody has to be signed in.
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { findCaller } from '../http/auth.ts'
import { requireShare, shareOf } from '../http/hooks.ts'
import { clientAddress } from '../http/client.ts'
import { refuseForeignSignIns, setCookie } from '../http/cookies.ts'
import { clientOf } from '../http/limits.ts'
import { acceptLink } from './accept.ts'
import { describeLink } from './invitations.ts'
import { visitorOf } from './public.ts'
import { Acceptance, LinkAnswer, LinkToken, OpenShareAnswer, ShareAsk, SignedInAnswer } from './schema.ts'
import { openShare, renewShare } from './shares.ts'

const common = { tags: ['Accounts'], security: [{}] }

function invitationRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/manage/invitation',
      {
        schema: {
          ...common,
          summary: 'What an invitation or a reset is for',
          body: LinkToken,
          response: { 200: LinkAnswer },
        },
      },
      async ({ body }) => ok(await describeLink(context, body.token)),
    )

    app.post('/manage/invitation/accept', {
      schema: {
        ...common,
        summary: 'Use an invitation or a reset',
        body: Acceptance,
        response: { 200: SignedInAnswer },
      },
      handler: async (request, reply) => {
        refuseForeignSignIns(context.config, request)
        const caller = await findCaller(context, request)
        const signedIn = caller?.kind === 'user' ? caller : undefined
        const { user, secret } = await acceptLink(context, request.body, visitorOf(context, request), signedIn)
        if (secret !== undefined) setCookie(context.config, reply, secret)
        return ok({ user })
      },
    })
  }
}

function shareRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post('/manage/share', {
      schema: { ...common, summary: 'Open a share link', body: ShareAsk, response: { 200: OpenShareAnswer } },
      handler: async (request) => ok(await openShare(context, request.body, clientOf(clientAddress(request)))),
    })

    app.post('/manage/share/renew', {
      onRequest: requireShare(context),
      schema: {
        tags: common.tags,
        security: [{ admin: [] }],
        summary: 'A new bearer for one of a share link that is there',
        response: { 200: OpenShareAnswer },
      },
      handler: async (request) => {
        const share = shareOf(request)
        if (!share) throw new Error('no share is asked for on this route')
        return ok(await renewShare(context, share))
      },
    })
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [invitationRoutes, shareRoutes]) await app.register(part(context))
  }
}
