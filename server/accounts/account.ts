// What people change about themselves. What would hand the account to somebody else needs the current password, also of who is signed in.
import type { Context } from '../context.ts'
import type { EmailAddress } from '../kernel/email.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { isUniqueViolation, scrubDeleted, type Tx } from '../stores/records.ts'
import { attemptCode, attemptOwnPassword, tooManyAttempts } from './attempts.ts'
import { readPassword, readUserEmail, readUserName } from './draft.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { deleteInvitationsOfUser } from './invitation-records.ts'
import {
  confirmPending,
  deleteSession,
  deleteSessionsOf,
  findUser,
  holdPassword,
  listSessionRows,
  shownUser,
  type StoredUser,
  updateUserRow,
} from './records.ts'
import { newFactor, newRecoveryCodes, stepOfCode } from './second-factor.ts'
import { replaceRecoveryCodes, useStep } from './sign-in-records.ts'
import type { SignedIn, User } from './user.ts'
import { emailTaken } from './users.ts'

async function getMyself({ records }: Pick<Context, 'records'>, { user }: SignedIn): Promise<StoredUser> {
  const found = await findUser(records, 'id', user.id)
  if (!found) throw new Problem('unauthenticated', 'Sign in again.')
  return found
}

/** @throws Problem('validation_failed' | 'rate_limited') */
async function checkPassword(context: Context, user: StoredUser, password: string | undefined): Promise<void> {
  if (password === undefined) throw invalid('current_password', 'current_password is required for this.')
  const attempt = await attemptOwnPassword(context, user.id)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  if (!(await isPassword(password, user.passwordHash)))
    throw invalid('current_password', 'current_password is not your password.')
  await attempt.giveBack()
}

/** The password that was found right is still theirs, and stays so until the transaction ends. @throws Problem('unauthenticated') */
async function holdRight(tx: Tx, user: StoredUser): Promise<void> {
  if (!(await holdPassword(tx, user))) throw new Problem('unauthenticated', 'Sign in again.')
}

export interface AccountChange {
  readonly name?: string
  readonly email?: string
  readonly password?: string
  readonly current_password?: string
}

/**
 * Nothing proves whose an address is, and who adds a member goes by it: whoever could take any address would be given what is meant for somebody
 * else. Its spelling is everybody's own.
 */
function readOwnEmail(user: StoredUser, given: string | undefined): EmailAddress {
  if (given === undefined) return { text: user.email, key: user.emailKey }
  const email = readUserEmail(given)
  if (email.key !== user.emailKey && !user.is_owner)
    throw new Problem('insufficient_scope', 'Addresses are changed by owners of the installation: ask one of them.')
  return email
}

async function readChange(context: Context, user: StoredUser, change: AccountChange) {
  const name = change.name === undefined ? user.name : readUserName(change.name)
  const email = readOwnEmail(user, change.email)
  const password =
    change.password === undefined ? undefined : readPassword(change.password, { email: email.text, name })
  const isNewEmail = email.text !== user.email
  const needsPassword = isNewEmail || password !== undefined
  if (needsPassword) await checkPassword(context, user, change.current_password)
  const row = {
    name,
    email: email.text,
    email_key: email.key,
    ...(password !== undefined && { password_hash: await hashPassword(context.randomBytes, password) }),
  }
  return { row, needsPassword }
}

/** A new password ends the sessions in all other browsers. */
export async function changeAccount(context: Context, signedIn: SignedIn, change: AccountChange): Promise<User> {
  const user = await getMyself(context, signedIn)
  const { row, needsPassword } = await readChange(context, user, change)
  try {
    await context.records.transaction().execute(async (tx) => {
      if (needsPassword) await holdRight(tx, user)
      await updateUserRow(tx, user.id, row)
      // Links for a new password were made for who the person was before.
      if (row.email_key !== user.emailKey || row.password_hash !== undefined) await deleteInvitationsOfUser(tx, user.id)
      if (row.password_hash !== undefined) await deleteSessionsOf(tx, user.id, signedIn.sessionId)
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken()
    throw error
  }
  context.accounts.forgetUser(user.id)
  if (row.email !== user.email) await scrubDeleted(context.records)
  return shownUser({ ...user, name: row.name, email: row.email })
}

// ---------------------------------------------------------------- second factor

/** Counts once a code of it was confirmed; until then the one before, or none. */
export async function beginTotp(context: Context, signedIn: SignedIn, password: string) {
  const user = await getMyself(context, signedIn)
  await checkPassword(context, user, password)
  const { secret, otpauth_url, sealed } = newFactor(context, user)
  await context.records.transaction().execute(async (tx) => {
    await holdRight(tx, user)
    await updateUserRow(tx, user.id, { totp_pending: sealed })
  })
  return { secret, otpauth_url }
}

/** @returns the recovery codes, which are kept nowhere. */
export async function confirmTotp(context: Context, signedIn: SignedIn, code: string): Promise<string[]> {
  const user = await getMyself(context, signedIn)
  if (user.totpPending === null) throw invalid('code', 'There is no new authenticator to be confirmed.')
  const attempt = await attemptCode(context, user.id)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  const step = stepOfCode(context, user, user.totpPending, code.replaceAll(' ', ''))
  if (step === undefined) throw invalid('code', 'The code is wrong: is the clock of the authenticator right?')
  await attempt.giveBack()
  const { codes, hashes } = newRecoveryCodes(context.randomBytes, user.id)
  await context.records.transaction().execute(async (tx) => {
    await holdRight(tx, user)
    if (!(await confirmPending(tx, user))) throw invalid('code', 'There is another new authenticator by now.')
    await replaceRecoveryCodes(tx, user.id, hashes)
    // What confirmed it does not sign in as well.
    await useStep(tx, user.id, step)
  })
  context.accounts.forgetUser(user.id)
  return codes
}

export async function removeTotp(context: Context, signedIn: SignedIn, password: string): Promise<void> {
  const user = await getMyself(context, signedIn)
  await checkPassword(context, user, password)
  await context.records.transaction().execute(async (tx) => {
    await holdRight(tx, user)
    await updateUserRow(tx, user.id, { totp_secret: null, totp_pending: null })
    await replaceRecoveryCodes(tx, user.id, [])
  })
  context.accounts.forgetUser(user.id)
}

/** @returns the codes, which are kept nowhere; those before stop working. */
export async function renewRecoveryCodes(context: Context, signedIn: SignedIn, password: string): Promise<string[]> {
  const user = await getMyself(context, signedIn)
  await checkPassword(context, user, password)
  if (!user.has_totp) throw invalid('current_password', 'Recovery codes stand in for an authenticator: add one first.')
  const { codes, hashes } = newRecoveryCodes(context.randomBytes, user.id)
  await context.records.transaction().execute(async (tx) => {
    await holdRight(tx, user)
    await replaceRecoveryCodes(tx, user.id, hashes)
  })
  return codes
}

// ---------------------------------------------------------------- sessions

export async function listMySessions({ records }: Pick<Context, 'records'>, { user, sessionId }: SignedIn) {
  const rows = await listSessionRows(records, user.id)
  return rows.map((row) => ({ ...row, is_current: row.id === sessionId }))
}

export async function endMySession(context: Context, { user }: SignedIn, id: string): Promise<void> {
  const ended = /^se_\w{16,64}$/.test(id) && (await deleteSession(context.records, user.id, id))
  if (!ended) throw new Problem('not_found', 'Session not found.')
  context.accounts.forgetUser(user.id)
}
