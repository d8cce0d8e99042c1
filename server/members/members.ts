// Who belongs to a property, with which role. A property that had an owner keeps at least one.
import type { Context } from '../context.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import { type EmailAddress, readEmail } from '../kernel/email.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { orNotFound } from '../stores/gone.ts'
import { getProperty } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { readUserEmail } from '../accounts/draft.ts'
import { countInvitations, deleteInvitationsInto } from './invitation-records.ts'
import { invitationJson, makeLink } from './invitations.ts'
import { listLeftBehind } from './left.ts'
import {
  countMembers,
  deleteMember,
  findMember,
  hasOtherOwner,
  insertMember,
  listMemberRows,
  type Member,
  updateMemberRole,
} from './records.ts'
import { mailLink } from '../accounts/letters.ts'
import { findUser, type StoredUser } from '../accounts/records.ts'
import { removeReader } from '../subscriptions/subscriptions.ts'
import type { Role } from '../kernel/roles.ts'
import type { InvitationJson, LeftBehind } from '../accounts/schema.ts'
import { lockOwners } from '../accounts/setup-records.ts'
import { userIdShape } from '../accounts/user-model.ts'

export { listOwnerEmails } from './records.ts'
export { readShareBearer } from './share-bearer.ts'
export { findShareByBadge, listSharesOfSegment } from './share-records.ts'
export { findEmbedding } from './shares.ts'

/** More would be a runaway script. */
const MAX_MEMBERS = 500
const MAX_INVITATIONS = 100

export interface MemberDraft {
  readonly email: string
  readonly role: Role
}

export type Invited = { readonly member: Member } | { readonly invitation: InvitationJson & { readonly url: string } }

const notFound = () => new Problem('not_found', 'Member not found.')

interface Joining {
  readonly propertyId: string
  readonly propertyName: string
  readonly role: Role
  readonly created_ts: number
}

/** Deletes earlier invitations of the person: they could bring a removed person back, with another role. */
async function addExisting(tx: Tx, user: StoredUser, { propertyId, role, created_ts }: Joining): Promise<Invited> {
  if ((await countMembers(tx, propertyId)) >= MAX_MEMBERS)
    throw invalid('email', `A property may have at most ${MAX_MEMBERS} members.`)
  const isNew = await insertMember(tx, { property_id: propertyId, user_id: user.id, role, created_ts })
  if (!isNew) throw invalid('email', 'This person is a member already.')
  await deleteInvitationsInto(tx, propertyId, user.id)
  const member = await findMember(tx, propertyId, user.id)
  if (!member) throw notFound()
  return { member }
}

async function inviteNew(context: Context, tx: Tx, email: EmailAddress, joining: Joining): Promise<Invited> {
  const { propertyId, propertyName, role, created_ts } = joining
  if ((await countInvitations(tx, propertyId, created_ts)) >= MAX_INVITATIONS)
    throw invalid('email', `A property may have at most ${MAX_INVITATIONS} invitations that wait.`)
  const link = await makeLink(context, tx, { kind: 'member', property_id: propertyId, role, email })
  await mailLink(context, tx, link, propertyName)
  return { invitation: { ...invitationJson(link.invitation), url: link.url } }
}

/** Adds a person who can sign in at once; anybody else gets an invitation link. */
export async function invite(context: Context, propertyId: string, draft: MemberDraft): Promise<Invited> {
  const { name: propertyName } = await getProperty(context, propertyId)
  const email = readUserEmail(draft.email)
  const joining = { propertyId, propertyName, role: draft.role, created_ts: currentTs(context) }
  const work = context.records.transaction().execute(async (tx) => {
    // Looked up under the lock, so that nobody who was just added gets a link.
    await lockOwners(tx)
    const user = await findUser(tx, 'email_key', email.key)
    return user ? addExisting(tx, user, joining) : inviteNew(context, tx, email, joining)
  })
  const invited = await orNotFound(work, propertyNotFound)
  if ('member' in invited) context.accounts.forgetUser(invited.member.id)
  return invited
}

export async function listMembers(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<Member>> {
  return listMemberRows(records, propertyId, query)
}

interface MemberRef {
  readonly propertyId: string
  readonly userId: string
}

/** Two owners who remove each other at once take turns; the second finds that no owner would be left. */
async function changeMember(
  context: Context,
  { propertyId, userId }: MemberRef,
  isOwnerAfter: boolean,
  change: (tx: Tx, member: Member) => Promise<void>,
): Promise<Member> {
  await getProperty(context, propertyId)
  if (!userIdShape.test(userId)) throw notFound()
  const member = await context.records.transaction().execute(async (tx) => {
    await lockOwners(tx)
    const found = await findMember(tx, propertyId, userId)
    if (!found) throw notFound()
    const isLast = found.role === 'owner' && !(await hasOtherOwner(tx, propertyId, userId))
    if (isLast && !isOwnerAfter)
      throw invalid('role', 'A property needs an owner who can sign in. Add another owner first.')
    await change(tx, found)
    // An older invitation could undo the change.
    await deleteInvitationsInto(tx, propertyId, userId)
    return found
  })
  context.accounts.forgetUser(userId)
  return member
}

export async function changeRole(context: Context, propertyId: string, userId: string, role: Role): Promise<Member> {
  const member = await changeMember(context, { propertyId, userId }, role === 'owner', (tx) =>
    updateMemberRole(tx, propertyId, userId, role),
  )
  return { ...member, role }
}

/** @returns what the person created in the property and may still have. */
export async function removeMember(context: Context, propertyId: string, userId: string): Promise<LeftBehind> {
  let left: LeftBehind = { tokens: [], shares: [] }
  await changeMember(context, { propertyId, userId }, false, async (tx, { email: written }) => {
    const email = readEmail(written)
    await deleteMember(tx, propertyId, userId)
    if (email) await removeReader(tx, propertyId, email.key)
    left = await listLeftBehind(tx, userId, propertyId)
  })
  return left
}
