// What is kept no longer goes: form sessions a day after they began, submissions past the time that their form keeps them, and of a form
// with too many the oldest. A few rows at a time, with turns for others in between; nothing of what was written is logged.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { type Records, scrubDeleted } from '../stores/records.ts'
import { deleteSubmissions, type RemoveDeps } from './erase.ts'
import { HISTORY_MS, MAX_KEPT, MAX_KEPT_DROPPED } from './form.ts'
import { letSomeSessionsGo } from './session-records.ts'
import { countSubmissionRows, findPlaceBeyond, type FormScope, type SubmissionFilter } from './list-records.ts'

/** Rows that one statement deletes: some milliseconds, with their indexes and what is overwritten. */
const ROWS_AT_ONCE = 100
const FORMS_AT_ONCE = 200

export interface KeptLimits {
  readonly all: number
  readonly dropped: number
}

export interface Removed {
  readonly form_sessions: number
  readonly submissions: number
}

/** Repeats until there is nothing left to remove. */
async function removeAll(removeSome: () => Promise<number>): Promise<number> {
  let removed = 0
  for (;;) {
    const some = await removeSome()
    removed += some
    if (some < ROWS_AT_ONCE) return removed
    await nextTurn()
  }
}

function removeFormSessions(records: Records, beforeMs: number): Promise<number> {
  return removeAll(async () => {
    const { numDeletedRows } = await records
      .deleteFrom('form_sessions')
      .where('token_hash', 'in', (of) =>
        of.selectFrom('form_sessions').select('token_hash').where('opened_ms', '<', beforeMs).limit(ROWS_AT_ONCE),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
}

/** Another node's clock may be behind: to it a form session that has ended here is open for a moment longer. */
const CLOCK_SLACK_MS = 60_000

/** What form sessions have frozen is let go once they are over; the rest of them stays, for the spam score. @returns of how many. */
export function letFrozenGo({ records, now }: Pick<Deps, 'records' | 'now'>): Promise<number> {
  return removeAll(() => letSomeSessionsGo(records, now() - CLOCK_SLACK_MS, ROWS_AT_ONCE))
}

// ---------------------------------------------------------------- submissions

function removeAged(deps: RemoveDeps, { propertyId, formId }: FormScope, beforeMs: number): Promise<number> {
  return removeAll(async () => {
    const rows = await deps.records
      .selectFrom('submissions')
      .select(['seq', 'id'])
      .where('form_id', '=', formId)
      .where('submitted_ms', '<', beforeMs)
      .limit(ROWS_AT_ONCE)
      .execute()
    await deleteSubmissions(deps, propertyId, rows)
    return rows.length
  })
}

/** Dropped, and the owner has not said otherwise. */
const droppedAlone: SubmissionFilter = { show: 'spam', verdict: 'dropped' }
const everything: SubmissionFilter = { show: 'all' }

interface Oldest {
  readonly filter: SubmissionFilter
  /** The last place that goes. */
  readonly upTo: number
  readonly most: number
}

/** Each stretch begins behind the last one: those that stay are looked at once. */
async function removeOldest(
  deps: RemoveDeps,
  { propertyId, formId }: FormScope,
  { filter, upTo, most }: Oldest,
): Promise<number> {
  let removed = 0
  for (let after = 0; removed < most;) {
    const rows = await deps.records
      .selectFrom('submissions')
      .select(['seq', 'id'])
      .where('form_id', '=', formId)
      .where('seq', '>', after)
      .where('seq', '<=', upTo)
      .$if(filter === droppedAlone, (of) =>
        of.where('verdict', '=', 'dropped').where((row) => row.or([row('mark', 'is', null), row('mark', '=', 'spam')])),
      )
      .orderBy('seq')
      .limit(Math.min(ROWS_AT_ONCE, most - removed))
      .execute()
    const last = rows.at(-1)
    if (!last) break
    await deleteSubmissions(deps, propertyId, rows)
    removed += rows.length
    after = last.seq
    await nextTurn()
  }
  return removed
}

async function removeBeyond(
  deps: RemoveDeps,
  scope: FormScope,
  filter: SubmissionFilter,
  keep: number,
): Promise<number> {
  const upTo = await findPlaceBeyond(deps.records, scope, filter, keep)
  return upTo === undefined ? 0 : removeOldest(deps, scope, { filter, upTo, most: Infinity })
}

/** What people wrote outlasts what was dropped as spam. */
async function removeTooMany(deps: RemoveDeps, scope: FormScope, limits: KeptLimits): Promise<number> {
  const count = await countSubmissionRows(deps.records, scope, everything)
  if (count <= Math.min(limits.all, limits.dropped)) return 0
  let removed = await removeBeyond(deps, scope, droppedAlone, limits.dropped)
  const excess = count - removed - limits.all
  if (excess <= 0) return removed
  removed += await removeOldest(deps, scope, { filter: droppedAlone, upTo: Number.MAX_SAFE_INTEGER, most: excess })
  return removed + (await removeBeyond(deps, scope, everything, limits.all))
}

/** A stretch of them at a time: no two that follow each other are of one statement. */
export async function* everyForm(records: Records) {
  for (let after = 0; ;) {
    const forms = await records
      .selectFrom('forms')
      .select(['seq', 'id', 'property_id', 'retention_days', 'is_ip_kept', 'ip_retention_days', 'stored_ips_until_ts'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(FORMS_AT_ONCE)
      .execute()
    yield* forms
    if (forms.length < FORMS_AT_ONCE) return
    after = forms.at(-1)!.seq
  }
}

/** What was removed is not in the files any more either. @returns how much that was. */
export async function removeOldForms(
  deps: RemoveDeps & Pick<Deps, 'now'>,
  limits: KeptLimits = { all: MAX_KEPT, dropped: MAX_KEPT_DROPPED },
): Promise<Removed> {
  const { records } = deps
  const nowMs = deps.now()
  const form_sessions = await removeFormSessions(records, nowMs - HISTORY_MS)
  let submissions = 0
  for await (const { id, property_id, retention_days } of everyForm(records)) {
    const scope = { propertyId: property_id, formId: id }
    if (retention_days !== null) submissions += await removeAged(deps, scope, nowMs - retention_days * DAY_MS)
    submissions += await removeTooMany(deps, scope, limits)
    await nextTurn()
  }
  if (form_sessions + submissions > 0) await scrubDeleted(records)
  return { form_sessions, submissions }
}
