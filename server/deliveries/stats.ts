// What this process has done with deliveries, for /metrics and for the owner.

const counted = ['delivered', 'failed', 'retried', 'skipped'] as const
export type CountedOutcome = (typeof counted)[number]

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
