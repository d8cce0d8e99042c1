// Makes the mail of submissions: each in the transaction that notes it as told, so that a crash neither loses
// one nor sends it twice, and of several processes one does it.
import type { Context } from '../context.ts'
import { readEmail } from '../kernel/email.ts'
import { enqueueMail, isMailOn, type Letter, type MailDraft } from '../mail/mail.ts'
import { readLead } from '../forms/lead-fields.ts'
import { findForm } from '../forms/records.ts'
import type { Form } from '../forms/form-model.ts'
import type { Property } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { readersOf } from '../subscriptions/subscriptions.ts'
import { confirm } from './confirmation.ts'
import { readersList } from './form-mail.ts'
import { type About, digestLetter, submissionLetter } from './letters.ts'
import {
  countTold,
  dropNotices,
  findConfirmation,
  listToTell,
  listWaiting,
  postponeNotice,
  settleNotice,
  settleWaiting,
  type ToldSubmission,
} from './records.ts'

export type TellDeps = Pick<Context, 'records' | 'config' | 'keys' | 'now' | 'randomBytes' | 'properties'>

const HOUR_MS = 3_600_000
/** Read at once; what is left follows in the next round. */
const BATCH = 50

interface Found extends About {
  readonly form: Form
  readonly property: Property
}

async function findAbout(deps: TellDeps, propertyId: string, formId: string): Promise<Found | undefined> {
  const form = await findForm(deps.records, propertyId, formId)
  const property = form && (await deps.properties.byId(propertyId))
  return form && property && { config: deps.config, property, form }
}

interface Telling extends Pick<MailDraft, 'kind' | 'replyTo' | 'submissionId'> {
  readonly letter: Letter
}

/** @returns to how many. */
async function mailReaders(deps: TellDeps, tx: Tx, { form, property }: Found, telling: Telling): Promise<number> {
  const readers = await readersOf(deps, tx, readersList(form))
  for (const { to, unsubscribeUrl } of readers)
    await enqueueMail(deps, tx, {
      ...telling,
      to,
      letter: { ...telling.letter, unsubscribeUrl },
      propertyId: property.id,
    })
  return readers.length
}

async function tell(deps: TellDeps, submission: ToldSubmission): Promise<void> {
  const about = await findAbout(deps, submission.property_id, submission.form_id)
  if (!about) return
  const lead = readLead(about.form, submission.answers)
  const telling: Telling = {
    kind: 'submission',
    letter: submissionLetter(about, submission),
    submissionId: submission.id,
    replyTo: lead && readEmail(lead.email),
  }
  await deps.records.transaction().execute(async (tx) => {
    if (!(await settleNotice(tx, submission.id))) return
    await confirm(deps, tx, { ...about, confirmation: await findConfirmation(tx, submission.form_id) }, submission)
    const told = await countTold(tx, submission.form_id, Math.floor(deps.now() / HOUR_MS))
    if (told === 'digest') await postponeNotice(tx, submission.id)
    if (told === 'alone') await mailReaders(deps, tx, about, telling)
  })
}

/** Of the hours that are over. */
async function tellDigests(deps: TellDeps): Promise<void> {
  const hourMs = Math.floor(deps.now() / HOUR_MS) * HOUR_MS
  for (const { property_id, form_id, first_ms } of await listWaiting(deps.records, hourMs)) {
    const about = await findAbout(deps, property_id, form_id)
    if (!about) continue
    await deps.records.transaction().execute(async (tx) => {
      const count = await settleWaiting(tx, form_id, hourMs)
      if (count > 0)
        await mailReaders(deps, tx, about, { kind: 'digest', letter: digestLetter(about, count, first_ms) })
    })
  }
}

/** @returns how many submissions were looked at. */
export async function tellSubmissions(deps: TellDeps): Promise<number> {
  if (!isMailOn(deps.config)) {
    await dropNotices(deps.records)
    return 0
  }
  const due = await listToTell(deps.records, BATCH)
  for (const submission of due) await tell(deps, submission)
  await tellDigests(deps)
  return due.length
}
