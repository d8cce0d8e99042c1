// What is kept no longer goes: form sessions a day after they began, submissions past the time that their
// form keeps them, and what a form has too many of (evictions.ts). A few rows at a time, with turns for
// others in between; nothing of what was written is logged.
import { DAY_MS } from '../kernel/days.ts'
import type { Deps } from '../kernel/deps.ts'
import { scrubDeleted } from '../stores/records.ts'
import { inSteps } from '../stores/steps.ts'
import { removeSubmissions } from './erase.ts'
import { everyForm, removeFormSessions } from './retention-records.ts'
import { type EvictDeps, evictTooMany, type KeptLimits, usualLimits } from './evictions.ts'
import { HISTORY_MS } from '../forms/form-model.ts'
import { letSomeSessionsGo } from '../form-flow/records.ts'

export interface Removed {
  readonly form_sessions: number
  readonly submissions: number
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
