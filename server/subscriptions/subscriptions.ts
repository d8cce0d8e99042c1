// Who gets which mail: people with or without an account, named by an admin. Each can unsubscribe with one
// click, and only they themselves subscribe again.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { type EmailAddress, readEmail } from '../kernel/email.ts'
import { invalid } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { lastErrors } from '../mail/mail.ts'
import type { Records, Tx } from '../stores/records.ts'
import { deleteActiveBut, deleteRowsTo, insertSubscriber, listPropertiesWith, listRows } from './records.ts'
import { type ListRef, MAX_SUBSCRIBERS, type SubscriberState } from './subscription-model.ts'

export { type ListRef, MAX_SUBSCRIBERS } from './subscription-model.ts'

export interface ListedSubscriber {
  readonly email: string
  readonly state: SubscriberState
  /** Since when; unix seconds. */
  readonly since_ts: number
  /** What the mail server said of the last email to them, when it was not sent; null: it was. */
  readonly last_error: string | null
}

export async function listSubscribers(records: Records | Tx, ref: ListRef): Promise<ListedSubscriber[]> {
  const rows = await listRows(records, ref)
  const keys = rows.map(({ email_key }) => email_key)
  const errors = await lastErrors(records, ref.propertyId, keys)
  return rows.map(({ email, email_key, created_ms, unsubscribed_ms }) => ({
    email,
    state: unsubscribed_ms === null ? 'active' : 'unsubscribed',
    since_ts: Math.floor((unsubscribed_ms ?? created_ms) / 1000),
    last_error: errors.get(email_key) ?? null,
  }))
}

export interface Reader {
  readonly to: EmailAddress
  readonly unsubscribeUrl: string
}

/** Those who get the mail of a list. */
export async function readersOf(
  { config }: { readonly config: Pick<Config, 'baseUrl'> },
  records: Records | Tx,
  ref: ListRef,
): Promise<Reader[]> {
  const rows = (await listRows(records, ref)).filter(({ unsubscribed_ms }) => unsubscribed_ms === null)
  return rows.map(({ id, email, email_key }) => ({
    to: { text: email, key: email_key },
    unsubscribeUrl: `${config.baseUrl}/unsubscribe/${id}`,
  }))
}

/**
 * Those of them who have not unsubscribed: people who get the mail of a list because of what they are, and
 * not because somebody named them.
 */
export async function readersAmong(
  deps: Pick<Deps, 'now' | 'randomBytes'> & { readonly config: Pick<Config, 'baseUrl'> },
  tx: Tx,
  ref: ListRef,
  people: readonly EmailAddress[],
): Promise<Reader[]> {
  await addReaders(deps, tx, ref, people)
  const keys = new Set(people.map(({ key }) => key))
  return (await readersOf(deps, tx, ref)).filter(({ to }) => keys.has(to.key))
}

/** Ids of the properties of which somebody gets the mail of a list. */
export const propertiesWith = listPropertiesWith

/** Each once. @throws Problem('validation_failed') */
function readEmails(path: string, written: readonly string[]): EmailAddress[] {
  const byKey = new Map<string, EmailAddress>()
  for (const [at, text] of written.entries()) {
    const email = readEmail(text)
    if (!email) throw invalid(`${path}.${at}`, `${path}.${at} must be an email address.`)
    if (!byKey.has(email.key)) byKey.set(email.key, email)
  }
  if (byKey.size > MAX_SUBSCRIBERS) throw invalid(path, `${path} may have at most ${MAX_SUBSCRIBERS} email addresses.`)
  return [...byKey.values()]
}

/** In their order, which the times keep: each is added a millisecond after the one before. */
async function addReaders(
  deps: Pick<Deps, 'now' | 'randomBytes'>,
  tx: Tx,
  ref: ListRef,
  people: readonly EmailAddress[],
): Promise<void> {
  const nowMs = deps.now()
  for (const [at, { text, key }] of people.entries())
    await insertSubscriber(tx, ref, {
      id: newId(deps, 'sn'),
      email: text,
      email_key: key,
      created_ms: nowMs + at,
      unsubscribed_ms: null,
    })
}

/**
 * Makes these the readers of a list. Whoever unsubscribed stays so, whether or not they are among them.
 * @param path of the list in the request.
 * @throws Problem('validation_failed')
 */
export async function replaceReaders(
  deps: Pick<Deps, 'now' | 'randomBytes'>,
  tx: Tx,
  ref: ListRef,
  { path, emails }: { readonly path: string; readonly emails: readonly string[] },
): Promise<void> {
  const read = readEmails(path, emails)
  await deleteActiveBut(
    tx,
    ref,
    read.map(({ key }) => key),
  )
  await addReaders(deps, tx, ref, read)
}

/**
 * For somebody who leaves, or is erased: nothing is sent to them any more, and nothing is known of them.
 * @param propertyId null: in all properties.
 */
export const removeReader = deleteRowsTo
