// A new password for whoever reads the mail of an account. The answer is the same, after the same time,
// whether there is an account or not.
import type { Context } from '../context.ts'
import { readEmail } from '../kernel/email.ts'
import { Problem } from '../kernel/problem.ts'
import { isMailOn } from '../mail/mail.ts'
import { makeLink } from '../members/invitations.ts'
import { attemptForgotten, attemptMailOf, tooManyAttempts } from './attempts.ts'
import { mailLink } from './letters.ts'
import { findUser, updateActiveUser } from './records.ts'

const GOOD_SECONDS = 3_600

/** Somebody who has not chosen a password yet keeps the invitation instead. */
async function sendReset(context: Context, emailKey: string): Promise<void> {
  const user = await findUser(context.records, 'email_key', emailKey)
  const email = user && readEmail(user.email)
  if (!user?.is_active || !user.has_password || !email) return
  if ((await attemptMailOf(context, emailKey)).isRefused) return
  await context.records.transaction().execute(async (tx) => {
    // Locks the person: who is deactivated meanwhile gets no link.
    if (!(await updateActiveUser(tx, user.id, {}))) return
    // Links that an owner made stay good: a stranger must not be able to end them.
    const how = { goodSeconds: GOOD_SECONDS, keepsEarlier: true }
    const link = await makeLink(context, tx, { kind: 'reset', user_id: user.id, email }, how)
    await mailLink(context, tx, link)
  })
}

/** @throws Problem('not_found') without a mail server, Problem('rate_limited') for the client alone. */
export async function askForReset(context: Context, given: string, client: string): Promise<void> {
  if (!isMailOn(context.config)) throw new Problem('not_found', 'Email is not set up. Ask an owner for a link.')
  const attempt = await attemptForgotten(context, client)
  if (attempt.isRefused) throw tooManyAttempts(attempt)
  const emailKey = readEmail(given)?.key
  if (emailKey === undefined) return
  // Not waited for: how long it takes would tell which addresses have an account.
  sendReset(context, emailKey).catch((error: unknown) => {
    context.log.error({ err: error }, 'a link for a new password could not be made')
  })
}
