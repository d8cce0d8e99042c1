// Signing in. Every failure gets the same answer after the same time; each attempt is logged for the person;
// each success opens a new session.
import type { Context } from '../context.ts'
import { readEmail } from '../kernel/email.ts'
import { isMailOn } from '../mail/mail.ts'
import { currentTs } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { isForeignKeyViolation, type Tx } from '../stores/records.ts'
import type { SignInTable } from '../stores/tables/account-tables.ts'
import { type Attempt, attemptCode, attemptSignIn, judge, tooManyAttempts, uncounted } from './attempts.ts'
import { isPassword } from './passwords.ts'
import { findUser, lockPassword, userJson, type StoredUser } from './records.ts'
import { isTotpCode, passesSecondFactor } from './second-factor.ts'
import { KEPT_SIGN_IN_SECONDS } from './retention.ts'
import { openSession } from './sessions.ts'
import { mailNewSignIn } from './letters.ts'
import { insertSignIn, isNewPlace, wasHere } from './sign-in-records.ts'
import type { User } from './user-model.ts'

/** The person who signs in, as far as the request tells. */
export interface Visitor {
  readonly browser: string
  readonly os: string
  readonly country: string
  readonly address: string
  /** The client that limits count. */
  readonly client: string
  /** The cookie that the browser sent, if any. */
  readonly cookie: string | undefined
}

export interface Opened {
  readonly user: User
  /** For the cookie. */
  readonly secret: string
}

type Outcome = SignInTable['outcome']

interface LoggedAttempt {
  readonly ts: number
  readonly userId: string | null
  readonly visitor: Visitor
  readonly outcome: Outcome
}

/**
 * An attempt on an address without an account is logged too, with blanks for the visitor. Otherwise it would
 * answer faster than one on an account, and so tell which addresses have one.
 */
async function logAttempt(
  records: Context['records'] | Tx,
  { ts, userId, visitor, outcome }: LoggedAttempt,
): Promise<void> {
  const { browser, os, country, address, client } = visitor
  const blank = userId === null ? { browser: '', os: '', country: '', address: '', client: '' } : undefined
  await insertSignIn(records, { user_id: userId, ts, outcome, browser, os, country, address, client, ...blank })
}

/** A person who was removed during the attempt has no log any more. */
async function noteFailure(
  context: Context,
  user: StoredUser | undefined,
  visitor: Visitor,
  outcome: Outcome,
): Promise<void> {
  const attempt = { ts: currentTs(context), userId: user?.id ?? null, visitor, outcome }
  await logAttempt(context.records, attempt).catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
  })
}

const unknown = () => new Problem('unauthenticated', 'Wrong email or password.')

async function refuseLocked(
  context: Context,
  attempt: Attempt,
  user: StoredUser | undefined,
  visitor: Visitor,
): Promise<void> {
  if (!attempt.isRefused) return
  if (attempt.isFirstRefused) await noteFailure(context, user, visitor, 'locked')
  throw tooManyAttempts(attempt)
}

/**
 * Only TOTP codes are counted per account: a recovery code cannot be guessed, and lets the person in while
 * somebody else tries codes.
 */
async function checkCode(context: Context, user: StoredUser, visitor: Visitor, code: string): Promise<void> {
  const attempt = isTotpCode(code) ? await attemptCode(context, user.id) : uncounted
  await refuseLocked(context, attempt, user, visitor)
  if (await judge(attempt, () => passesSecondFactor(context, user, code))) return
  await noteFailure(context, user, visitor, 'wrong_code')
  throw new Problem('second_factor', 'This code is wrong or was already used.')
}

/** In one transaction: opens the session and logs the sign-in of a person who has been verified. */
export async function welcome(context: Context, tx: Tx, userId: string, visitor: Visitor): Promise<string> {
  const secret = await openSession(context, tx, userId, visitor)
  await logAttempt(tx, { ts: currentTs(context), userId, visitor, outcome: 'ok' })
  return secret
}

/** Before the sign-in is logged, which makes the place a known one. */
async function tellOfNewPlace(context: Context, tx: Tx, { id, email }: StoredUser, visitor: Visitor): Promise<void> {
  if (!isMailOn(context.config)) return
  const to = readEmail(email)
  const sinceTs = currentTs(context) - KEPT_SIGN_IN_SECONDS
  if (to && (await isNewPlace(tx, id, visitor, sinceTs))) await mailNewSignIn(context, tx, to, visitor)
}

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly code?: string
}

/**
 * @throws Problem('unauthenticated') for a wrong address or password alike, Problem('second_factor') when the
 * password is right and a code is missing or wrong, Problem('rate_limited').
 */
export async function signIn(context: Context, given: Credentials, visitor: Visitor): Promise<Opened> {
  // An invalid address is treated like an unknown one.
  const emailKey = readEmail(given.email)?.key ?? ''
  const user = await findUser(context.records, 'email_key', emailKey)
  const sinceTs = currentTs(context) - KEPT_SIGN_IN_SECONDS
  const isFamiliar = await wasHere(context.records, user?.id ?? '', visitor.client, sinceTs)
  const attempt = await attemptSignIn(context, { emailKey, client: visitor.client, isFamiliar })
  await refuseLocked(context, attempt, user, visitor)
  // The password of a deactivated person never matches, and the try is counted as usual.
  const kept = user?.is_active ? user.passwordHash : null
  const isRight = await judge(attempt, () => isPassword(context, given.password, kept))
  if (!user || !isRight) {
    await noteFailure(context, user, visitor, 'wrong_password')
    throw unknown()
  }
  if (user.has_totp && !given.code?.trim())
    throw new Problem('second_factor', 'Enter a code from your authenticator app as well, or a recovery code.')
  await checkCode(context, user, visitor, given.code ?? '')
  const secret = await context.records.transaction().execute(async (tx) => {
    // The password was changed since it was checked, which ended all sessions: do not open another.
    if (!(await lockPassword(tx, user))) throw unknown()
    await tellOfNewPlace(context, tx, user, visitor)
    return welcome(context, tx, user.id, visitor)
  })
  return { user: userJson(user), secret }
}
