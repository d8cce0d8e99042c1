// The shape of the records of short links. The last interface names the tables.
import type { Generated } from 'kysely'

interface LinkGroupTable {
  seq: Generated<number>
  id: string
  property_id: string
  name: string
  description: string | null
  purpose: string
  /**
   * A deleted group stays as a row, so that its clicks keep belonging to something and every node learns of
   * it.
   */
  state: 'active' | 'archived' | 'deleted'
  track_clicks: number
  created_ts: number
  /** The number of its last change (`counters`): who knows all up to a number asks for those above it. */
  change_no: number
}

interface LinkTable {
  /** The order of the list. */
  seq: Generated<number>
  id: string
  property_id: string
  group_id: string
  name: string | null
  domain: 'link-a' | 'link-b'
  /** Unique on its domain, also after the link was deleted. */
  code: string
  destination_url: string
  /** JSON object of the five UTM values that are set. */
  utm: string
  is_active: number
  /** JSON of links/rules-model.ts; null: it always leads to its destination. */
  rules: string | null
  /**
   * What is searched of a link with letters beyond ASCII, as searches spell it (links/words-records.ts);
   * null: its texts are searched as they are.
   */
  search: string | null
  /** 1: out of use and out of every list; the row stays so that every node learns of it. */
  is_deleted: number
  created_ts: number
  change_no: number
}

/** Codes of links whose rows are gone. */
interface RetiredCodeTable {
  code: string
  domain: string
}

export interface LinkTables {
  link_groups: LinkGroupTable
  links: LinkTable
  retired_codes: RetiredCodeTable
}
