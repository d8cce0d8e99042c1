// The shape of the records of analytics; tables.ts names the table.

/** A note that is pinned to a time. */
export interface AnnotationTable {
  id: string
  property_id: string
  /** Unix seconds: what it is about. */
  ts: number
  text: string
  created_ts: number
}
