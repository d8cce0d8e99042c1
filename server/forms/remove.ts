// Deletes a form with its form sessions and submissions: a few rows at a time, so that other writers can go
// on. Form events stay in the facts: they are counts without anything that was written.
import { deleteEdits } from '../stores/edits.ts'
import { type Records, scrubDeleted } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'
import { editsOf } from './edits.ts'
import { removeSubmissions, type RemoveDeps } from '../submissions/erase.ts'

function removeSomeFormSessions(records: Records, formId: string, most: number): Promise<number> {
  const own = records.selectFrom('form_sessions').select('token_hash').where('form_id', '=', formId)
  return changedBy(records.deleteFrom('form_sessions').where('token_hash', 'in', own.limit(most)))
}

/** Closes the form for new form sessions. False when there is no such form. */
async function closeForm(records: Records, propertyId: string, formId: string): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('forms')
    .set({ is_published: 0, is_archived: 1 })
    .where('property_id', '=', propertyId)
    .where('id', '=', formId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Form sessions first: after that nobody can send any more. The row is deleted last, and cascades to what
 * arrived in between.
 */
async function emptyForm(deps: RemoveDeps, propertyId: string, formId: string): Promise<boolean> {
  const { records } = deps
  if (!(await closeForm(records, propertyId, formId))) return false
  await inSteps((most) => removeSomeFormSessions(records, formId, most))
  await removeSubmissions(deps, { propertyId, formId })
  await deleteEdits(records, editsOf({ property_id: propertyId, id: formId }))
  await records.deleteFrom('forms').where('property_id', '=', propertyId).where('id', '=', formId).execute()
  return true
}

/**
 * Also overwrites the freed pages of the database files. An interrupted call leaves the form closed; the next
 * one continues.
 * @returns false when the property has no such form.
 */
export async function removeForm(deps: RemoveDeps, propertyId: string, formId: string): Promise<boolean> {
  const isRemoved = await emptyForm(deps, propertyId, formId)
  // Even when there was nothing to delete: the previous call may have stopped between the two.
  await scrubDeleted(deps.records)
  return isRemoved
}

/**
 * All forms of a property that is being deleted. Forms created meanwhile are deleted with the property
 * itself.
 */
export async function removeForms(deps: RemoveDeps, propertyId: string): Promise<void> {
  const forms = await deps.records.selectFrom('forms').select('id').where('property_id', '=', propertyId).execute()
  for (const { id } of forms) await emptyForm(deps, propertyId, id)
}
