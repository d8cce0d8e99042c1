// What somebody sent through forms, newest first: by their address in any answer, and by the sessions that
// are known to be theirs.
import type { Records } from '../stores/records.ts'
import type { Sender } from './erasure-records.ts'
import { columns, type Submission, toSubmission } from './list-records.ts'

export interface PersonSubmission {
  readonly submission: Submission
  readonly form: { readonly id: string; readonly name: string }
}

/** Every statement begins here, so that none can forget its property. */
const submissionsOf = (records: Records, propertyId: string) =>
  records
    .selectFrom('submissions')
    .innerJoin('forms', 'forms.id', 'submissions.form_id')
    .select(columns.map((column) => `submissions.${column}` as const))
    .select('forms.name as form_name')
    .where('submissions.property_id', '=', propertyId)
    .orderBy('submissions.seq', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof submissionsOf>['execute']>>[number]

async function ofAddresses(
  records: Records,
  propertyId: string,
  emailKeys: readonly string[],
  limit: number,
): Promise<Row[]> {
  if (emailKeys.length === 0) return []
  return submissionsOf(records, propertyId)
    .where('submissions.id', 'in', (from) =>
      from
        .selectFrom('submission_keys')
        .select('submission_id')
        .where('property_id', '=', propertyId)
        .where('email_key', 'in', emailKeys),
    )
    .limit(limit)
    .execute()
}

async function ofSessions(
  records: Records,
  propertyId: string,
  sessions: Sender['sessions'],
  limit: number,
): Promise<Row[]> {
  return submissionsOf(records, propertyId)
    .where((row) =>
      row.or(sessions.map(({ day, session }) => row.and([row('session_day', '=', day), row('session', '=', session)]))),
    )
    .limit(limit)
    .execute()
}

function shown({ form_name, ...row }: Row): PersonSubmission {
  return { submission: toSubmission(row), form: { id: row.form_id, name: form_name } }
}

/** @param sender with few enough sessions for one statement. */
export async function listPersonSubmissions(
  records: Records,
  propertyId: string,
  { contact_ids, email_keys, sessions }: Sender,
  limit: number,
): Promise<PersonSubmission[]> {
  const found = [
    ...(await submissionsOf(records, propertyId)
      .where('submissions.contact_id', 'in', contact_ids)
      .limit(limit)
      .execute()),
    ...(await ofAddresses(records, propertyId, email_keys, limit)),
    ...(sessions.length === 0 ? [] : await ofSessions(records, propertyId, sessions, limit)),
  ]
  const byId = new Map(found.map((row) => [row.id, row]))
  return [...byId.values()]
    .toSorted((a, b) => b.seq - a.seq)
    .slice(0, limit)
    .map(shown)
}
