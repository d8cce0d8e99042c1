// The people who may sign in to this installation: added and removed by its owners, at least one of whom
// always stays.
import type { Context } from '../context.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { type EmailAddress, readEmail } from '../kernel/email.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { isUniqueViolation, scrubDeleted, type Tx } from '../stores/records.ts'
import { readUserEmail, readUserName } from './draft.ts'
import { eraseMails } from '../mail/mail.ts'
import { type LetterDeps, mailLink } from './letters.ts'
import { removeReader } from '../subscriptions/subscriptions.ts'
import { handOver } from '../members/hand-over.ts'
import { listLeftBehind } from '../members/left.ts'
import { deleteLinksOf } from '../members/invitation-records.ts'
import { makeLink } from '../members/invitations.ts'
import {
  deleteUserRow,
  findOtherOwner,
  findUser,
  insertUser,
  listedUserJson,
  listUserRows,
  type StoredUser,
  updateActiveUser,
  updateUserRow,
} from './records.ts'
import type { LeftBehind, UserChange, UserDraft } from './schema.ts'
import { deleteSessionsOf } from './session-records.ts'
import { lockOwners, useUp } from './setup-records.ts'
import { type ListedUser, userIdShape } from './user-model.ts'

/** The dependencies that the command line has as well. */
export type UserDeps = Pick<Deps, 'records'> & LetterDeps

const notFound = () => new Problem('not_found', 'User not found.')

/** @throws Problem('not_found') */
export async function getUser({ records }: Pick<Deps, 'records'>, id: string): Promise<StoredUser> {
  const user = userIdShape.test(id) ? await findUser(records, 'id', id) : undefined
  if (!user) throw notFound()
  return user
}

/** Newest first. */
export async function listUsers({ records }: Pick<Deps, 'records'>, query: PageQuery): Promise<Listed<ListedUser>> {
  return listUserRows(records, query)
}

export const emailTaken = () => invalid('email', 'An account with this email already exists.')

/** @returns the link with which the person chooses a password, shown once. */
export async function createUser(
  deps: UserDeps,
  draft: UserDraft,
): Promise<{ user: ListedUser; invitationUrl: string }> {
  const [email, name] = [readUserEmail(draft.email), readUserName(draft.name)]
  const id = newId(deps, 'us')
  const created_ts = currentTs(deps)
  const user = { id, email: email.text, name, is_owner: draft.is_owner ?? false, created_ts }
  try {
    const { url } = await deps.records.transaction().execute(async (tx) => {
      // The one-time link for the first owner is no longer needed.
      if (user.is_owner) await useUp(tx, created_ts)
      await insertUser(tx, { ...user, emailKey: email.key, passwordHash: null })
      const link = await makeLink(deps, tx, { kind: 'user', user_id: id, email })
      await mailLink(deps, tx, link)
      return link
    })
    return { user: { ...user, has_totp: false, is_active: true, has_password: false }, invitationUrl: url }
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken()
    throw error
  }
}

/** Two owners who remove each other at once take turns; the second finds that no owner would be left. */
async function changeAsOwner<T>(
  records: Deps['records'],
  id: string,
  isOwnerAfter: (user: StoredUser) => boolean,
  change: (tx: Tx, user: StoredUser) => Promise<T>,
): Promise<T> {
  return records.transaction().execute(async (tx) => {
    await lockOwners(tx)
    const user = userIdShape.test(id) ? await findUser(tx, 'id', id) : undefined
    if (!user) throw notFound()
    const isOwner = user.is_owner && user.is_active
    if (isOwner && !isOwnerAfter(user) && (await findOtherOwner(tx, id)) === undefined)
      throw invalid('is_owner', 'The installation needs an owner who can sign in. Add another owner first.')
    return change(tx, user)
  })
}

/** Only the given fields. */
function rowOf({ name, email, is_owner, is_active }: Omit<UserChange, 'email'> & { readonly email?: EmailAddress }) {
  return {
    ...(name !== undefined && { name: readUserName(name) }),
    ...(email && { email: email.text, email_key: email.key }),
    ...(is_owner !== undefined && { is_owner: is_owner ? 1 : 0 }),
    ...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
  }
}

