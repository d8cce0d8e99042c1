// The statements about submissions that make contacts: which are due, whose they are, and which earlier ones
// an owner wants to be made some of.
import { sql } from 'kysely'
import type { Records, Tx } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import type { Answer } from '../forms/form-model.ts'

export interface DueSubmission {
  readonly id: string
  readonly property_id: string
  readonly form_id: string
  readonly submitted_ms: number
  /** Of the sender: `en-GB`; '' when it is not known. */
  readonly language: string
  readonly session_day: number | null
  readonly session: string | null
  readonly answers: readonly Answer[]
}

const due = (records: Records) =>
  records
    .selectFrom('submissions')
    .select(['id', 'property_id', 'form_id', 'submitted_ms', 'language', 'session_day', 'session', 'fields'])
    // As the partial index has it.
    .where(sql<boolean>`lead = 'due'`)

type DueRow = Awaited<ReturnType<ReturnType<typeof due>['execute']>>[number]

const toDue = ({ fields, ...row }: DueRow): DueSubmission => ({ ...row, answers: JSON.parse(fields) as Answer[] })

/** Undefined when it is not due any more. */
export async function findDue(records: Records, id: string): Promise<DueSubmission | undefined> {
  const row = await due(records).where('id', '=', id).executeTakeFirst()
  return row && toDue(row)
}

/** Oldest first. */
export async function listDue(records: Records, limit: number): Promise<DueSubmission[]> {
  return (await due(records).orderBy('seq').limit(limit).execute()).map(toDue)
}

/** False when another process was first, or it is gone. @param contactId null: nobody could be made of it. */
export async function settleLead(tx: Tx, id: string, contactId: string | null): Promise<boolean> {
  const settle = tx
    .updateTable('submissions')
    .set({ lead: 'done', contact_id: contactId })
    .where('id', '=', id)
    .where('lead', '=', 'due')
  return (await changedBy(settle)) > 0
}

/** Nothing is made of it, until its owner asks again. */
export async function leaveLead(records: Records, id: string): Promise<void> {
  await records
    .updateTable('submissions')
    .set({ lead: 'none' })
    .where('id', '=', id)
    .where('lead', '=', 'due')
    .execute()
}

/** What counts as good: the owner's word, else the score. */
const isGood = sql<boolean>`(mark = 'not_spam' or (mark is null and verdict = 'clean'))`

/**
 * Of a form: those of before, some at a time. Whoever asked not to be connected stays out. @returns how many.
 */
export async function raiseDue(records: Records, formId: string, most: number): Promise<number> {
  const some = records
    .selectFrom('submissions')
    .select('seq')
    .where('form_id', '=', formId)
    .where('lead', '=', 'none')
    .where(isGood)
    .orderBy('seq')
    .limit(most)
  // Asked again of the row itself: PostgreSQL does so when it has waited for another transaction.
  const raise = records.updateTable('submissions').set({ lead: 'due' }).where('seq', 'in', some)
  return changedBy(raise.where('lead', '=', 'none').where(isGood))
}
