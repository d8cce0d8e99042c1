// The shape of the records of analytics and of sessions; The last interface names the tables.

/** A note that is pinned to a time. */
interface AnnotationTable {
  id: string
  property_id: string
  /** Unix seconds: what it is about. */
  ts: number
  text: string
  created_ts: number
}

/** Sessions that an owner marks as invalid together. */
interface SessionMarkTable {
  id: string
  property_id: string
  /** '' for any. */
  network: string
  host: string
  /** In which the sessions began; the end is not included. */
  from_ms: number
  to_ms: number
  state: 'marking' | 'marked' | 'undoing' | 'undone'
  /** How many there were when it began. */
  sessions: number
  /** How many of them are marked by now. */
  done: number
  /** YYYY-MM-DD: earlier days hold none that is not marked. */
  cursor_day: string
  /** Until then somebody is at it. */
  claimed_until_ms: number
  created_ms: number
  finished_ms: number | null
  /**
   * Once all are marked, contacts are told: those whose sessions are of earlier days than this YYYY-MM-DD, or
   * before the session behind it in `YYYY-MM-DD/<hash>`, know it. Null before.
   */
  contact_cursor: string | null
  /** 0: of a session that was marked by itself, here only until its contact knows. */
  is_listed: number
}

/** Filters that were saved under a name. */
interface SegmentTable {
  id: string
  property_id: string
  /** Whose it is; null: everybody's in the property. */
  user_id: string | null
  name: string
  /** JSON of the filters, as a question has them. */
  clauses: string
  created_ts: number
  updated_ts: number
}

/** What a campaign cost on a day. */
interface CostTable {
  property_id: string
  /** YYYY-MM-DD */
  day: string
  /** UTM values; medium and campaign may be ''. */
  source: string
  medium: string
  campaign: string
  /** Minor units of the currency, as it was imported. */
  amount: number
  /** US cents at the rate of the day. */
  amount_usd: number
  currency: string
}

export interface AnalyticsTables {
  costs: CostTable
  segments: SegmentTable
  annotations: AnnotationTable
  session_marks: SessionMarkTable
}
