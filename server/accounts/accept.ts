// Using a link that works once: its bearer becomes a member, gets an account or a new password, and is signed
// in. Of two callers at once, one finds the link used up.
import type { Context } from '../context.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { currentTs } from '../kernel/deps.ts'
import { isForeignKeyViolation, isUniqueViolation, type Tx } from '../stores/records.ts'
import { attemptCode, judge, tooManyAttempts } from './attempts.ts'
import { readPassword, readUserName } from './draft.ts'
import {
  deleteInvitationsInto,
  deletePasswordLinks,
  type Invitation,
  useInvitation,
} from '../members/invitation-records.ts'
import { linkNotFound, openLink } from '../members/invitations.ts'
import { insertMember } from '../members/records.ts'
import { hashPassword } from './passwords.ts'
import { findUser, insertUser, userJson, type StoredUser, updateActiveUser } from './records.ts'
import type { Acceptance } from './schema.ts'
import { deleteSessionsOf } from './session-records.ts'
import { passesSecondFactor } from './second-factor.ts'
import { lockOwners } from './setup-records.ts'
import { replaceRecoveryCodes } from './sign-in-records.ts'
import { type Opened, type Visitor, welcome } from './sign-in.ts'
import type { SignedIn, User } from './user-model.ts'

export interface Accepted {
  readonly user: User
  /** For the cookie; undefined for a caller who is signed in already. */
  readonly secret: string | undefined
}

const given = (field: 'name' | 'password', text: string | undefined): string => {
  if (text === undefined || text.trim() === '') throw invalid(field, `${field} is required.`)
  return text
}

async function use(tx: Tx, invitation: Invitation): Promise<void> {
  if (!(await useInvitation(tx, invitation.id))) throw linkNotFound()
}

/** Takes the owners' lock, so that concurrent changes of members run one after another. */
async function useInTurn(tx: Tx, invitation: Invitation): Promise<void> {
  await lockOwners(tx)
  await use(tx, invitation)
}

async function join(context: Context, tx: Tx, { property_id, role }: Invitation, userId: string): Promise<void> {
  if (property_id === null || role === null) return
  await insertMember(tx, { property_id, user_id: userId, role, created_ts: currentTs(context) })
  await deleteInvitationsInto(tx, property_id, userId)
}

async function open(context: Context, tx: Tx, userId: string, visitor: Visitor): Promise<Opened> {
  const secret = await welcome(context, tx, userId, visitor)
  const user = await findUser(tx, 'id', userId)
  if (!user) throw linkNotFound()
  return { user: userJson(user), secret }
}

const accountExists = (): Problem =>
  new Problem('unauthenticated', 'An account with this email already exists: sign in with it first.')

/** The account may be that of somebody who has used this link a moment ago. @throws Problem('not_found') */
async function signInFirst(context: Context, { token }: Acceptance): Promise<Problem> {
  await openLink(context, token)
  return accountExists()
}

/**
 * When the address already has an account, only its holder, signed in, may accept: otherwise the creator of
 * the link could open it and become that person.
 */
async function joinAsMyself(
  context: Context,
  { invitation, user }: { readonly invitation: Invitation; readonly user: StoredUser },
  acceptance: Acceptance,
  signedIn: SignedIn | undefined,
): Promise<Accepted> {
  if (signedIn?.user.id !== user.id) throw await signInFirst(context, acceptance)
  await context.records.transaction().execute(async (tx) => {
    await useInTurn(tx, invitation)
    await join(context, tx, invitation, user.id)
  })
  context.accounts.forgetUser(user.id)
  return { user: userJson(user), secret: undefined }
}

async function joinAsNew(
  context: Context,
  invitation: Invitation,
  acceptance: Acceptance,
  visitor: Visitor,
): Promise<Accepted> {
  const name = readUserName(given('name', acceptance.name))
  const password = readPassword(given('password', acceptance.password), { email: invitation.email, name })
  const passwordHash = await hashPassword(context, password)
  const id = newId(context, 'us')
  return context.records.transaction().execute(async (tx) => {
    await useInTurn(tx, invitation)
    const { email, email_key: emailKey } = invitation
    const created_ts = currentTs(context)
    await insertUser(tx, { id, email, emailKey, name, passwordHash, is_owner: false, created_ts })
    await join(context, tx, invitation, id)
    return open(context, tx, id, visitor)
  })
}

/** A password reset does not bypass the second factor, unless an owner of the installation allowed it. */
async function checkCode(
  context: Context,
  user: StoredUser,
  { drops_totp: drops }: Invitation,
  code: string | undefined,
): Promise<void> {
  if (!user.has_totp || drops === 1) return
  if (!code?.trim()) throw new Problem('second_factor', 'Enter a code from your authenticator app, or a recovery code.')
  const attempt = await attemptCode(context, user.id)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  if (!(await judge(attempt, () => passesSecondFactor(context, user, code))))
    throw new Problem('second_factor', 'This code is wrong or was already used.')
}

/** Ends every session that was opened with the old password. */
async function choosePassword(
  context: Context,
  { invitation, user }: { readonly invitation: Invitation; readonly user: StoredUser },
  acceptance: Acceptance,
  visitor: Visitor,
): Promise<Accepted> {
  const named = acceptance.name === undefined ? undefined : { name: readUserName(acceptance.name) }
  const password = readPassword(given('password', acceptance.password), { ...user, ...named })
  await checkCode(context, user, invitation, acceptance.code)
  const hash = await hashPassword(context, password)
  const noTotp = invitation.drops_totp === 1 ? { totp_secret: null, totp_pending: null } : {}
  const opened = await context.records.transaction().execute(async (tx) => {
    // Before the link: deactivating a person locks these rows in the same order.
    if (!(await updateActiveUser(tx, user.id, { ...named, password_hash: hash, ...noTotp }))) throw linkNotFound()
    await use(tx, invitation)
    if (invitation.drops_totp === 1) await replaceRecoveryCodes(tx, user.id, [])
    await deletePasswordLinks(tx, user.id)
    await deleteSessionsOf(tx, user.id)
    return open(context, tx, user.id, visitor)
  })
  context.accounts.forgetUser(user.id)
  return opened
}

/** The person was removed, or the account created, after the check: the constraint decides. */
function explained(error: unknown): unknown {
  if (isForeignKeyViolation(error)) return linkNotFound()
  return isUniqueViolation(error) ? accountExists() : error
}

/**
 * @param signedIn the caller, when signed in.
 * @throws Problem('not_found' | 'validation_failed' | 'unauthenticated' | 'second_factor' | 'rate_limited')
 */
export async function acceptLink(
  context: Context,
  acceptance: Acceptance,
  visitor: Visitor,
  signedIn: SignedIn | undefined,
): Promise<Accepted> {
  const { invitation, user } = await openLink(context, acceptance.token)
  try {
    if (invitation.kind !== 'member' && user)
      return await choosePassword(context, { invitation, user }, acceptance, visitor)
    return user
      ? await joinAsMyself(context, { invitation, user }, acceptance, signedIn)
      : await joinAsNew(context, invitation, acceptance, visitor)
  } catch (error) {
    throw explained(error)
  }
}
