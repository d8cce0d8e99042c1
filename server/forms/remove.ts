// A form with its form sessions and all that was sent, removed for good: a few rows at a time, so that nobody else waits.
// Form events stay in the facts: they hold counts and nothing of what was written.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deleteSomeEdits } from '../stores/edits.ts'
import { type Records, scrubDeleted } from '../stores/records.ts'
import { editsOf } from './edits.ts'
import { deleteSubmissions, type RemoveDeps } from '../submissions/erase.ts'

/** Rows that one statement deletes: some milliseconds, with their indexes and what is overwritten. */
const ROWS_AT_ONCE = 100

async function removeSomeFormSessions(records: Records, formId: string): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('form_sessions')
    .where('token_hash', 'in', (of) =>
      of.selectFrom('form_sessions').select('token_hash').where('form_id', '=', formId).limit(ROWS_AT_ONCE),
    )
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

async function removeSomeSubmissions(deps: RemoveDeps, propertyId: string, formId: string): Promise<boolean> {
  const rows = await deps.records
    .selectFrom('submissions')
    .select(['seq', 'id'])
    .where('form_id', '=', formId)
    .limit(ROWS_AT_ONCE)
    .execute()
  await deleteSubmissions(deps, propertyId, rows)
  return rows.length > 0
}

/** Nobody begins to fill it in any more. False when there is no such form. */
async function closeForm(records: Records, propertyId: string, formId: string): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('forms')
    .set({ is_published: 0, is_archived: 1 })
    .where('property_id', '=', propertyId)
    .where('id', '=', formId)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Form sessions go first: whoever is filling it in cannot send any more. The row goes last, and takes along what came in between. */
async function emptyForm(deps: RemoveDeps, propertyId: string, formId: string): Promise<boolean> {
  const { records } = deps
  if (!(await closeForm(records, propertyId, formId))) return false
  while (await removeSomeFormSessions(records, formId)) await nextTurn()
  while (await removeSomeSubmissions(deps, propertyId, formId)) await nextTurn()
  while (await deleteSomeEdits(records, editsOf({ property_id: propertyId, id: formId }))) await nextTurn()
  await records.deleteFrom('forms').where('property_id', '=', propertyId).where('id', '=', formId).execute()
  return true
}

/**
 * What was sent is not in the files any more either. A call that is cut short leaves the form closed; the next one goes on.
 * @returns false when the property has no such form.
 */
export async function removeForm(deps: RemoveDeps, propertyId: string, formId: string): Promise<boolean> {
  const isRemoved = await emptyForm(deps, propertyId, formId)
  // Also when there was none: the call before may have ended between the two.
  await scrubDeleted(deps.records)
  return isRemoved
}

/** All forms of a property, removed with it. Those made meanwhile go with the property itself. */
export async function removeForms(deps: RemoveDeps, propertyId: string): Promise<void> {
  const forms = await deps.records.selectFrom('forms').select('id').where('property_id', '=', propertyId).execute()
  for (const { id } of forms) await emptyForm(deps, propertyId, id)
}
