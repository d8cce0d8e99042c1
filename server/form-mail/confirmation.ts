// The answer of a form to whoever sent it, in the owner's words: one email for a good submission, and never
// so many that a form could be used to flood somebody.
import { invalid } from '../kernel/problem.ts'
import { readEmail, type EmailAddress } from '../kernel/email.ts'
import { readText } from '../kernel/draft-read.ts'
import { presetFields, readLead } from '../forms/lead-fields.ts'
import { leadParts } from '../forms/lead-parts.ts'
import type { Form } from '../forms/form-model.ts'
import { countMailsTo, enqueueMail, type Letter, text } from '../mail/mail.ts'
import { joined } from '../submissions/csv.ts'
import { languageFor, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import type { Tx } from '../stores/records.ts'
import type { Property } from '../properties/properties.ts'
import { CONFIRMED_AN_HOUR, CONFIRMED_TO_ONE_A_DAY, type Confirmation } from './form-mail-model.ts'
import { countConfirmed, type ToldSubmission } from './records.ts'
import type { ConfirmationInput } from './schema.ts'
import { assertKnown, filled, plainAnswer } from './template.ts'
import type { TellDeps } from './telling.ts'

const MAX_SUBJECT = 150
const MAX_TEXT = 5_000
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/** What stands for a person in forms whose fields nobody knows beforehand. */
const knownParts = leadParts.filter((part) => part !== 'consent')

/** Names that a text may use. */
export const knownFields = ({ kind, fields }: Pick<Form, 'kind' | 'fields'>): string[] =>
  kind === 'managed' ? fields.map(({ name }) => name) : [...knownParts]

const hasEmail = ({ kind, fields, contact_fields }: Form): boolean =>
  kind === 'open' || (contact_fields.email ?? presetFields(fields).email ?? '') !== ''

function readReplyTo(written: string): string {
  if (written === '') return ''
  const email = readEmail(written)
  if (!email) throw invalid('confirmation.reply_to', 'confirmation.reply_to must be an email address.')
  return email.text
}

/** @throws Problem('validation_failed') */
export function readConfirmation(form: Form, input: ConfirmationInput): Confirmation {
  const subject = readText('confirmation.subject', input.subject, MAX_SUBJECT)
  const words = readText('confirmation.text', input.text, MAX_TEXT)
  if (/\p{Cc}/u.test(subject)) throw invalid('confirmation.subject', 'confirmation.subject must be one line.')
  assertKnown('confirmation.subject', subject, knownFields(form))
  assertKnown('confirmation.text', words, knownFields(form))
  if (input.is_on && subject === '') throw invalid('confirmation.subject', 'confirmation.subject may not be empty.')
  if (input.is_on && words === '') throw invalid('confirmation.text', 'confirmation.text may not be empty.')
  if (input.is_on && !hasEmail(form))
    throw invalid('confirmation.is_on', 'confirmation.is_on: the form has no field for an email address.')
  return { is_on: input.is_on, subject, text: words, reply_to: readReplyTo(input.reply_to?.trim() ?? '') }
}

function answersOf(form: Form, { answers }: ToldSubmission, email: string): ReadonlyMap<string, string> {
  const named = answers.map(({ name, value }) => [name, plainAnswer(joined(value), email)] as const)
  if (form.kind === 'managed') return new Map(named)
  const { traits = {} } = readLead(form, answers) ?? {}
  const { first_name = '', last_name = '' } = traits
  const parts = { ...traits, name: `${first_name} ${last_name}`.trim() }
  return new Map([
    ...Object.entries(parts).map(([name, value]) => [name, plainAnswer(value, email)] as const),
    ['email', email] as const,
  ])
}

interface Confirming {
  readonly form: Form
  readonly property: Property
  readonly confirmation: Confirmation
}

function letterOf(
  { form, property, confirmation }: Confirming,
  submission: ToldSubmission,
  { text: email }: EmailAddress,
): Letter {
  const answers = answersOf(form, submission, email)
  const subject = filled(confirmation.subject, answers)
  const language = languageFor(form.language, submission.language)
  const paragraphs = filled(confirmation.text, answers).split(/\n{2,}/)
  return {
    subject,
    language,
    title: subject,
    blocks: paragraphs.filter((words) => words.trim() !== '').map((words) => text(words)),
    reason: visitorTexts(language).mail.entered(property.name),
  }
}

/**
 * Whoever entered the address may be somebody else: to each inbox a few a day, of each form some an hour.
 */
async function mayConfirm(deps: TellDeps, tx: Tx, form: Form, to: EmailAddress): Promise<boolean> {
  const since = { kind: 'confirmation' as const, sinceMs: deps.now() - DAY_MS }
  if ((await countMailsTo(tx, to, since)) >= CONFIRMED_TO_ONE_A_DAY) return false
  return (await countConfirmed(tx, form.id, Math.floor(deps.now() / HOUR_MS))) <= CONFIRMED_AN_HOUR
}

/** In the transaction that notes the submission as told. Nothing for what the score found suspicious. */
export async function confirm(deps: TellDeps, tx: Tx, about: Confirming, submission: ToldSubmission): Promise<void> {
  const { form, property, confirmation } = about
  const lead = confirmation.is_on && submission.verdict === 'clean' ? readLead(form, submission.answers) : undefined
  const to = lead && readEmail(lead.email)
  if (!to || !(await mayConfirm(deps, tx, form, to))) return
  await enqueueMail(deps, tx, {
    kind: 'confirmation',
    to,
    letter: letterOf(about, submission, to),
    loggedSubject: confirmation.subject,
    propertyId: property.id,
    submissionId: submission.id,
    replyTo: confirmation.reply_to === '' ? undefined : readEmail(confirmation.reply_to),
  })
}
