// Which delivery goes first: real leads before what anybody may cause by calling a page. Deliveries to one address form a lane, and a flood
// of made-up events must not stand in it before what somebody vouches for.
import { findLink } from '../identify/contact-sessions.ts'
import { countInProcess } from '../http/limits.ts'
import type { Trigger, TriggerType } from '../kernel/triggers.ts'
import { keyText, sessionKey } from '../sessions/facts.ts'
import type { Records, Tx } from '../stores/records.ts'

/** Lower goes first: a lead is worth more by the minute than a change of a contact. */
const priorities: Readonly<Record<TriggerType, number>> = {
  form_submit: 0,
  identify: 1,
  acquisition: 1,
  event: 1,
  page_view: 2,
  contact: 3,
}

/** A submission that may be spam: behind the clean ones, before what is no lead at all. */
const DOUBTFUL_LEAD = 1
/** From here on a delivery leaves the last slot of its lane to the others (slots.ts). */
const ANONYMOUS = 2
const BEYOND_QUOTA = 3

/** Events of one session in a minute. Whoever acts more often than people do waits behind them; nothing of it is lost. */
export const ANONYMOUS_QUOTA = 20
/** Sessions that are counted at once: some megabytes. */
const MOST_SOURCES = 20_000

export type PriorityOf = (records: Tx | Records, propertyId: string, trigger: Trigger) => Promise<number>

export function openPriorities(now: () => number): PriorityOf {
  const count = countInProcess(MOST_SOURCES)
  return async (records, propertyId, { event, session, isAnonymous }) => {
    const usual = priorities[event.type]
    if (!isAnonymous) return usual
    if (event.type === 'form_submit') return DOUBTFUL_LEAD
    const key = session && sessionKey(session)
    if (key && (await findLink(records, propertyId, key))) return usual
    const made = count(`${propertyId} ${key ? keyText(key) : ''}`, now())
    return Math.max(usual, made > ANONYMOUS_QUOTA ? BEYOND_QUOTA : ANONYMOUS)
  }
}
