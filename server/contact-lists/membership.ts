// A membership as files and answers show it.
import type { Membership } from './records.ts'

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.floor(ms / 1000))

/** Without what the links of emails are made of. */
export const membershipFacts = ({ name, email, state, ...times }: Membership) => ({
  list: name,
  email,
  state,
  requested_ts: Math.floor(times.requested_ms / 1000),
  mailed_ts: seconds(times.mailed_ms),
  confirmed_ts: seconds(times.confirmed_ms),
  unsubscribed_ts: seconds(times.unsubscribed_ms),
})
