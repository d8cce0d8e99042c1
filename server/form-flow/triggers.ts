// A submission as automations see it.
import type { Trigger } from '../kernel/triggers.ts'
import type { SubmissionTable } from '../stores/tables/form-tables.ts'

/** Only the id: the answers are read when the body is rendered. */
export function submissionTrigger({
  id,
  form_id,
  submitted_ms,
  session_day,
  session,
}: Pick<SubmissionTable, 'id' | 'form_id' | 'submitted_ms' | 'session_day' | 'session'>): Trigger {
  return {
    event: {
      type: 'form_submit',
      name: null,
      value: null,
      meta: [],
      // The page is looked up in the facts; for a page without a tracker it is not known.
      page_path: null,
      page_url: null,
      form_id,
      form_submit_id: id,
      created_ts: Math.floor(submitted_ms / 1000),
      id,
    },
    subjects: [form_id],
    session: session_day === null || session === null ? undefined : { day: session_day, hash: BigInt(session) },
  }
}
