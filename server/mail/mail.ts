// Mail as other folders know it: a letter is written into the outbox in the transaction of what it follows
// from, and sent behind it. Without SMTP_URL and MAIL_FROM nothing is written.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { type EmailAddress, inboxOf } from '../kernel/email.ts'
import { encrypt } from '../kernel/encryption.ts'
import { newId } from '../kernel/secrets.ts'
import { cleanText } from '../kernel/text.ts'
import type { Records, Tx } from '../stores/records.ts'
import { type Letter, letterHtml, letterText } from './letter.ts'
import type { MailContent, MailKind } from './mail-model.ts'
import { countRowsOf, countRowsTo, insertMail, selectLastErrors, selectOnceKeys } from './records.ts'

export { eraseMails } from './erasure-records.ts'
export { type Block, button, facts, heading, type Letter, letterHtml, letterText, text } from './letter.ts'

type MailConfig = Pick<Config, 'smtp' | 'mailFrom'>
type EnqueueDeps = Pick<Deps, 'keys' | 'now' | 'randomBytes'> & { readonly config: MailConfig }

export const isMailOn = ({ smtp, mailFrom }: MailConfig): boolean => smtp !== null && mailFrom !== null

/** Settings without which nothing is sent. */
export const missingSettings = ({ smtp, mailFrom }: MailConfig): string[] => [
  ...(smtp ? [] : ['SMTP_URL']),
  ...(mailFrom ? [] : ['MAIL_FROM']),
]

export interface MailDraft {
  readonly kind: MailKind
  readonly to: EmailAddress
  /** Its subject names what the owner made: it stays in the log, unless another one is to stand there. */
  readonly letter: Letter
  /** For the log, where the subject has something of what was collected in it. */
  readonly loggedSubject?: string | undefined
  /** null: about the installation or an account. */
  readonly propertyId: string | null
  readonly replyTo?: EmailAddress | undefined
  readonly submissionId?: string | undefined
  /** Of several with the same key the first one is sent. */
  readonly onceKey?: string | undefined
  /** It is not sent later than this. */
  readonly expiresMs?: number | undefined
}

/** Longer subjects are cut off by mail programs anyway. */
const MAX_SUBJECT = 200

/** One line, whatever it was made of. */
export const oneLine = (words: string): string =>
  cleanText(words.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(), MAX_SUBJECT)

/** By the keys of addresses, for a property. */
export const lastErrors = selectLastErrors

/** Those of the keys of which there is a mail. */
export const knownOnceKeys = selectOnceKeys

/** A moment as readers of a zone write it. */
export const momentIn = (zone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(atMs)

/** How many mails of a kind went to the inbox of an address since a moment, of all properties. */
export const countMailsTo = (
  tx: Tx,
  to: Pick<EmailAddress, 'key'>,
  of: { readonly kind: MailKind; readonly sinceMs: number },
): Promise<number> => countRowsTo(tx, inboxOf(to), of)

/** How many of a kind a property sent since a moment. */
export const countMailsOf = (
  tx: Tx,
  propertyId: string,
  of: { readonly kind: MailKind; readonly sinceMs: number },
): Promise<number> => countRowsOf(tx, propertyId, of)

/** What a mail was encrypted for: no other one can be read with it. */
export const contextOf = (id: string): string => `mail:${id}`

/** @returns whether it will be sent; false without a mail server, and when there was one of its key. */
export async function enqueueMail(deps: EnqueueDeps, tx: Tx | Records, draft: MailDraft): Promise<boolean> {
  if (!isMailOn(deps.config)) return false
  const { kind, to, propertyId, replyTo, submissionId, onceKey, expiresMs } = draft
  const letter = { ...draft.letter, subject: oneLine(draft.letter.subject) }
  const content: MailContent = {
    subject: letter.subject,
    text: letterText(letter),
    html: letterHtml(letter),
    replyTo: replyTo?.text,
    unsubscribeUrl: letter.unsubscribeUrl,
  }
  const id = newId(deps, 'ml')
  const nowMs = deps.now()
  return insertMail(tx, {
    id,
    property_id: propertyId,
    kind,
    to_email: to.text,
    to_key: to.key,
    inbox_key: inboxOf(to),
    subject: oneLine(draft.loggedSubject ?? letter.subject),
    content: encrypt(deps.keys, JSON.stringify(content), contextOf(id)),
    submission_id: submissionId ?? null,
    once_key: onceKey ?? null,
    state: 'pending',
    attempts: 0,
    error: null,
    created_ms: nowMs,
    claimed_until_ms: nowMs,
    expires_ms: expiresMs ?? null,
    finished_ms: null,
  })
}
