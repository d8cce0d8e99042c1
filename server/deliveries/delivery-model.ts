// What a delivery is on its way: in which state, what an attempt came to, and what follows from that. Nothing
// is carried out here.
import type { DeliveryRow, SendingAutomation } from './queue-records.ts'
import type { Laned } from './slots.ts'

export const states = ['pending', 'held', 'delivered', 'failed', 'skipped', 'erased'] as const
export type State = (typeof states)[number]

/** One attempt, as the run log keeps it. */
export interface Attempted {
  readonly startedMs: number
  readonly durationMs: number
  readonly status: number | null
  /** Null: it arrived. */
  readonly error: string | null
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly responseHeaders: Readonly<Record<string, string>>
  readonly responseBody: string
}

export type Ending =
  | { readonly kind: 'delivered' | 'failed' | 'skipped' | 'held' | 'gone' }
  /** Another attempt later; `unsent`: there was none yet. */
  | { readonly kind: 'retry' | 'unsent'; readonly atMs: number }

export interface Outcome {
  readonly row: DeliveryRow
  readonly ending: Ending
  readonly attempted?: Attempted | undefined
  /** Of this node, when it was over. */
  readonly nowMs: number
}

/** A delivery that this node has claimed. */
export interface Claimed extends Laned {
  readonly row: DeliveryRow
  /** As it was when it was last read; undefined: it is gone. */
  automation: SendingAutomation | undefined
  body: string | null
  leaseEndMs: number
  isSending: boolean
}

export function newClaimed(row: DeliveryRow, automation: SendingAutomation | undefined, leaseEndMs: number): Claimed {
  const { lane, priority, property_id: propertyId, body } = row
  return { row, lane, priority, propertyId, automation, body, leaseEndMs, isSending: false }
}

/** A manual retry of one that was finished; its automation is no worse for it. */
export const isManual = ({ finished_ms }: Pick<DeliveryRow, 'finished_ms'>): boolean => finished_ms !== null

/**
 * Why it may not be sent as things are; undefined when it may. Test sends and manual retries go in any case.
 */
export function refusalOf({ row, automation }: Pick<Claimed, 'row' | 'automation'>): Ending | undefined {
  if (!automation) return { kind: 'gone' }
  if (row.is_test === 1 || isManual(row)) return undefined
  return automation.is_active === 0 ? { kind: 'held' } : undefined
}

const counted = ['delivered', 'failed', 'retried', 'skipped'] as const
export type CountedOutcome = (typeof counted)[number]

/** What this process has done with deliveries, for /metrics and for the owner. */
export interface DeliveryStats {
  /** False until the address guard has passed its test, and for good when it has not. */
  isSending: boolean
  /** Since the start. `retried`: attempts that failed and after which there is another. */
  readonly totals: Record<CountedOutcome, number>
}

export const newDeliveryStats = (): DeliveryStats => ({
  isSending: false,
  totals: { delivered: 0, failed: 0, retried: 0, skipped: 0 },
})
