// The shape of the records of short links. The last interface names the tables.
import type { Generated } from 'kysely'
import type { EditTable } from './edit-tables.ts'

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
  /** JSON object of UTM values with placeholders (links/utm-template.ts); null: none. */
  utm_template: string | null
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
  /** Where its code lives: `link-a`, `link-b`, or the name of a host of the property's own. */
  domain: string
  /** Of a link on a host of the property's own the short domain that it stands for; null for the others. */
  slot: 'link-a' | 'link-b' | null
  /** Unique on its domain, also after the link was deleted. */
  code: string
  destination_url: string
  /** JSON object of the five UTM values that are set. */
  utm: string
  is_active: number
  /** JSON of links/rules-model.ts; null: it always leads to its destination. */
  rules: string | null
  /** People led on since the link has a limit of clicks; 0 without one. */
  uses: Generated<number>
  /** As accounts/passwords.ts writes it; null: nobody is asked. */
  password_hash: string | null
  /**
   * What is searched of a link with letters beyond ASCII, as searches spell it (links/words-records.ts);
   * null: its texts are searched as they are.
   */
  search: string | null
  /** JSON array of texts; null: none. */
  tags: string | null
  notes: string | null
  /** 1: not in the list, where nobody asks for it; it leads on as before. */
  is_archived: Generated<number>
  /** JSON array of the ids of groups that it was in before, whose clicks are its own too; null: none. */
  past_groups: string | null
  /** 1: out of use and out of every list; the row stays so that every node learns of it. */
  is_deleted: number
  created_ts: number
  change_no: number
}

/** One change of many links; `before` and `after` are by the id of each. */
type LinkEditTable = EditTable

/** Codes of links whose rows are gone. */
interface RetiredCodeTable {
  code: string
  domain: string
  /** Of which it was; null where that is not known, and where the property went with it. */
  property_id: string | null
}

/** A row for each property that asked for a host; at most one of them is verified. */
interface LinkDomainTable {
  /** Lower case, in punycode. */
  host: string
  property_id: string
  domain: 'link-a' | 'link-b'
  /** What the text record of the host has to say. */
  token: string
  state: 'pending' | 'proven' | 'verified' | 'removed'
  fault: 'txt_missing' | 'dns_away' | 'not_reached' | 'refused_address' | 'other_service' | 'taken_over' | null
  checked_ts: number | null
  verified_ts: number | null
  created_ts: number
  change_no: number
}

interface QrLookTable {
  property_id: string
  /** JSON of qr/look.ts. */
  look: string
  /** A PNG of our own making, in base64; null: none. */
  logo: string | null
}

export interface LinkTables {
  link_domains: LinkDomainTable
  link_groups: LinkGroupTable
  links: LinkTable
  retired_codes: RetiredCodeTable
  link_edits: LinkEditTable
  qr_looks: QrLookTable
}
