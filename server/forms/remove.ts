// Deletes a form with its form sessions and submissions: a few rows at a time, so that other writers can go
// on. Form events stay in the facts: they are counts without anything that was written.
import { deleteEdits } from '../stores/edits.ts'
import { scrubDeleted } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import { editsOf } from './edits.ts'
import { closeForm, deleteFormRow, listFormIds, removeSomeFormSessions } from './removal-records.ts'
import { removeSubmissions, type RemoveDeps } from '../submissions/erase.ts'

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
  await deleteFormRow(records, propertyId, formId)
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
  for (const id of await listFormIds(deps.records, propertyId)) await emptyForm(deps, propertyId, id)
}
