// Lists whose members confirm by email (double opt-in). Nobody is in such a list before they have pressed the
// button of the page that their email leads to, and whoever left comes back by that way alone.
import type { Config } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import type { EmailAddress } from '../kernel/email.ts'
import { Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { button, countMailsOf, countMailsTo, enqueueMail, isMailOn, missingSettings, text } from '../mail/mail.ts'
import { getProperty } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { type VisitorLanguage, visitorTexts } from '../visitor-texts/visitor-texts.ts'
import type { Contact } from '../contacts/contact-model.ts'
import { insertLabels, removeLabel } from '../contacts/label-records.ts'
import { lockContact, updateContactRow } from '../contacts/records.ts'
import {
  findMembership,
  holdByLink,
  insertMembership,
  type Membership,
  needsConfirmation,
  updateMembership,
} from './records.ts'

export { listsOfForm, membershipBatches } from './records.ts'
export { membershipFacts } from './membership.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How long the link of an email confirms. */
export const CONFIRM_MS = 7 * DAY_MS
/** To one inbox in a day, whatever lists of whatever properties ask, and whoever: none can be flooded. */
const MOST_TO_INBOX = 3
/** Of one property in an hour: a form that bots fill in does not cost the mail server its name. */
const MOST_OF_PROPERTY = 200
/** Whoever sends a form twice has one email in the day; a member may send it again sooner. */
const AGAIN_MS = { form: DAY_MS, member: 10 * MINUTE_MS } as const

export interface ListDeps extends Pick<Deps, 'keys' | 'now' | 'randomBytes'> {
  readonly config: Pick<Config, 'smtp' | 'mailFrom' | 'baseUrl'>
}

export interface MembershipRequest {
  readonly contact: Pick<Contact, 'id' | 'state'>
  readonly email: EmailAddress
  readonly list: { readonly key: string; readonly name: string }
  readonly language: VisitorLanguage
  /** Null: a member adds them by hand. */
  readonly formId: string | null
}

/** `listed`: they are, or may be put on the list. */
export type MembershipOutcome = 'listed' | 'pending' | 'left'

function refuseLeft(name: string): never {
  throw new Problem('conflict', `This person has unsubscribed: only they can join “${name}” again, by a form.`)
}

function assertMail({ config }: ListDeps, name: string): void {
  if (isMailOn(config)) return
  const settings = missingSettings(config).join(' and ')
  throw new Problem('conflict', `“${name}” asks for confirmation by email. Set up email first: ${settings}.`)
}

const newMembership = (deps: ListDeps, propertyId: string, request: MembershipRequest): Membership => ({
  id: newId(deps, 'lm'),
  confirm_id: newId(deps, 'lc'),
  property_id: propertyId,
  contact_id: request.contact.id,
  list_key: request.list.key,
  name: request.list.name,
  email: request.email.text,
  email_key: request.email.key,
  language: request.language,
  state: 'pending',
  form_id: request.formId,
  requested_ms: deps.now(),
  confirmed_ms: null,
  unsubscribed_ms: null,
  mailed_ms: null,
  mails: 0,
})

async function isTooOften(deps: ListDeps, tx: Tx, membership: Membership, by: keyof typeof AGAIN_MS): Promise<boolean> {
  const nowMs = deps.now()
  if (membership.mailed_ms !== null && nowMs - membership.mailed_ms < AGAIN_MS[by]) return true
  const kind = 'list_confirmation'
  const toInbox = await countMailsTo(tx, { key: membership.email_key }, { kind, sinceMs: nowMs - DAY_MS })
  if (toInbox >= MOST_TO_INBOX) return true
  const ofProperty = await countMailsOf(tx, membership.property_id, { kind, sinceMs: nowMs - HOUR_MS })
  return ofProperty >= MOST_OF_PROPERTY
}

/** @returns false when it was not sent: no mail server, or too many before it. */
async function sendConfirmation(
  deps: ListDeps,
  tx: Tx,
  membership: Membership,
  by: keyof typeof AGAIN_MS,
): Promise<boolean> {
  const nowMs = deps.now()
  if (!isMailOn(deps.config) || (await isTooOften(deps, tx, membership, by))) return false
  const { name: site } = await getProperty({ records: tx }, membership.property_id)
  const language = membership.language as VisitorLanguage
  const { confirm, why } = visitorTexts(language).mail
  const what = `${membership.name} (${site})`
  const mails = membership.mails + 1
  await updateMembership(tx, membership, { mails, mailed_ms: nowMs })
  return enqueueMail(deps, tx, {
    kind: 'list_confirmation',
    to: { text: membership.email, key: membership.email_key },
    letter: {
      subject: `${confirm.title}: ${what}`,
      language,
      title: confirm.title,
      // Nothing of what a visitor wrote: nobody can send words of their own to somebody else's inbox.
      blocks: [
        text(confirm.text(what)),
        button(confirm.button, `${deps.config.baseUrl}/lists/confirm/${membership.confirm_id}`),
      ],
      reason: why(site),
    },
    propertyId: membership.property_id,
    onceKey: `confirm:${membership.id}:${mails}`,
    expiresMs: nowMs + CONFIRM_MS,
  })
}

/** @throws Problem('conflict') for a member who adds whoever has left, or cannot be written to. */
export async function requestMembership(
  deps: ListDeps,
  tx: Tx,
  propertyId: string,
  request: MembershipRequest,
): Promise<MembershipOutcome> {
  const { contact, email, list, formId } = request
  const by = formId === null ? 'member' : 'form'
  const known = await findMembership(tx, propertyId, list.key, email.key)
  const hasLeft = known?.state === 'unsubscribed' || contact.state === 'unsubscribed'
  if (hasLeft && by === 'member') refuseLeft(list.name)
  if (!(await needsConfirmation(tx, propertyId, list.key))) return hasLeft ? 'left' : 'listed'
  if (known?.state === 'confirmed' && !hasLeft) return 'listed'
  if (by === 'member') assertMail(deps, list.name)
  if (!known) await insertMembership(tx, newMembership(deps, propertyId, request))
  const row = known ?? (await findMembership(tx, propertyId, list.key, email.key))
  if (!row) return 'pending'
  const pending = { state: 'pending' as const, requested_ms: deps.now(), form_id: formId, contact_id: contact.id }
  await sendConfirmation(deps, tx, known ? await updateMembership(tx, row, pending) : row, by)
  return 'pending'
}

/** @throws Problem: conflict; rate_limited when it was sent a moment ago. */
export async function sendAgain(deps: ListDeps, tx: Tx, membership: Membership): Promise<void> {
  if (membership.state !== 'pending')
    throw new Problem('conflict', 'Only people who have not confirmed yet can be asked again.')
  assertMail(deps, membership.name)
  const asked = await updateMembership(tx, membership, { requested_ms: deps.now() })
  if (!(await sendConfirmation(deps, tx, asked, 'member')))
    throw new Problem('rate_limited', 'An email was just sent to this address. Try again later.', {
      retryAfterSeconds: AGAIN_MS.member / 1000,
    })
}

// ---------------------------------------------------------------- by the links of an email

/** Whether the link of the email still confirms. */
export const isConfirmable = ({ state, requested_ms }: Membership, nowMs: number): boolean =>
  state === 'confirmed' || (state === 'pending' && nowMs - requested_ms < CONFIRM_MS)

/** By the button of the page alone. Undefined for a link that has expired or nobody was sent. */
export async function confirmMembership(deps: ListDeps, tx: Tx, confirmId: string): Promise<Membership | undefined> {
  const found = await holdByLink(tx, 'confirm_id', confirmId)
  if (!found || !isConfirmable(found, deps.now())) return undefined
  if (found.state === 'confirmed') return found
  const contact = await lockContact(tx, found.property_id, found.contact_id)
  if (!contact || contact.state === 'deleted') return undefined
  const { property_id, list_key: label_key, name: label } = found
  await insertLabels(tx, contact.id, [
    { property_id, contact_id: contact.id, kind: 'list', label_key, label, added_ms: deps.now() },
  ])
  if (contact.state === 'unsubscribed') await updateContactRow(tx, contact, { state: 'active' })
  return updateMembership(tx, found, { state: 'confirmed', confirmed_ms: deps.now(), unsubscribed_ms: null })
}

/** Done twice it is done once. */
export async function leaveList(deps: ListDeps, tx: Tx, id: string): Promise<Membership | undefined> {
  const found = await holdByLink(tx, 'id', id)
  if (!found || found.state === 'unsubscribed') return found
  await removeLabel(tx, found.contact_id, found.list_key)
  return updateMembership(tx, found, { state: 'unsubscribed', unsubscribed_ms: deps.now() })
}
