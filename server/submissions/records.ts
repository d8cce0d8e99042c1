// The statements that store a submission and note it in the facts. Reading them for the owner:
// list-records.ts.
import { type CompiledQuery, type RawBuilder, type Selectable, sql } from 'kysely'
import type { SubmissionTable } from '../stores/tables/form-tables.ts'
import type { Records, Tx } from '../stores/records.ts'
import { builtOnce } from '../stores/built-once.ts'
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

interface Inserted extends Omit<NewSubmission, 'answers' | 'reasons' | 'isMailOn' | 'lead'> {
  readonly lead: NonNullable<NewSubmission['lead']>
  readonly fields: string
  readonly search: string
  readonly reasons: string
  readonly is_read: number
  /** 1: it is told by email, if the form mails. */
  readonly is_mailed: number
}

/** As the form is when the submission is stored; read alike for what is dropped. */
const noticeOf = ({ form_id, is_mailed }: Inserted): RawBuilder<Notice> =>
  sql`case when exists (select 1 from form_mails where form_id = ${form_id} and is_on = 1) and ${is_mailed} = 1
    then 'due' else 'none' end`

const insertion = builtOnce((records, row: Inserted) =>
  records.insertInto('submissions').values({
    id: row.id,
    property_id: row.property_id,
    form_id: row.form_id,
    fact_id: row.fact_id,
    submitted_ms: row.submitted_ms,
    verdict: row.verdict,
    mark: null,
    score: row.score,
    reasons: row.reasons,
    fields: row.fields,
    search: row.search,
    ip: row.ip,
    network: row.network,
    country: row.country,
    country_code: row.country_code,
    region: row.region,
    city: row.city,
    lat: row.lat,
    lon: row.lon,
    browser: row.browser,
    os: row.os,
    device: row.device,
    language: row.language,
    is_bot: row.is_bot,
    bot_name: row.bot_name,
    bot_reason: row.bot_reason,
    source: row.source,
    lib: row.lib,
    session_day: row.session_day,
    session: row.session,
    body_mac: row.body_mac,
    signals_mac: row.signals_mac,
    lead: row.lead,
    notice: noticeOf(row),
    is_read: row.is_read,
    is_noted: 0,
  }),
)

/**
 * The statements that store a submission, with the keys by which an erasure finds it: each throws a foreign
 * key violation when the form is gone.
 */
export function submissionInserts(records: Records | Tx, submission: NewSubmission): CompiledQuery[] {
  const { answers, reasons, isMailOn = false, lead = 'none', ...row } = submission
  const insert = insertion(records, {
    ...row,
    lead,
    fields: JSON.stringify(answers),
    search: searchText(answers),
    reasons: JSON.stringify(reasons),
    is_mailed: Number(isMailOn && row.verdict === 'clean'),
    // What is dropped waits for nobody.
    is_read: Number(row.verdict === 'dropped'),
  })
  return [insert, ...keyInserts(records, submission).map((keys) => keys.compile())]
}

/** @throws a foreign key violation when the form is gone. */
export async function insertSubmission(tx: Tx, submission: NewSubmission): Promise<void> {
  for (const insert of submissionInserts(tx, submission)) await tx.executeQuery(insert)
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

/**
 * Of submissions with the same mark. Only as they were when the facts were told: one that its owner marks
 * meanwhile is noted again.
 */
export const notedUpdate = (records: Records, mark: NotedSubmission['mark'], ids: readonly string[]) =>
  records
    .updateTable('submissions')
    .set({ is_noted: 1 })
    .where('id', 'in', ids)
    .where('mark', mark === null ? 'is' : '=', mark)
