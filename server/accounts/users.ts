// Who may sign in to this installation: added and removed by its owners, of whom there is always one left.
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PageAsk } from '../kernel/page.ts'
import { readEmail } from '../kernel/email.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import type { Listed } from '../properties/properties.ts'
import { type RandomBytes, randomText } from '../properties/secrets.ts'
import { isUniqueViolation, scrubDeleted, type Tx } from '../stores/records.ts'
import { readUserEmail, readUserName } from './draft.ts'
import { deleteInvitationsOfUser } from './invitation-records.ts'
import { makeLink } from './invitations.ts'
import {
  countOtherOwners,
  deleteSessionsOf,
  deleteUserRow,
  findUser,
  insertUser,
  listedUser,
  listUserRows,
  type StoredUser,
  updateUserRow,
} from './records.ts'
import { lockOwners, useUp } from './setup-records.ts'
import { type ListedUser, userIdShape } from './user.ts'

const ID_LENGTH = 20

export const newUserId = (randomBytes: RandomBytes): string => `us_${randomText(randomBytes, ID_LENGTH)}`

/** What the command line has as well. */
export type UserDeps = Pick<Deps, 'records' | 'now' | 'randomBytes'> & { readonly config: Config }

const notFound = () => new Problem('not_found', 'User not found.')

/** @throws Problem('not_found') */
export async function getUser({ records }: Pick<Deps, 'records'>, id: string): Promise<StoredUser> {
  const user = userIdShape.test(id) ? await findUser(records, 'id', id) : undefined
  if (!user) throw notFound()
  return user
}

/** Newest first. */
export async function listUsers({ records }: Pick<Deps, 'records'>, ask: PageAsk): Promise<Listed<ListedUser>> {
  return listUserRows(records, ask)
}

export interface UserDraft {
  readonly email: string
  readonly name: string
  readonly is_owner?: boolean
}

export const emailTaken = () => invalid('email', 'There is an account with this e-mail address already.')

/** @returns the link with which the person chooses a password, shown once. */
export async function createUser(
  deps: UserDeps,
  draft: UserDraft,
): Promise<{ user: ListedUser; invitationUrl: string }> {
  const [email, name] = [readUserEmail(draft.email), readUserName(draft.name)]
  const id = newUserId(deps.randomBytes)
  const created_ts = Math.floor(deps.now() / 1000)
  const user = { id, email: email.text, name, is_owner: draft.is_owner ?? false, created_ts }
  try {
    const { url } = await deps.records.transaction().execute(async (tx) => {
      await insertUser(tx, { ...user, emailKey: email.key, passwordHash: null })
      // There is an owner now: the one-time link for the first one is over.
      if (user.is_owner) await useUp(tx, created_ts)
      return makeLink(deps, tx, { kind: 'user', user_id: id, email })
    })
    return { user: { ...user, has_totp: false, is_active: true, has_password: false }, invitationUrl: url }
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken()
    throw error
  }
}

/** Two owners who remove each other at once take turns; the second finds that nobody would be left. */
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
    if (isOwner && !isOwnerAfter(user) && (await countOtherOwners(tx, id)) === 0)
      throw invalid('is_owner', 'The last owner of the installation stays one: make another first.')
    return change(tx, user)
  })
}

export interface UserChange {
  readonly name?: string
  readonly email?: string
  readonly is_owner?: boolean
  /** False: signed out everywhere, and not let in again. */
  readonly is_active?: boolean
}

/** The rights of a person, their name, and their address: by which they sign in, and others add them. */
export async function changeUser(
  context: Pick<Context, 'records' | 'accounts' | 'now'>,
  id: string,
  given: UserChange,
): Promise<ListedUser> {
  const { is_owner: isOwner, is_active: isActive } = given
  const email = given.email === undefined ? undefined : readUserEmail(given.email)
  const shown = {
    ...(given.name !== undefined && { name: readUserName(given.name) }),
    ...(email && { email: email.text }),
  }
  const row = {
    ...shown,
    ...(email && { email_key: email.key }),
    ...(isOwner !== undefined && { is_owner: isOwner ? 1 : 0 }),
    ...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
  }
  const isOwnerAfter = (user: StoredUser): boolean => (isOwner ?? user.is_owner) && (isActive ?? user.is_active)
  const changed = await changeAsOwner(context.records, id, isOwnerAfter, async (tx, user) => {
    await updateUserRow(tx, id, row)
    if (isActive === false) await deleteSessionsOf(tx, id)
    // A link was handed to whoever had the address before.
    if (email && email.key !== user.emailKey) await deleteInvitationsOfUser(tx, id)
    if (isOwner === true) await useUp(tx, Math.floor(context.now() / 1000))
    return listedUser({ ...user, ...given, name: user.name, email: user.email, ...shown })
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? emailTaken() : error
  })
  context.accounts.forgetUser(id)
  if (email) await scrubDeleted(context.records)
  return changed
}

/** With sessions, sign-ins, codes and memberships. What the person made stays: it belongs to the property. */
export async function removeUser(context: Pick<Context, 'records' | 'accounts'>, id: string): Promise<void> {
  await changeAsOwner(
    context.records,
    id,
    () => false,
    (tx, user) => deleteUserRow(tx, user),
  )
  context.accounts.forgetUser(id)
  await scrubDeleted(context.records)
}

/** @returns a link with which the person chooses a new password, shown once; until it is used the old one stays good. */
export async function makeReset(
  deps: UserDeps,
  id: string,
  { dropsTotp }: { readonly dropsTotp: boolean },
): Promise<{ resetUrl: string; expiresTs: number }> {
  const user = await getUser(deps, id)
  const email = readEmail(user.email)
  if (!user.is_active || !email) throw notFound()
  const forWhom = { kind: 'reset', user_id: id, email, drops_totp: dropsTotp ? 1 : 0 } as const
  const { url, invitation } = await deps.records.transaction().execute((tx) => makeLink(deps, tx, forWhom))
  return { resetUrl: url, expiresTs: invitation.expires_ts }
}

/** By the address, in any spelling: for the command line. @throws Problem('not_found' | 'validation_failed') */
export async function getUserByEmail({ records }: Pick<Deps, 'records'>, email: string): Promise<StoredUser> {
  const user = await findUser(records, 'email_key', readUserEmail(email).key)
  if (!user) throw notFound()
  return user
}
