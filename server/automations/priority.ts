// Which delivery goes first: real leads before what anybody may cause by calling a page. Deliveries to one
// URL form a lane, and a flood of made-up events must not stand in it before what the owner's server or a
// known person did.
import { findLink } from '../identify/identify.ts'
import { countInProcess } from '../http/limits.ts'
import type { Trigger } from '../kernel/triggers.ts'
import { type Priority, triggers } from '../kernel/trigger-table.ts'
import { keyText, sessionKey } from '../sessions/sessions.ts'
import type { Records, Tx } from '../stores/records.ts'

/** A submission that may be spam: behind the clean ones, before what is no lead at all. */
const DOUBTFUL_LEAD: Priority = 1
/** From here on a delivery leaves the last slot of its lane to the others (slots.ts). */
const ANONYMOUS: Priority = 2
const BEYOND_QUOTA: Priority = 3

/** Events of one session in a minute. More than people cause wait behind those of people; none is lost. */
export const ANONYMOUS_QUOTA = 20
/** Sessions that are counted at once: some megabytes. */
const MOST_SOURCES = 20_000

export type PriorityOf = (records: Tx | Records, propertyId: string, trigger: Trigger) => Promise<Priority>

export function openPriorities(now: () => number): PriorityOf {
  const count = countInProcess(MOST_SOURCES)
  return async (records, propertyId, { event, session, isAnonymous }) => {
    const usual = triggers[event.type].priority
    if (!isAnonymous) return usual
    if (event.type === 'form_submit') return DOUBTFUL_LEAD
    const key = session && sessionKey(session)
    if (key && (await findLink(records, propertyId, key))) return usual
    const made = count(`${propertyId} ${key ? keyText(key) : ''}`, now())
    const least = made > ANONYMOUS_QUOTA ? BEYOND_QUOTA : ANONYMOUS
    return usual > least ? usual : least
  }
}
