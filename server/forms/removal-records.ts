// The statements that delete a form after its submissions.
import type { Records } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'

export function removeSomeFormSessions(records: Records, formId: string, most: number): Promise<number> {
  const own = records.selectFrom('form_sessions').select('token_hash').where('form_id', '=', formId)
  return changedBy(records.deleteFrom('form_sessions').where('token_hash', 'in', own.limit(most)))
}

/** Closes the form for new form sessions. False when there is no such form. */
export async function closeForm(records: Records, propertyId: string, formId: string): Promise<boolean> {
  const closed = records.updateTable('forms').set({ is_published: 0, is_archived: 1 })
  return (await changedBy(closed.where('property_id', '=', propertyId).where('id', '=', formId))) > 0
}

/** With what arrived since it was closed. */
export async function deleteFormRow(records: Records, propertyId: string, formId: string): Promise<void> {
  await records.deleteFrom('forms').where('property_id', '=', propertyId).where('id', '=', formId).execute()
}

export async function listFormIds(records: Records, propertyId: string): Promise<string[]> {
  const rows = await records.selectFrom('forms').select('id').where('property_id', '=', propertyId).execute()
  return rows.map(({ id }) => id)
}
