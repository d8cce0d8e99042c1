// What was sent through a form, as its owner sees it: listed, shown with the reasons of its score, marked,
// deleted. The owner's mark counts more than the score; nothing that was sent is hidden.
import type { Context } from '../context.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { sessionId } from '../kernel/ids.ts'
import type { Keys } from '../kernel/keys.ts'
import { Problem } from '../kernel/problem.ts'
import type { Triggers } from '../kernel/triggers.ts'
import { type Records, scrubDeleted, type Tx } from '../stores/records.ts'
import { joined } from './csv.ts'
import type { RemoveDeps } from './erase.ts'
import type { Answer, Form, Mark, ScoreReason } from '../forms/form-model.ts'
import {
  findSubmission,
  listSubmissionRows,
  type Submission,
  type SubmissionFilter,
  type SubmissionScope,
} from './list-records.ts'
import { deleteSubmissionRow, markSubmissionRow, setRead } from './change-records.ts'
import { noteSubmission, withinReason } from '../form-flow/note.ts'
import { reasonNames, scoreReasons } from '../spam-score/reasons.ts'
import { type LeadDeps, makeContactOf } from './leads.ts'
import { findNotedSubmission } from './records.ts'
import { submissionTrigger } from '../form-flow/triggers.ts'
import { listFiles, type SubmissionFile } from '../uploads/uploads.ts'

export { markSubmissionRow, setRead } from './change-records.ts'
export { findSubmission, type Submission } from './list-records.ts'
export { eraseSubmissions, type ForgetSubmissions, listSubmissionsOf, type Sender } from './erase.ts'
export { exportSubmissions } from './export.ts'
export { submissionBatches } from './export-records.ts'
export { insertSubmission, notedUpdate, type NewSubmission } from './records.ts'

export const submissionNotFound = (): Problem => new Problem('not_found', 'The submission is not in this form.')

// ---------------------------------------------------------------- shown

/** The name is added until no other field is called so. */
function freeKey(label: string, name: string, taken: ReadonlySet<string>): string {
  let key = label
  do key += ` (${name})`
  while (taken.has(key))
  return key
}

/**
 * By label, as people know the fields. Fields that share a label are told apart by their names; no answer is
 * left out.
 */
export function answersByLabel(answers: readonly Answer[]): Record<string, string> {
  const counts = new Map<string, number>()
  for (const { label } of answers) counts.set(label, (counts.get(label) ?? 0) + 1)
  const isOwn = (label: string) => counts.get(label) === 1
  const taken = new Set(answers.map(({ label }) => label).filter(isOwn))
  const entries = answers.map(({ label, name, value }) => {
    const key = isOwn(label) ? label : freeKey(label, name, taken)
    taken.add(key)
    return [key, joined(value)] as const
  })
  return Object.fromEntries(entries)
}

/** Those of an earlier version may be unknown here: they keep their name and their points. */
function shownReason({ reason, points }: ScoreReason) {
  const known = reasonNames.find((name) => name === reason)
  return { reason, points, sentence: known === undefined ? null : scoreReasons[known].sentence }
}

const known = (text: string): string | null => text || null

const isSpam = ({ mark, verdict }: Submission): boolean => (mark ?? (verdict === 'dropped' ? 'spam' : '')) === 'spam'

function shownSession(keys: Keys, { property_id, session_day, session }: Submission): string | null {
  if (session_day === null || session === null) return null
  return sessionId(keys, property_id, { day: session_day, hash: BigInt(session) })
}

const shownFile = ({ id, field, name, type, bytes, sha256 }: SubmissionFile) => ({
  id,
  field,
  name,
  type,
  bytes,
  sha256,
})

/** Of each submission that has any, by its id. */
export async function filesBySubmission(
  records: Records,
  submissions: readonly { readonly id: string }[],
): Promise<Map<string, SubmissionFile[]>> {
  const ids = submissions.map(({ id }) => id)
  return Map.groupBy(await listFiles(records, ids), ({ submission_id }) => submission_id)
}

