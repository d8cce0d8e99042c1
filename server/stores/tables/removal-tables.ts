// The shape of the records of removals: facts of one property that are to go.

export interface FactRemovalRow {
  id: string
  property_id: string
  reason: 'deleted' | 'reset' | 'retention'
  state: 'removing' | 'removed'
  /** YYYY-MM-DD: what is left to remove are whole weeks before it. */
  before_day: string
  /** Weeks that are gone. */
  weeks: number
  created_ms: number
  /** Until then one process works at it; before, nobody begins. */
  claimed_until_ms: number
  finished_ms: number | null
}

export interface RemovalTables {
  fact_removals: FactRemovalRow
}
