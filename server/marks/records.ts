// The statements about markings: which sessions an owner has marked as invalid together, and how far that is.
import { claimOldest } from '../stores/claims.ts'
import type { Records } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export type Marking = RecordTables['session_marks']

export const markingStates = ['marking', 'marked', 'undoing', 'undone'] as const
const underWay = ['marking', 'undoing'] as const

/** Every read of an owner starts here: of sessions together. */
const markingsOf = (records: Records, propertyId: string) =>
  records.selectFrom('session_marks').selectAll().where('property_id', '=', propertyId).where('is_listed', '=', 1)

/** @throws a foreign key violation when the property is gone. */
export async function insertMarking(records: Records, marking: Marking): Promise<void> {
  await records.insertInto('session_marks').values(marking).execute()
}

/** Newest first. */
export async function listMarkingRows(records: Records, propertyId: string, limit: number): Promise<Marking[]> {
  return markingsOf(records, propertyId).orderBy('created_ms', 'desc').orderBy('id').limit(limit).execute()
}

export async function countUnderWay(records: Records, propertyId: string): Promise<number> {
  const rows = await markingsOf(records, propertyId).where('state', 'in', underWay).execute()
  return rows.length
}

export async function findMarking(records: Records, propertyId: string, id: string): Promise<Marking | undefined> {
  return markingsOf(records, propertyId).where('id', '=', id).executeTakeFirst()
}

/**
 * Also of one that is still marking: what it has marked by then is taken back. Undefined when there is
 * nothing to take back.
 */
export async function beginUndo(records: Records, propertyId: string, id: string): Promise<Marking | undefined> {
  return records
    .updateTable('session_marks')
    .set({ state: 'undoing', finished_ms: null, contact_cursor: null })
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .where('is_listed', '=', 1)
    .where('state', 'in', ['marking', 'marked'])
    .returningAll()
    .executeTakeFirst()
}

/** The oldest that is not claimed. */
export const claimMarking = (
  records: Records,
  claim: { readonly nowMs: number; readonly untilMs: number },
): Promise<Marking | undefined> => claimOldest(records, { table: 'session_marks', states: underWay, ...claim })

/** Undefined when it is another one's by now, or gone. */
export async function noteStep(
  records: Records,
  { id, claimed_until_ms, state }: Marking,
  step: Partial<Pick<Marking, 'sessions' | 'cursor_day' | 'done' | 'state' | 'finished_ms' | 'contact_cursor'>> & {
    readonly untilMs: number
  },
): Promise<Marking | undefined> {
  const { untilMs, ...change } = step
  const changed = await records
    .updateTable('session_marks')
    .set({ ...change, claimed_until_ms: untilMs })
    .where('id', '=', id)
    .where('claimed_until_ms', '=', claimed_until_ms)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
  if (changed) return changed
  // Somebody takes it back meanwhile: that goes on from here, under the same claim.
  return records
    .updateTable('session_marks')
    .set({ claimed_until_ms: untilMs })
    .where('id', '=', id)
    .where('claimed_until_ms', '=', claimed_until_ms)
    .where('state', '=', 'undoing')
    .returningAll()
    .executeTakeFirst()
}

/** Of a marking that no list shows. */
export async function removeMarking(records: Records, { id, claimed_until_ms }: Marking): Promise<void> {
  await records
    .deleteFrom('session_marks')
    .where('id', '=', id)
    .where('claimed_until_ms', '=', claimed_until_ms)
    .execute()
}
