// When the log is worth looking at again.
import type { Delivery } from '../../api/automations.ts'

export const POLL_MS = 1_500
const SOON_SECONDS = 5

/** An attempt is being made, or is due any moment; one that is due in minutes is not waited for. */
export function isUnderWay({ state, next_attempt_ts }: Pick<Delivery, 'state' | 'next_attempt_ts'>): boolean {
  if (state !== 'pending') return false
  return next_attempt_ts === null || next_attempt_ts - Date.now() / 1000 < SOON_SECONDS
}
