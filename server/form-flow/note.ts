// Records the steps of a form in the facts. A visitor waits briefly for it and never sees a failure: a
// submission that a crash or an absent store left out is recorded later.
import type { Context } from '../context.ts'
import { openAllowance, type Wait } from '../queues/deadline.ts'
import { gatherOf } from '../queues/gather.ts'
import type { FormEventRow } from '../stores/tables.ts'
import { formEventRow } from './facts.ts'
import type { Sender } from './sender.ts'
import type { FormSession } from './records.ts'
import { reasonOf } from './form-sessions.ts'
import { type Records, writeAll } from '../stores/records.ts'
import { listUnnotedSubmissions, notedUpdate, type NotedSubmission } from '../submissions/records.ts'

type NoteDeps = Pick<Context, 'records' | 'facts'>
type AppendDeps = Pick<Context, 'facts' | 'log' | 'deadlines'>

/**
 * Bounded wait; a failure is logged without personal data.
 * @param wait of the call that it is a part of; without one, the only wait of its call.
 */
export async function withinReason<T>(
  { log, deadlines }: Pick<Context, 'log' | 'deadlines'>,
  work: Promise<T>,
  message: string,
  wait: Wait = openAllowance(deadlines.formFactsMs),
): Promise<T | undefined> {
  return wait(work, (error) => log.warn({ reason: reasonOf(error) }, message))
}

interface Step {
  readonly session: FormSession
  readonly formName: string
  readonly sender: Sender
  readonly atMs: number
}

/** A form was shown, or begun. */
export function stepRow(kind: 'view' | 'open', { session, formName, sender, atMs }: Step): FormEventRow {
  return formEventRow(kind, {
    propertyId: session.property_id,
    formId: session.form_id,
    formName,
    factId: session.fact_id,
    atMs,
    session: session.session,
    source: session.source,
    country_code: sender.place.country_code,
    country: sender.place.country,
    device: sender.agent.device,
    isBot: sender.bot.is_bot,
  })
}

export async function appendStep(deps: AppendDeps, row: FormEventRow, wait: Wait): Promise<void> {
  await withinReason(deps, deps.facts.append('form_events', row), 'a step of a form is not in the facts', wait)
}

/**
 * Kept for the owner, or kept apart as spam: an owner's verdict outweighs the score when it favours the
 * sender.
 */
function submissionRow(submission: NotedSubmission): FormEventRow {
  const { verdict, mark, session_day, session } = submission
  const isDropped = verdict === 'dropped' && mark !== 'not_spam'
  return formEventRow(isDropped ? 'drop' : 'submit', {
    propertyId: submission.property_id,
    formId: submission.form_id,
    formName: submission.form_name,
    factId: submission.fact_id,
    atMs: submission.submitted_ms,
    session: session_day === null || session === null ? undefined : { day: session_day, hash: BigInt(session) },
    source: submission.source,
    country_code: submission.country_code,
    country: submission.country,
    device: submission.device,
    isBot: submission.is_bot === 1,
    isFlagged: verdict === 'flagged',
    submissionId: submission.id,
  })
}

/** Facts first, then the mark: a repeated fact counts once, while a mark before a crash would lose it. */
export async function noteSubmission({ facts, records }: NoteDeps, submission: NotedSubmission): Promise<void> {
  await facts.append('form_events', submissionRow(submission))
  await writeAll(records, [notedUpdate(records, submission.mark, [submission.id])])
}

const markWithOthers = gatherOf<Records, NotedSubmission, never>((records) => ({
  groupOf: ({ mark }) => mark ?? '',
  keyOf: ({ id }) => id,
  load: async (submissions) => {
    const ids = submissions.map(({ id }) => id)
    await writeAll(records, [notedUpdate(records, submissions[0]!.mark, ids)])
    return new Map<string, never>()
  },
}))

/** The same, without waiting for the mark: without it, a submission is noted again. */
export async function noteSent({ records, facts, log }: NoteDeps & Pick<Context, 'log'>, submission: NotedSubmission) {
  await facts.append('form_events', submissionRow(submission))
  void markWithOthers(records, submission).catch((error: unknown) =>
    log.warn({ reason: reasonOf(error) }, 'a submission is noted again later'),
  )
}

/** Submissions per run: one insert into the facts. */
const BATCH = 500
/** More than any crash leaves behind; the next run continues. */
const MAX_BATCHES = 200

/** Appends to the facts what a crash or an absent store left out. @returns how many submissions that were. */
export async function noteSubmissions(deps: NoteDeps): Promise<number> {
  let noted = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const submissions = await listUnnotedSubmissions(deps.records, BATCH)
    if (submissions.length === 0) break
    await deps.facts.appendAll('form_events', submissions.map(submissionRow))
    await writeAll(
      deps.records,
      submissions.map(({ id, mark }) => notedUpdate(deps.records, mark, [id])),
    )
    noted += submissions.length
  }
  return noted
}
