// An event that may have been stored before, by its id.
import type { Facts } from '../stores/facts.ts'
import type { EventRow } from '../stores/tables.ts'
import { bindSessions, ofSessions } from './facts.ts'

/** What a caller wrote of it, and when it came. */
export type EarlierEvent = Pick<EventRow, 'name' | 'value' | 'number' | 'meta' | 'at'>

interface Found extends Omit<EarlierEvent, 'at'> {
  readonly at_ms: string
}

/** The first one of them, if any. @throws Problem('unavailable') when the store does not answer. */
export async function findEvent(
  facts: Pick<Facts, 'lookup'>,
  { property, day, session, id }: Pick<EventRow, 'property' | 'day' | 'session' | 'id'>,
): Promise<EarlierEvent | undefined> {
  const [found] = await facts.lookup<Found>(
    'sessions.findEvent',
    `SELECT name, value, number, meta, toUnixTimestamp64Milli(at) AS at_ms FROM events
WHERE ${ofSessions} AND kind = 'event' AND id = {id:UInt64} ORDER BY events.at LIMIT 1`,
    { ...bindSessions(property, [{ day, session }]), id },
    [session],
  )
  if (!found) return undefined
  const { at_ms, ...rest } = found
  return { ...rest, at: Number(at_ms) }
}
