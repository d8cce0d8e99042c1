// What is kept no longer goes: form sessions a day after they began, submissions past the time that their
// form keeps them, and what a form has too many of (evictions.ts). A few rows at a time, with turns for
// others in between; nothing of what was written is logged.
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { type Records, scrubDeleted } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'
import { removeSubmissions } from './erase.ts'
import { type EvictDeps, evictTooMany, type KeptLimits, usualLimits } from './evictions.ts'
import { HISTORY_MS } from '../forms/form-model.ts'
import { letSomeSessionsGo } from '../form-flow/records.ts'

const FORMS_AT_ONCE = 200

export interface Removed {
  readonly form_sessions: number
  readonly submissions: number
}

function removeFormSessions(records: Records, beforeMs: number): Promise<number> {
  const old = records.selectFrom('form_sessions').select('token_hash').where('opened_ms', '<', beforeMs)
  return inSteps((most) => changedBy(records.deleteFrom('form_sessions').where('token_hash', 'in', old.limit(most))))
}

/**
 * Another node's clock may be behind: to it a form session that has ended here is open for a moment longer.
 */
const CLOCK_SLACK_MS = 60_000

/**
 * What form sessions have frozen is let go once they are over; the rest of them stays, for the spam score.
 * @returns of how many.
 */
export function letFrozenGo({ records, now }: Pick<Deps, 'records' | 'now'>): Promise<number> {
  return inSteps((most) => letSomeSessionsGo(records, now() - CLOCK_SLACK_MS, most))
}

// ---------------------------------------------------------------- submissions

/** Some of them at a time, as they are asked for. */
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
export async function removeOldForms(deps: EvictDeps, limits: KeptLimits = usualLimits): Promise<Removed> {
  const { records } = deps
  const nowMs = deps.now()
  const form_sessions = await removeFormSessions(records, nowMs - HISTORY_MS)
  let submissions = 0
  for await (const { id, property_id, retention_days } of everyForm(records)) {
    const scope = { propertyId: property_id, formId: id }
    if (retention_days !== null) submissions += await removeSubmissions(deps, scope, nowMs - retention_days * DAY_MS)
    submissions += await evictTooMany(deps, scope, limits)
  }
  if (form_sessions + submissions > 0) await scrubDeleted(records)
  return { form_sessions, submissions }
}
