// A good submission makes a contact, at the trust of a visitor: it fills blanks, and overwrites nothing that
// anybody else said. It is marked as due in the transaction that stores it, so that a crash loses none, and
// settled once; done twice, it finds what the first one made.
import { listsOfForm, requestMembership } from '../contact-lists/contact-lists.ts'
import { type ContactRow, insertLabels, lockContact, noteConsent } from '../contacts/contacts.ts'
import type { Context } from '../context.ts'
import { identifyContact } from '../identify/identify.ts'
import { readEmail } from '../kernel/email.ts'
import { Problem } from '../kernel/problem.ts'
import type { Property } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import { languageFor } from '../visitor-texts/visitor-texts.ts'
import type { Form } from '../forms/form-model.ts'
import { findForm } from '../forms/records.ts'
import { type Lead, readLead } from '../forms/lead-fields.ts'
import { type DueSubmission, findDue, leaveLead, listDue, raiseDue, settleLead } from './lead-records.ts'

export type LeadDeps = Pick<
  Context,
  'config' | 'keys' | 'records' | 'facts' | 'log' | 'now' | 'randomBytes' | 'triggers' | 'properties'
>

/** A stage of an owner's contact is kept; a new one begins here. */
const STAGE = 'lead'

const sessionOf = ({ session_day, session }: DueSubmission) =>
  session_day === null || session === null ? undefined : { day: session_day, hash: BigInt(session) }

/** As of the moment when it was sent, which may be long ago. */
async function identify(deps: LeadDeps, submission: DueSubmission, { email, traits }: Lead): Promise<string> {
  const then = { ...deps, now: () => submission.submitted_ms }
  const { contact } = await identifyContact(then, submission.property_id, {
    by: 'visitor',
    identification: { email, traits: { ...traits, lifecycle_stage: STAGE } },
    session: sessionOf(submission),
  })
  return contact.id
}

interface Joining {
  readonly form: Form
  readonly submission: DueSubmission
  readonly lead: Lead
  readonly contact: ContactRow
}

/** What was sent long ago is no wish of today. */
const FRESH_MS = 86_400_000

/** The lists that the form is for; where it asks whether somebody agrees, of those who did. */
async function joinLists(deps: LeadDeps, tx: Tx, { form, submission, lead, contact }: Joining): Promise<void> {
  const email = readEmail(lead.email)
  const isFresh = deps.now() - submission.submitted_ms < FRESH_MS
  if (!email || !isFresh || (lead.isAsked && lead.consent === null)) return
  const language = languageFor(form.language, submission.language)
  const { property_id } = form
  for (const list of await listsOfForm(tx, property_id, form.id)) {
    const asked = { contact, email, list, language, formId: form.id }
    if ((await requestMembership(deps, tx, property_id, asked)) !== 'listed') continue
    const label = { property_id, contact_id: contact.id, kind: 'list', label_key: list.key, label: list.name } as const
    await insertLabels(tx, contact.id, [{ ...label, added_ms: deps.now() }])
  }
}

async function settle(
  deps: LeadDeps,
  submission: DueSubmission,
  form: Form,
  { contactId, lead }: { readonly contactId: string; readonly lead: Lead },
): Promise<boolean> {
  const { id, property_id, submitted_ms } = submission
  const { consent } = lead
  return deps.records.transaction().execute(async (tx) => {
    // Held: one who is being erased must not be given a consent afterwards.
    const contact = await lockContact(tx, property_id, contactId)
    const isThere = contact !== undefined && contact.state !== 'deleted'
    if (!(await settleLead(tx, id, isThere ? contact.id : null)) || !isThere) return false
    if (consent !== null)
      await noteConsent(tx, {
        property_id,
        contact_id: contact.id,
        submission_id: id,
        form_id: form.id,
        form_name: form.name,
        words: consent,
        given_ms: submitted_ms,
      })
    await joinLists(deps, tx, { form, submission, lead, contact })
    return true
  })
}

/** @returns whether a contact is behind it now. */
async function makeContact(deps: LeadDeps, submission: DueSubmission): Promise<boolean> {
  const form = await findForm(deps.records, submission.property_id, submission.form_id)
  const lead = form && readLead(form, submission.answers)
  if (!form || !lead) {
    await deps.records.transaction().execute(async (tx) => settleLead(tx, submission.id, null))
    return false
  }
  if ((await deps.properties.byId(submission.property_id))?.is_token_only) {
    await leaveLead(deps.records, submission.id)
    return false
  }
  const contactId = await identify(deps, submission, lead)
  return settle(deps, submission, form, { contactId, lead })
}

/** Right after it was stored. What fails is made up for by the job. */
export async function makeContactOf(deps: LeadDeps, submissionId: string): Promise<void> {
  try {
    const submission = await findDue(deps.records, submissionId)
    if (submission) await makeContact(deps, submission)
  } catch (error) {
    // Only the message: the rest of an error may repeat what was sent.
    deps.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a contact is made later')
  }
}

const BATCH = 100
/** Of one run; the next one follows in ten seconds. */
const MAX_BATCHES = 50

/** What a crash left, and what an owner asked for. @returns how many contacts there are for it. */
export async function makeDueContacts(deps: LeadDeps): Promise<number> {
  let made = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const some = await listDue(deps.records, BATCH)
    for (const submission of some) made += Number(await makeContact(deps, submission))
    if (some.length < BATCH) break
  }
  return made
}

/**
 * Makes contacts of what was sent before; the job does it, in the background. @returns how many submissions
 * are looked at. @throws Problem('validation_failed') where none may be made.
 */
export async function applyToEarlier(
  { records }: Pick<LeadDeps, 'records'>,
  { is_token_only }: Pick<Property, 'is_token_only'>,
  form: Form,
): Promise<number> {
  if (is_token_only)
    throw new Problem('validation_failed', 'This property accepts identification only with an access token.')
  if (!form.creates_contacts)
    throw new Problem('validation_failed', 'This form does not create contacts. Turn that on first.')
  return inSteps((most) => raiseDue(records, form.id, most))
}
