// Who belongs to a property, and who is invited to.
import { get, type Page, post, remove } from '../api.ts'
import type {
  InvitationJson as PendingInvitation,
  InvitedJson as Invited,
  LeftBehind,
  MemberJson as Member,
} from '../../server/accounts/schema.ts'
import type { Role } from './session.ts'

export type { LeftBehind, Member, PendingInvitation }

export const MEMBERS_PER_PAGE = 25

const pathOf = (property: string, rest: string) => `/manage/properties/${encodeURIComponent(property)}${rest}`
const memberPath = (property: string, user: string) => pathOf(property, `/members/${encodeURIComponent(user)}`)

export const listMembers = (property: string, page: number, signal?: AbortSignal): Promise<Page<Member>> =>
  get(pathOf(property, '/members'), { query: { page, per_page: MEMBERS_PER_PAGE }, signal })
export const invite = (property: string, asked: { readonly email: string; readonly role: Role }): Promise<Invited> =>
  post(pathOf(property, '/members'), asked)
export const changeMember = (property: string, user: string, role: Role): Promise<{ member: Member }> =>
  post(memberPath(property, user), { role })
export const removeMember = (property: string, user: string): Promise<LeftBehind> => remove(memberPath(property, user))

export const listInvitations = (
  property: string,
  signal?: AbortSignal,
): Promise<{ data: readonly PendingInvitation[] }> => get(pathOf(property, '/invitations'), { signal })
export const withdrawInvitation = (property: string, invitation: string): Promise<unknown> =>
  remove(pathOf(property, `/invitations/${encodeURIComponent(invitation)}`))
