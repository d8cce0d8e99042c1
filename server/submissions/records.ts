// The statements that store a submission and note it in the facts. Reading them for the owner:
// list-records.ts.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { SubmissionTable } from '../stores/tables/form-tables.ts'
import type { Records, Tx } from '../stores/records.ts'
import { emailKeysOf } from './email-keys.ts'
import type { Answer, ScoreReason } from '../forms/form-model.ts'
import { searchText } from './search.ts'

type Packed = 'seq' | 'fields' | 'reasons' | 'search' | 'lead' | 'contact_id' | 'notice' | 'is_read'

/** A submission as it is stored first: nobody has marked it, and the facts do not know of it. */
export interface NewSubmission extends Readonly<Omit<SubmissionTable, Packed | 'mark' | 'is_noted'>> {
  /** Left out: no contact is to be made of it. */
  readonly lead?: 'none' | 'due' | 'private'
  /** Email is sent here; left out: not of this submission. */
  readonly isMailOn?: boolean
  readonly answers: readonly Answer[]
  readonly reasons: readonly ScoreReason[]
}

type Notice = Selectable<SubmissionTable>['notice']

/** Rows of one statement: SQLite takes 32,766 values. */
const KEYS_AT_ONCE = 1000

/** Under each address that was written there. */
function keyInserts(records: Records, { id, property_id, answers }: NewSubmission) {
  const rows = emailKeysOf(answers).map((email_key) => ({ property_id, email_key, submission_id: id }))
  return Array.from({ length: Math.ceil(rows.length / KEYS_AT_ONCE) }, (_, part) =>
    records.insertInto('submission_keys').values(rows.slice(part * KEYS_AT_ONCE, (part + 1) * KEYS_AT_ONCE)),
  )
}

/** Of a form that mails, as it is when the submission is stored; read alike for what is dropped. */
const noticeOf = ({ form_id, verdict, isMailOn }: NewSubmission): RawBuilder<Notice> =>
  sql`case when exists (select 1 from form_mails where form_id = ${form_id} and is_on = 1)
    and ${Number(isMailOn === true && verdict === 'clean')} = 1 then 'due' else 'none' end`

/**
 * The statements that store a submission, with the keys by which an erasure finds it: each throws a foreign
 * key violation when the form is gone.
 */
export function submissionInserts(records: Records, submission: NewSubmission) {
  const { answers, reasons, isMailOn: _isMailOn, ...row } = submission
  const insert = records.insertInto('submissions').values({
    ...row,
    fields: JSON.stringify(answers),
    search: searchText(answers),
    reasons: JSON.stringify(reasons),
    notice: noticeOf(submission),
    mark: null,
    // What is dropped waits for nobody.
    is_read: Number(submission.verdict === 'dropped'),
    is_noted: 0,
  })
  return [insert, ...keyInserts(records, submission)]
}

/** @throws a foreign key violation when the form is gone. */
export async function insertSubmission(tx: Tx, submission: NewSubmission): Promise<void> {
  for (const insert of submissionInserts(tx, submission)) await insert.execute()
}

const notedColumns = [
  'submissions.id',
  'submissions.property_id',
  'form_id',
  'fact_id',
  'submitted_ms',
  'verdict',
  'mark',
  'source',
  'country_code',
  'country',
  'device',
  'is_bot',
  'session_day',
  'session',
] as const

/** What the facts are told of a submission: nothing of what was written, and of nobody. */
export type NotedSubmission = Readonly<
  Pick<
    SubmissionTable,
    | 'id'
    | 'property_id'
    | 'form_id'
    | 'fact_id'
    | 'submitted_ms'
    | 'verdict'
    | 'mark'
    | 'source'
    | 'country_code'
    | 'country'
    | 'device'
    | 'is_bot'
    | 'session_day'
    | 'session'
  > & { readonly form_name: string }
>

const noted = (records: Records) =>
  records
    .selectFrom('submissions')
    .innerJoin('forms', 'forms.id', 'submissions.form_id')
    .select(notedColumns)
    .select('forms.name as form_name')

/** Oldest first. */
export async function listUnnotedSubmissions(records: Records, limit: number): Promise<NotedSubmission[]> {
  return noted(records).where('is_noted', '=', 0).orderBy('submissions.seq').limit(limit).execute()
}

/** Undefined when it is gone. */
export async function findNotedSubmission(records: Records, id: string): Promise<NotedSubmission | undefined> {
  return noted(records).where('submissions.id', '=', id).executeTakeFirst()
}

/** Only as it was when the facts were told: an owner who marks one meanwhile has it noted again. */
export const notedUpdate = (records: Records, { id, mark }: Pick<NotedSubmission, 'id' | 'mark'>) =>
  records
    .updateTable('submissions')
    .set({ is_noted: 1 })
    .where('id', '=', id)
    .where('mark', mark === null ? 'is' : '=', mark)
