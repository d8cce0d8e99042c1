// What people change about their own account. A change that could hand the account to somebody else needs the
// current password, even from a person who is signed in.
import type { Context } from '../context.ts'
import type { EmailAddress } from '../kernel/email.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { isUniqueViolation, scrubDeleted, type Tx } from '../stores/records.ts'
import { attemptCode, attemptOwnPassword, judge, tooManyAttempts } from './attempts.ts'
import { readPassword, readUserEmail, readUserName } from './draft.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { deleteLinksOf, deletePasswordLinks } from '../members/invitation-records.ts'
import { confirmPending, findUser, lockPassword, userJson, type StoredUser, updateUserRow } from './records.ts'
import type { AccountChange } from './schema.ts'
import { canDecrypt, newFactor, newRecoveryCodes, stepOfCode } from './second-factor.ts'
import { deleteSession, deleteSessionsOf, listSessionRows } from './session-records.ts'
import { lockOwners } from './setup-records.ts'
import { replaceRecoveryCodes, useStep } from './sign-in-records.ts'
import type { SignedIn, User } from './user-model.ts'
import { emailTaken } from './users.ts'

async function getPerson(records: Context['records'] | Tx, id: string): Promise<StoredUser> {
  const found = await findUser(records, 'id', id)
  if (!found) throw new Problem('unauthenticated', 'Sign in again.')
  return found
}

const getMyself = ({ records }: Pick<Context, 'records'>, { user }: SignedIn): Promise<StoredUser> =>
  getPerson(records, user.id)

/** @throws Problem('validation_failed' | 'rate_limited') */
async function checkPassword(context: Context, user: StoredUser, password: string | undefined): Promise<void> {
  if (password === undefined) throw invalid('current_password', 'current_password is required for this.')
  const attempt = await attemptOwnPassword(context, user.id)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  if (!(await judge(attempt, () => isPassword(context, password, user.passwordHash))))
    throw invalid('current_password', 'current_password is not your password.')
}

/**
 * Checks that the password which was just verified is still the current one, and locks it until the
 * transaction ends.
 * @throws Problem('unauthenticated')
 */
async function lockVerifiedPassword(tx: Tx, user: StoredUser): Promise<void> {
  if (!(await lockPassword(tx, user))) throw new Problem('unauthenticated', 'Sign in again.')
}

/**
 * Addresses are not verified, and members are added by address: a person who could choose any address could
 * receive what is meant for somebody else. Changing only the spelling of one's own address is safe.
 */
function assertOwnEmail(user: StoredUser, email: EmailAddress | undefined): void {
  if (email && email.key !== user.emailKey && !user.is_owner)
    throw new Problem('insufficient_scope', 'Only owners of the installation can change email addresses.')
}

const isNewEmail = (user: StoredUser, email: EmailAddress | undefined): boolean =>
  email !== undefined && email.text !== user.email

interface ReadChange {
  /** Only the given fields: another request may have changed the others meanwhile. */
  readonly row: { readonly name?: string; readonly password_hash?: string }
  readonly email: EmailAddress | undefined
  /** The password has been verified. */
  readonly isChecked: boolean
}

async function readChange(context: Context, user: StoredUser, change: AccountChange): Promise<ReadChange> {
  const named = change.name === undefined ? undefined : { name: readUserName(change.name) }
  const email = change.email === undefined ? undefined : readUserEmail(change.email)
  assertOwnEmail(user, email)
  const known = { ...user, ...named, ...(email && { email: email.text }) }
  const password = change.password === undefined ? undefined : readPassword(change.password, known)
  const isChecked = isNewEmail(user, email) || password !== undefined
  if (isChecked) await checkPassword(context, user, change.current_password)
  const hash = password === undefined ? undefined : await hashPassword(context, password)
  return { row: { ...named, ...(hash !== undefined && { password_hash: hash }) }, email, isChecked }
}

