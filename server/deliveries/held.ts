// A delivery that this node has claimed, and where it may go from there.
import type { DeliveryRow, Sender, Still } from './claims-records.ts'
import type { Laned } from './lanes.ts'
import { type Ending, isManual, type Outcome } from './outcome-records.ts'

export interface Held extends Laned {
  readonly row: DeliveryRow
  /** As it was when it was looked at last; undefined: the automation is gone. */
  sender: Sender | undefined
  body: string | null
  leaseEndMs: number
}

/** What waits to be written. */
export interface Load {
  readonly outcomes: readonly Outcome[]
  /** With bodies that are to be stored before they are sent. */
  readonly made: readonly Held[]
}

export function newHeld(row: DeliveryRow, sender: Sender | undefined, leaseEndMs: number): Held {
  const { lane, priority, property_id: propertyId, body } = row
  return { row, lane, priority, propertyId, sender, body, leaseEndMs }
}

/** Test sends and those asked for by hand go in any case. */
const goesAnyway = ({ row }: Held): boolean => row.is_test === 1 || isManual(row)

/** Why it may not be sent as things are; undefined when it may. */
export function refusalOf(held: Held, sender: Still['sender']): Ending | undefined {
  if (!sender) return { kind: 'gone' }
  return sender.is_active === 0 && !goesAnyway(held) ? { kind: 'held' } : undefined
}
