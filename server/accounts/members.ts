// Who belongs to a property, with which role. There is always an owner left where there was one.
import type { Context } from '../context.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PageAsk } from '../kernel/page.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { getProperty, type Listed } from '../properties/properties.ts'
import { isForeignKeyViolation, type Tx } from '../stores/records.ts'
import { readUserEmail } from './draft.ts'
import { countInvitations } from './invitation-records.ts'
import { makeLink, type ShownInvitation, shownInvitation } from './invitations.ts'
import {
  countMembers,
  countOtherPropertyOwners,
  deleteMember,
  findMember,
  insertMember,
  listMemberRows,
  type Member,
  updateMemberRole,
} from './member-records.ts'
import { findUser, type StoredUser } from './records.ts'
import type { Role } from './roles.ts'
import { lockOwners } from './setup-records.ts'
import { userIdShape } from './user.ts'

/** More is a script gone wild. */
const MAX_MEMBERS = 500
const MAX_INVITATIONS = 100

export interface MemberDraft {
  readonly email: string
  readonly role: Role
}

export type Invited = { readonly member: Member } | { readonly invitation: ShownInvitation & { readonly url: string } }

const notFound = () => new Problem('not_found', 'Member not found.')
const propertyNotFound = () => new Problem('not_found', 'Property not found.')

async function addExisting(context: Context, propertyId: string, user: StoredUser, role: Role): Promise<Invited> {
  if ((await countMembers(context.records, propertyId)) >= MAX_MEMBERS)
    throw invalid('email', `A property may have at most ${MAX_MEMBERS} members.`)
  const created_ts = Math.floor(context.now() / 1000)
  const isNew = await insertMember(context.records, { property_id: propertyId, user_id: user.id, role, created_ts })
  if (!isNew) throw invalid('email', 'This person is a member already.')
  context.accounts.forgetUser(user.id)
  const member = await findMember(context.records, propertyId, user.id)
  if (!member) throw notFound()
  return { member }
}

/** At once for who can sign in already; else a link, to be handed to them. */
export async function invite(context: Context, propertyId: string, draft: MemberDraft): Promise<Invited> {
  await getProperty(context, propertyId)
  const email = readUserEmail(draft.email)
  const nowTs = Math.floor(context.now() / 1000)
  const user = await findUser(context.records, 'email_key', email.key)
  try {
    if (user) return await addExisting(context, propertyId, user, draft.role)
    if ((await countInvitations(context.records, propertyId, nowTs)) >= MAX_INVITATIONS)
      throw invalid('email', `A property may have at most ${MAX_INVITATIONS} invitations that wait.`)
    const forWhom = { kind: 'member', property_id: propertyId, role: draft.role, email } as const
    const { invitation, url } = await context.records.transaction().execute((tx) => makeLink(context, tx, forWhom))
    return { invitation: { ...shownInvitation(invitation), url } }
  } catch (error) {
    if (isForeignKeyViolation(error)) throw propertyNotFound()
    throw error
  }
}

export async function listMembers(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  ask: PageAsk,
): Promise<Listed<Member>> {
  return listMemberRows(records, propertyId, ask)
}

/** Two owners who remove each other at once take turns; the second finds that nobody would be left. */
async function changeMember(
  context: Context,
  propertyId: string,
  userId: string,
  isOwnerAfter: boolean,
  change: (tx: Tx) => Promise<void>,
): Promise<Member> {
  await getProperty(context, propertyId)
  if (!userIdShape.test(userId)) throw notFound()
  const member = await context.records.transaction().execute(async (tx) => {
    await lockOwners(tx)
    const found = await findMember(tx, propertyId, userId)
    if (!found) throw notFound()
    const isLast = found.role === 'owner' && (await countOtherPropertyOwners(tx, propertyId, userId)) === 0
    if (isLast && !isOwnerAfter) throw invalid('role', 'The last owner of a property stays one: make another first.')
    await change(tx)
    return found
  })
  context.accounts.forgetUser(userId)
  return member
}

export async function changeRole(context: Context, propertyId: string, userId: string, role: Role): Promise<Member> {
  const member = await changeMember(context, propertyId, userId, role === 'owner', (tx) =>
    updateMemberRole(tx, propertyId, userId, role),
  )
  return { ...member, role }
}

export async function removeMember(context: Context, propertyId: string, userId: string): Promise<void> {
  await changeMember(context, propertyId, userId, false, (tx) => deleteMember(tx, propertyId, userId))
}