type ChangeDeps = Pick<Context, 'records' | 'accounts' | 'now'>

/** Forgets the sessions of the person and of those who became owners of the person's properties. */
function forgetBoth({ accounts }: ChangeDeps, id: string, heir: string | undefined): void {
  accounts.forgetUser(id)
  if (heir !== undefined) accounts.forgetUser(heir)
}

/**
 * Changes the rights of a person, their name and their address.
 * @param byUserId who makes the change, and takes over the properties of a person who is deactivated;
 * undefined: ADMIN_TOKEN.
 */
export async function changeUser(
  context: ChangeDeps,
  id: string,
  { email: text, ...given }: UserChange,
  byUserId?: string,
): Promise<ListedUser> {
  const { is_owner: isOwner, is_active: isActive } = given
  const email = text === undefined ? undefined : readUserEmail(text)
  const row = rowOf({ ...given, ...(email && { email }) })
  const nowTs = currentTs(context)
  const isOwnerAfter = (user: StoredUser): boolean => (isOwner ?? user.is_owner) && (isActive ?? user.is_active)
  let heir: string | undefined
  const changed = await changeAsOwner(context.records, id, isOwnerAfter, async (tx, user) => {
    await updateUserRow(tx, id, row)
    // Links created for the old address stop working.
    const isMoved = email !== undefined && email.key !== user.emailKey
    if (isActive === false || isMoved) await deleteLinksOf(tx, user)
    if (isMoved) await eraseMails(tx, null, { emailKeys: [user.emailKey], submissionIds: [] }, context.now())
    if (isActive === false) {
      await deleteSessionsOf(tx, id)
      heir = await handOver(tx, { userId: id, byUserId, nowTs })
    }
    if (isOwner === true) await useUp(tx, nowTs)
    return listedUserJson((await findUser(tx, 'id', id)) ?? user)
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? emailTaken() : error
  })
  forgetBoth(context, id, heir)
  if (email) await scrubDeleted(context.records)
  return changed
}

/**
 * Also removes sessions, sign-ins, codes and memberships. What the person created stays with the property.
 * @param byUserId as above.
 * @returns those of the person's creations that still let their holder in.
 */
export async function removeUser(context: ChangeDeps, id: string, byUserId?: string): Promise<LeftBehind> {
  const nowTs = currentTs(context)
  const { heir, left } = await changeAsOwner(
    context.records,
    id,
    () => false,
    async (tx, user) => {
      const owner = await handOver(tx, { userId: id, byUserId, nowTs })
      await deleteLinksOf(tx, user)
      await eraseMails(tx, null, { emailKeys: [user.emailKey], submissionIds: [] }, context.now())
      await removeReader(tx, null, user.emailKey)
      await deleteUserRow(tx, id)
      return { heir: owner, left: await listLeftBehind(tx, id) }
    },
  )
  forgetBoth(context, id, heir)
  await scrubDeleted(context.records)
  return left
}

/** @returns a link with which the person chooses a new password, shown once; until then the old one works. */
export async function makeReset(
  deps: UserDeps,
  id: string,
  { dropsTotp }: { readonly dropsTotp: boolean },
): Promise<{ resetUrl: string; expiresTs: number }> {
  await getUser(deps, id)
  const { url, invitation } = await deps.records.transaction().execute(async (tx) => {
    // Locks the person until the link is stored: someone who is being deactivated gets none, and the address
    // is current.
    const isActive = await updateActiveUser(tx, id, {})
    const email = readEmail((await getUser({ records: tx }, id)).email)
    if (!isActive || !email) throw notFound()
    const link = await makeLink(deps, tx, { kind: 'reset', user_id: id, email, drops_totp: dropsTotp ? 1 : 0 })
    await mailLink(deps, tx, link)
    return link
  })
  return { resetUrl: url, expiresTs: invitation.expires_ts }
}

/**
 * For the command line: by the address in any spelling. @throws Problem('not_found' | 'validation_failed')
 */
export async function getUserByEmail({ records }: Pick<Deps, 'records'>, email: string): Promise<StoredUser> {
  const user = await findUser(records, 'email_key', readUserEmail(email).key)
  if (!user) throw notFound()
  return user
}
