// What a form mails: each good submission to those whom an admin named, one by one up to a number an hour,
// and the others in one email when the hour is over.
import type { Context } from '../context.ts'
import { getForm } from '../forms/forms.ts'
import type { Form } from '../forms/form-model.ts'
import { missingSettings } from '../mail/mail.ts'
import { listSubscribers, type ListRef, replaceReaders } from '../subscriptions/subscriptions.ts'
import { knownFields, readConfirmation } from './confirmation.ts'
import { findConfirmation, findMostAnHour, updateConfirmation, updateMostAnHour, upsertFormMail } from './records.ts'
import type { FormMailChange, FormMailJson } from './schema.ts'

export const readersList = ({ property_id, id }: Pick<Form, 'property_id' | 'id'>): ListRef => ({
  propertyId: property_id,
  kind: 'submissions',
  formId: id,
})

type Deps = Pick<Context, 'records' | 'config' | 'now' | 'randomBytes'>

/** @throws Problem('not_found') */
export async function readFormMail(
  { records, config }: Deps,
  propertyId: string,
  formId: string,
): Promise<FormMailJson> {
  const form = await getForm({ records }, propertyId, formId)
  return {
    missing: missingSettings(config),
    recipients: await listSubscribers(records, readersList(form)),
    confirmation: { ...(await findConfirmation(records, form.id)), fields: knownFields(form) },
    most_an_hour: await findMostAnHour(records, form.id),
  }
}

/** What is not sent stays. @throws Problem('not_found' | 'validation_failed') */
export async function changeFormMail(
  deps: Deps,
  propertyId: string,
  formId: string,
  { recipients, confirmation, most_an_hour: mostAnHour }: FormMailChange,
): Promise<FormMailJson> {
  const form = await getForm(deps, propertyId, formId)
  const read = confirmation && readConfirmation(form, confirmation)
  await deps.records.transaction().execute(async (tx) => {
    if (recipients) await replaceReaders(deps, tx, readersList(form), { path: 'recipients', emails: recipients })
    const { is_on: isConfirming } = read ?? (await findConfirmation(tx, form.id))
    // Also with nobody but those who unsubscribed: they may subscribe again.
    const hasReaders = (await listSubscribers(tx, readersList(form))).length > 0
    await upsertFormMail(tx, form, hasReaders || isConfirming)
    if (read) await updateConfirmation(tx, form.id, read)
    if (mostAnHour !== undefined) await updateMostAnHour(tx, form.id, mostAnHour)
  })
  return readFormMail(deps, propertyId, formId)
}