/** Reads the person again: an owner may have changed the address since this request began. */
async function applyChange(
  tx: Tx,
  user: StoredUser,
  { row, email, isChecked }: ReadChange,
  sessionId: string,
): Promise<{ before: StoredUser; after: StoredUser }> {
  // All changes of addresses lock the rows in this order.
  if (email) await lockOwners(tx)
  if (isChecked) await lockVerifiedPassword(tx, user)
  const before = await getPerson(tx, user.id)
  assertOwnEmail(before, email)
  const isMoved = isNewEmail(before, email)
  if (isMoved && !isChecked) throw invalid('email', 'Your email was changed in the meantime: check it again.')
  await updateUserRow(tx, user.id, { ...row, ...(email && isMoved && { email: email.text, email_key: email.key }) })
  // Links that were created for the person's old address.
  if (email && email.key !== before.emailKey) await deleteLinksOf(tx, before)
  if (row.password_hash !== undefined) {
    await deletePasswordLinks(tx, user.id)
    await deleteSessionsOf(tx, user.id, sessionId)
  }
  return { before, after: await getPerson(tx, user.id) }
}

/** A new password ends the sessions in all other browsers. */
export async function changeAccount(context: Context, signedIn: SignedIn, change: AccountChange): Promise<User> {
  const user = await getMyself(context, signedIn)
  const read = await readChange(context, user, change)
  const { before, after } = await context.records
    .transaction()
    .execute((tx) => applyChange(tx, user, read, signedIn.sessionId))
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? emailTaken() : error
    })
  context.accounts.forgetUser(user.id)
  if (before.email !== after.email) await scrubDeleted(context.records)
  return userJson(after)
}

// ---------------------------------------------------------------- second factor

/** It counts once a code of it is confirmed; until then the previous one stays in force. */
export async function beginTotp(context: Context, signedIn: SignedIn, password: string) {
  const user = await getMyself(context, signedIn)
  await checkPassword(context, user, password)
  const { secret, otpauth_url, encrypted } = newFactor(context, user)
  await context.records.transaction().execute(async (tx) => {
    await lockVerifiedPassword(tx, user)
    await updateUserRow(tx, user.id, { totp_pending: encrypted })
  })
  return { secret, otpauth_url }
}

/** @returns the recovery codes, which are stored only as hashes. */
export async function confirmTotp(context: Context, signedIn: SignedIn, code: string): Promise<string[]> {
  const user = await getMyself(context, signedIn)
  if (user.totpPending === null) throw invalid('code', 'There is no new authenticator to confirm.')
  if (!canDecrypt(context, user, user.totpPending))
    throw invalid('code', 'The SECRET of the server has changed. Set up the authenticator again.')
  const attempt = await attemptCode(context, user.id)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  const step = stepOfCode(context, user, user.totpPending, code.replaceAll(' ', ''))
  if (step === undefined) throw invalid('code', 'Wrong code. Check that the clock of your authenticator is right.')
  await attempt.giveBack()
  const { codes, hashes } = newRecoveryCodes(context.randomBytes, user.id)
  await context.records.transaction().execute(async (tx) => {
    await lockVerifiedPassword(tx, user)
    if (!(await confirmPending(tx, user))) throw invalid('code', 'Another authenticator was set up in the meantime.')
    await replaceRecoveryCodes(tx, user.id, hashes)
    // The code that confirms the setup cannot also be used to sign in.
    await useStep(tx, user.id, step)
  })
  context.accounts.forgetUser(user.id)
  return codes
}

export async function removeTotp(context: Context, signedIn: SignedIn, password: string): Promise<void> {
  const user = await getMyself(context, signedIn)
  await checkPassword(context, user, password)
  await context.records.transaction().execute(async (tx) => {
    await lockVerifiedPassword(tx, user)
    await updateUserRow(tx, user.id, { totp_secret: null, totp_pending: null })
    await replaceRecoveryCodes(tx, user.id, [])
  })
  context.accounts.forgetUser(user.id)
}

/** @returns the new codes, which are stored only as hashes; the previous ones stop working. */
export async function renewRecoveryCodes(context: Context, signedIn: SignedIn, password: string): Promise<string[]> {
  const user = await getMyself(context, signedIn)
  await checkPassword(context, user, password)
  if (!user.has_totp) throw invalid('current_password', 'Turn on two-factor authentication first.')
  const { codes, hashes } = newRecoveryCodes(context.randomBytes, user.id)
  await context.records.transaction().execute(async (tx) => {
    await lockVerifiedPassword(tx, user)
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
