// What the team does with what was sent: read it, call it spam or not, delete it.
import { sql } from 'kysely'
import type { Mark } from '../forms/form-model.ts'
import type { Records } from '../stores/records.ts'
import { changedBy } from '../stores/steps.ts'
import {
  columns,
  type FormScope,
  isSpam,
  isSubmissionId,
  ofForm,
  type Submission,
  type SubmissionScope,
  toSubmission,
} from './list-records.ts'

/** One that was dropped and is spam no more is to be noted in the facts as what it is now. */
const notedAgain = sql<number>`case when verdict = 'dropped' then 0 else is_noted end`

/**
 * Once it is called good, a contact is made of it, if its form says so; not of what is called spam in time.
 */
const leadAfter = (mark: Mark | null) =>
  mark === 'not_spam'
    ? sql<'due'>`case when lead = 'none' and exists (select 1 from forms where forms.id = form_id and creates_contacts = 1)
        then 'due' else lead end`
    : sql<'none'>`case when lead = 'due' then 'none' else lead end`

/** Once it is called good, it is told of like any good one; what is called spam in time is not. */
const noticeAfter = (mark: Mark | null) =>
  mark === 'not_spam'
    ? sql<'due'>`case when notice = 'none' and verdict <> 'clean'
        and exists (select 1 from form_mails where form_mails.form_id = submissions.form_id and is_on = 1)
        then 'due' else notice end`
    : sql<'none'>`case when ${Number(mark === 'spam')} = 1 and notice in ('due', 'digest') then 'none' else notice end`

export async function markSubmissionRow(
  records: Records,
  { property_id, id }: Pick<Submission, 'property_id' | 'id'>,
  mark: Mark | null,
): Promise<Submission | undefined> {
  const row = await records
    .updateTable('submissions')
    .set({
      mark,
      is_read: 1,
      lead: leadAfter(mark),
      notice: noticeAfter(mark),
      ...(mark === 'not_spam' && { is_noted: notedAgain }),
    })
    .where('property_id', '=', property_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()
  return row && toSubmission(row)
}

/** How many of each form are unread; forms without any are left out. */
export async function countUnread(records: Records, formIds: readonly string[]): Promise<Map<string, number>> {
  if (formIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('submissions')
    .where('form_id', 'in', formIds)
    .where(sql<boolean>`is_read = 0`)
    .where(sql<boolean>`not (${isSpam})`)
    .groupBy('form_id')
    .select((of) => ['form_id', of.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ form_id, count }) => [form_id, count]))
}

/** @returns false when it is gone. */
export async function setRead(records: Records, scope: SubmissionScope, id: string, isRead: boolean): Promise<boolean> {
  if (!isSubmissionId(id)) return false
  const rows = records
    .updateTable('submissions')
    .set({ is_read: Number(isRead) })
    .where('property_id', '=', scope.propertyId)
    .where('id', '=', id)
    .$if(scope.formId !== undefined, (of) => of.where('form_id', '=', scope.formId ?? ''))
  return (await changedBy(rows)) > 0
}

/** All of a form. @returns how many were unread. */
export const setAllRead = (records: Records, scope: FormScope): Promise<number> =>
  changedBy(
    records
      .updateTable('submissions')
      .set({ is_read: 1 })
      .where(ofForm(scope))
      .where(sql<boolean>`is_read = 0`),
  )

export async function deleteSubmissionRow(
  records: Records,
  { property_id, id }: Pick<Submission, 'property_id' | 'id'>,
): Promise<boolean> {
  const { numDeletedRows } = await records
    .deleteFrom('submissions')
    .where('property_id', '=', property_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
