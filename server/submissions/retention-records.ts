// The statements of what is kept for a time: forms with their rules, and form sessions.
import type { Records } from '../stores/records.ts'
import { changedBy, inSteps } from '../stores/steps.ts'

const FORMS_AT_ONCE = 200

export function removeFormSessions(records: Records, beforeMs: number): Promise<number> {
  const old = records.selectFrom('form_sessions').select('token_hash').where('opened_ms', '<', beforeMs)
  return inSteps((most) => changedBy(records.deleteFrom('form_sessions').where('token_hash', 'in', old.limit(most))))
}

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
