// The endpoints of members of a property and of its share links (/manage/properties/{property}/members,
// …/invitations, …/shares).
import { Type } from 'typebox'
import { role } from '../http/access.ts'
import { userIdOf } from '../http/auth.ts'
import { get, post, remove } from '../http/endpoint.ts'
import { deleted, deletedFields, pageFields } from '../http/shapes.ts'
import { linkedPage } from '../kernel/page.ts'
import { listInvitations, withdrawInvitation } from './invitations.ts'
import { changeRole, invite, listMembers, removeMember } from './members.ts'
import { checkSharedSegment } from '../segments/segments.ts'
import * as schema from '../accounts/schema.ts'
import { createShare, listShares, revokeShare } from './shares.ts'

const memberships = [
  get(
    '/manage/properties/:property/members',
    role('owner'),
    {
      summary: 'List the members of a property',
      query: schema.PageQuery,
      answer: pageFields(schema.MemberShape),
      says: 'A page, oldest first.',
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listMembers(context, property.id, ask)),
  ),
  post(
    '/manage/properties/:property/members',
    role('owner'),
    {
      summary: 'Add a member, or create an invitation link',
      body: schema.NewMember,
      answer: schema.invitedFields,
      says: 'The member, for who has an account; else the invitation, whose link is shown once.',
    },
    async ({ context, property, body }) => invite(context, property.id, body),
  ),
  post(
    '/manage/properties/:property/members/:user',
    role('owner'),
    { summary: 'Change the role of a member', body: schema.ChangedMember, answer: { member: schema.MemberShape } },
    async ({ context, property, params, body }) => ({
      member: await changeRole(context, property.id, params.user, body.role),
    }),
  ),
  remove(
    '/manage/properties/:property/members/:user',
    role('owner'),
    { summary: 'Remove a member', answer: schema.removedFields, says: 'Gone, and what is left.' },
    async ({ context, property, params }) => ({
      ...deleted,
      ...(await removeMember(context, property.id, params.user)),
    }),
  ),
  get(
    '/manage/properties/:property/invitations',
    role('owner'),
    {
      summary: 'List pending invitations',
      answer: { data: Type.Array(schema.InvitationShape) },
      says: 'Those that wait, newest first.',
    },
    async ({ context, property }) => ({ data: await listInvitations(context, property.id) }),
  ),
  remove(
    '/manage/properties/:property/invitations/:invitation',
    role('owner'),
    { summary: 'Revoke an invitation', answer: deletedFields },
    async ({ context, property, params }) => {
      await withdrawInvitation(context, property.id, params.invitation)
      return deleted
    },
  ),
]

const shares = [
  get(
    '/manage/properties/:property/shares',
    role('admin'),
    {
      summary: 'List the share links of a property',
      query: schema.PageQuery,
      answer: pageFields(schema.ShareShape),
      says: 'A page, newest first.',
    },
    async ({ context, property, query, address }) =>
      linkedPage(query, address, (ask) => listShares(context, property.id, ask)),
  ),
  post(
    '/manage/properties/:property/shares',
    role('admin'),
    {
      summary: 'Create a share link',
      body: schema.NewShare,
      answer: { share: schema.ShareShape, url: Type.String() },
      says: 'The link, shown once.',
    },
    async ({ context, property, caller, body }) => {
      if (body.segment_id) await checkSharedSegment(context, property.id, body.segment_id)
      return createShare(context, property.id, body, userIdOf(caller))
    },
  ),
  remove(
    '/manage/properties/:property/shares/:share',
    role('admin'),
    { summary: 'Revoke a share link', answer: deletedFields },
    async ({ context, property, params }) => {
      await revokeShare(context, property.id, params.share)
      return deleted
    },
  ),
]

export const members = [...memberships, ...shares]