/** What is not known is null. */
export function shownSubmission(
  keys: Keys,
  form: Pick<Form, 'id' | 'name'>,
  submission: Submission,
  files: readonly SubmissionFile[] = [],
) {
  const { id, submitted_ms, verdict, mark, score, reasons, fields, lat, lon } = submission
  return {
    id,
    form: { id: form.id, name: form.name },
    submitted_ts: Math.floor(submitted_ms / 1000),
    verdict,
    mark,
    is_spam: isSpam(submission),
    is_flagged: verdict === 'flagged',
    is_read: submission.is_read === 1,
    score,
    reasons: reasons.map(shownReason),
    fields: answersByLabel(fields),
    raw_fields: fields,
    files: files.map(shownFile),
    ip: known(submission.ip),
    network: known(submission.network),
    country: known(submission.country),
    country_code: known(submission.country_code),
    region: known(submission.region),
    city: known(submission.city),
    geo: { lat, lon },
    browser: known(submission.browser),
    os: known(submission.os),
    device: known(submission.device),
    language: known(submission.language),
    is_bot: submission.is_bot === 1,
    bot_name: known(submission.bot_name),
    bot_reason: known(submission.bot_reason),
    source: known(submission.source),
    lib: known(submission.lib),
    session_id: shownSession(keys, submission),
    contact_id: submission.contact_id,
  }
}

export type ShownSubmission = ReturnType<typeof shownSubmission>

// ---------------------------------------------------------------- read

/** Newest first. */
export async function listSubmissions(
  { records, keys }: Pick<Context, 'records' | 'keys'>,
  form: Pick<Form, 'id' | 'name' | 'property_id'>,
  filter: SubmissionFilter,
  query: PageQuery,
): Promise<Listed<ShownSubmission>> {
  const scope = { propertyId: form.property_id, formId: form.id }
  const { rows, total } = await listSubmissionRows(records, scope, filter, query)
  const files = await filesBySubmission(records, rows)
  return { rows: rows.map((row) => shownSubmission(keys, form, row, files.get(row.id))), total }
}

/** @throws Problem('not_found') */
export async function getSubmission(records: Records, scope: SubmissionScope, id: string): Promise<Submission> {
  const submission = await findSubmission(records, scope, id)
  if (!submission) throw submissionNotFound()
  return submission
}

// ---------------------------------------------------------------- changed

interface MarkDeps {
  readonly records: Records
  readonly triggers: Triggers
}

const isRescued = ({ verdict }: Submission, mark: Mark | null): boolean => mark === 'not_spam' && verdict === 'dropped'

/**
 * On the records alone. One that was dropped and is called no spam is told of then, once; in the facts it is
 * noted by the job of the server, within a minute.
 * @throws Problem('not_found')
 */
export async function markStored(
  { records, triggers }: MarkDeps,
  scope: SubmissionScope,
  id: string,
  mark: Mark | null,
): Promise<Submission> {
  const submission = await getSubmission(records, scope, id)
  const listeners = isRescued(submission, mark) ? await triggers.listeners(scope.propertyId, 'form_submit') : []
  const { marked, isTold } = await records.transaction().execute(async (tx) => {
    const row = await markSubmissionRow(tx, submission, mark)
    if (!row) throw submissionNotFound()
    return { marked: row, isTold: await triggers.enqueue(tx, listeners, { ...submissionTrigger(row), isRepeat: true }) }
  })
  if (isTold) triggers.wake()
  return marked
}

/**
 * The same, and the figures know of it at once, unless the facts are slow or away. @throws
 * Problem('not_found')
 */
export async function markSubmission(
  deps: MarkDeps & LeadDeps & Pick<Context, 'deadlines'>,
  scope: SubmissionScope,
  id: string,
  mark: Mark | null,
): Promise<Submission> {
  const marked = await markStored(deps, scope, id, mark)
  const unnoted = isRescued(marked, mark) ? await findNotedSubmission(deps.records, id) : undefined
  if (unnoted) await withinReason(deps, noteSubmission(deps, unnoted), 'a submission that is no spam is noted later')
  // Its owner is about to look.
  if (mark === 'not_spam') await makeContactOf(deps, id)
  return mark === 'not_spam' ? getSubmission(deps.records, scope, id) : marked
}

/** By whoever of the team opens it first, and back. @throws Problem('not_found') */
export async function markRead(records: Records, scope: SubmissionScope, id: string, isRead: boolean): Promise<void> {
  if (!(await setRead(records, scope, id, isRead))) throw submissionNotFound()
}

/** For good: nothing of it is in the files any more. @throws Problem('not_found') */
export async function removeSubmission(deps: RemoveDeps, scope: SubmissionScope, id: string): Promise<void> {
  const { records, forgetSubmissions } = deps
  const submission = await findSubmission(records, scope, id)
  const remove = async (tx: Tx, found: Submission): Promise<boolean> => {
    await forgetSubmissions(tx, found.property_id, [found.id])
    return deleteSubmissionRow(tx, found)
  }
  const isRemoved =
    submission !== undefined && (await records.transaction().execute(async (tx) => remove(tx, submission)))
  // Also when there was none: the call before may have ended between the two.
  await scrubDeleted(records)
  if (!isRemoved) throw submissionNotFound()
}
