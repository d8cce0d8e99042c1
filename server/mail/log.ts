// The log of mail: what was sent, what waits and what failed; whether mail is set up; and a test.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { readEmail } from '../kernel/email.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { DAY_MS } from '../kernel/days.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { inSteps } from '../stores/steps.ts'
import { enqueueMail, isMailOn, type Letter, missingSettings, text } from './mail.ts'
import type { MailKind, MailState } from './mail-model.ts'
import { type ListedMailRow, listMailRows, removeSomeOld } from './records.ts'
import type { MailJson, MailStatusJson } from './schema.ts'

const seconds = (ms: number): number => Math.floor(ms / 1000)

const mailJson = (row: ListedMailRow): MailJson => ({
  id: row.id,
  property_id: row.property_id,
  kind: row.kind as MailKind,
  to: row.to_email,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  next_attempt_ts: row.state === 'pending' && row.attempts > 0 ? seconds(row.claimed_until_ms) : null,
  created_ts: seconds(row.created_ms),
  finished_ts: row.finished_ms === null ? null : seconds(row.finished_ms),
})

/** Newest first. @param propertyId undefined: all there is. */
export async function listMails(
  { records }: Pick<Deps, 'records'>,
  filter: { readonly propertyId: string | undefined; readonly state: MailState | undefined },
  query: PageQuery,
): Promise<Listed<MailJson>> {
  const { rows, total } = await listMailRows(records, filter, query)
  return { rows: rows.map(mailJson), total }
}

/** Nothing of the password, nor of the user. */
export function mailStatus(config: Pick<Config, 'smtp' | 'mailFrom'>): MailStatusJson {
  const { smtp, mailFrom } = config
  const host = smtp?.host.includes(':') ? `[${smtp.host}]` : smtp?.host
  return {
    is_on: isMailOn(config),
    missing: missingSettings(config),
    from: mailFrom && (mailFrom.name ? `${mailFrom.name} <${mailFrom.address}>` : mailFrom.address),
    server: smtp && `${host}:${smtp.port}`,
    encryption: smtp?.tls ?? null,
  }
}

export const testLetter = (): Letter => ({
  subject: 'Test email from Footfall',
  title: 'Email works',
  blocks: [
    text(
      'This is the test that was asked for. Invitations, reports and notifications will reach this address the same way.',
    ),
  ],
  reason: 'You received this email because an owner of this Footfall installation sent you a test.',
})

/** @throws Problem('validation_failed' | 'unavailable') */
export async function sendTest(
  deps: Pick<Deps, 'records' | 'keys' | 'now' | 'randomBytes' | 'config'>,
  given: string,
): Promise<void> {
  const to = readEmail(given)
  if (!to) throw invalid('to', 'This is not an email address.')
  const { missing } = mailStatus(deps.config)
  if (missing.length > 0)
    throw new Problem('validation_failed', `Email is not set up: ${missing.join(' and ')} must be set.`)
  await enqueueMail(deps, deps.records, { kind: 'test', to, letter: testLetter(), propertyId: null })
}

/** After DELIVERY_DAYS. @returns how many went. */
export function removeOldMails({
  records,
  config,
  now,
}: Pick<Deps, 'records' | 'now'> & { readonly config: Pick<Config, 'deliveryDays'> }): Promise<number> {
  return inSteps((most) => removeSomeOld(records, now() - config.deliveryDays * DAY_MS, most))
}
