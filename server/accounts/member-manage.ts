// Who belongs to a property, and its share links (/manage/properties/{property}/members, …/invitations, …/shares).
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { ok } from '../http/answer.ts'
import { requireRole, userIdOf } from '../http/hooks.ts'
import { readPageAsk } from '../kernel/page.ts'
import { getProperty } from '../properties/properties.ts'
import { listInvitations, withdrawInvitation } from './invitations.ts'
import { pageOf } from './manage.ts'
import { changeRole, invite, listMembers, removeMember } from './members.ts'
import {
  ChangedMember,
  DeletedAnswer,
  InvitationList,
  InvitationParams,
  InvitedAnswer,
  MemberAnswer,
  MemberPage,
  MemberParams,
  NewMember,
  NewShare,
  NewShareAnswer,
  PageQuery,
  PropertyParams,
  RemovedAnswer,
  ShareParams,
  SharePage,
} from './schema.ts'
import { createShare, listShares, revokeShare } from './shares.ts'

const common = { tags: ['Accounts'], security: [{ admin: [] }] }

function memberRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'owner'))

    app.get(
      '/manage/properties/:property/members',
      {
        schema: {
          ...common,
          summary: 'List the members of a property',
          params: PropertyParams,
          querystring: PageQuery,
          response: { 200: MemberPage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        const path = `/manage/properties/${id}/members`
        return pageOf(context, path, query, await listMembers(context, id, readPageAsk(query)))
      },
    )

    app.post(
      '/manage/properties/:property/members',
      {
        schema: {
          ...common,
          summary: 'Add a member, or make a link that invites one',
          params: PropertyParams,
          body: NewMember,
          response: { 200: InvitedAnswer },
        },
      },
      async ({ params, body }) => ok(await invite(context, params.property, body)),
    )

    app.post(
      '/manage/properties/:property/members/:user',
      {
        schema: {
          ...common,
          summary: 'Change the role of a member',
          params: MemberParams,
          body: ChangedMember,
          response: { 200: MemberAnswer },
        },
      },
      async ({ params, body }) => ok({ member: await changeRole(context, params.property, params.user, body.role) }),
    )

    app.delete(
      '/manage/properties/:property/members/:user',
      { schema: { ...common, summary: 'Remove a member', params: MemberParams, response: { 200: RemovedAnswer } } },
      async ({ params }) => {
        return ok({ deleted: true, ...(await removeMember(context, params.property, params.user)) })
      },
    )
  }
}

function invitationRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'owner'))

    app.get(
      '/manage/properties/:property/invitations',
      {
        schema: {
          ...common,
          summary: 'List the invitations that wait',
          params: PropertyParams,
          response: { 200: InvitationList },
        },
      },
      async ({ params }) => {
        const { id } = await getProperty(context, params.property)
        return ok({ data: await listInvitations(context, id) })
      },
    )

    app.delete(
      '/manage/properties/:property/invitations/:invitation',
      {
        schema: {
          ...common,
          summary: 'Withdraw an invitation',
          params: InvitationParams,
          response: { 200: DeletedAnswer },
        },
      },
      async ({ params }) => {
        await withdrawInvitation(context, params.property, params.invitation)
        return ok({ deleted: true })
      },
    )
  }
}

function shareRoutes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.addHook('onRequest', requireRole(context, 'admin'))

    app.get(
      '/manage/properties/:property/shares',
      {
        schema: {
          ...common,
          summary: 'List the share links of a property',
          params: PropertyParams,
          querystring: PageQuery,
          response: { 200: SharePage },
        },
      },
      async ({ params, query }) => {
        const { id } = await getProperty(context, params.property)
        const path = `/manage/properties/${id}/shares`
        return pageOf(context, path, query, await listShares(context, id, readPageAsk(query)))
      },
    )

    app.post('/manage/properties/:property/shares', {
      schema: {
        ...common,
        summary: 'Make a share link',
        params: PropertyParams,
        body: NewShare,
        response: { 200: NewShareAnswer },
      },
      handler: async (request) => {
        const { params, body } = request
        const { id } = await getProperty(context, params.property)
        return ok(await createShare(context, id, body, userIdOf(request)))
      },
    })

    app.delete(
      '/manage/properties/:property/shares/:share',
      { schema: { ...common, summary: 'Revoke a share link', params: ShareParams, response: { 200: DeletedAnswer } } },
      async ({ params }) => {
        await revokeShare(context, params.property, params.share)
        return ok({ deleted: true })
      },
    )
  }
}

export function routes(context: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const part of [memberRoutes, invitationRoutes, shareRoutes]) await app.register(part(context))
  }
}
