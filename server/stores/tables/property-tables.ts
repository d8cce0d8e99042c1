// The shape of the records of properties: the tracked sites, and the tokens of programs. The last
// interface names the tables.
import type { Generated } from 'kysely'
import type { WeekStart } from '../../kernel/calendar.ts'

interface PropertyTable {
  id: string
  /** Public key of the tracker (X-SVC-ID). */
  key: string
  name: string
  /** JSON array of hosts. */
  domains: string
  default_period: string | null
  /** Name of an IANA time zone. */
  timezone: Generated<string>
  /** The day with which weeks begin: monday, sunday, saturday. */
  week_start: Generated<WeekStart>
  /** ISO 4217, in which money is shown; '' for that of the first order. */
  currency: Generated<string>
  /** Whose site it is, for those who run several; '' for nobody's in particular. */
  client: Generated<string>
  plan: 'free' | 'paid'
  /** SHA-256 hex of the key with which a forwarding proxy proves itself, or null. */
  proxy_key_hash: string | null
  /** How far the HTML of its content may go. */
  content_policy: Generated<'standard' | 'wide'>
  /** JSON arrays of what is not counted: addresses and CIDRs; globs of paths. */
  excluded_addresses: Generated<string>
  excluded_paths: Generated<string>
  /** Not 0: revenue and identification with an access token only. */
  is_token_only: Generated<number>
  /** Not 0: page views of listed hosts only. */
  is_listed_only: Generated<number>
  /** The most that a browser may report at once, in US dollars. */
  browser_max_usd: Generated<number>
  /** Facts older than this many days go, by whole weeks; null: as RETENTION_DAYS says. */
  kept_days: Generated<number | null>
  /** Where people are sent whose short link leads nowhere; null: to a page that says so. */
  dead_link_url: string | null
  /** What a search looks at, where the small letters of the name are more than the database knows. */
  search: Generated<string | null>
  /** Not 0: what it holds is made up, to look at. 1 until all of it is there, then 2. */
  is_sample: Generated<number>
  /** How often somebody was erased: exports that were begun before have them still. */
  people_erased: Generated<number>
  /** Of sample data that is being written: JSON of who writes it and how far it is. Else empty. */
  sample_run: Generated<string>
  created_ts: number
}

interface TokenTable {
  id: string
  property_id: string
  name: string
  /** SHA-256 hex of the token; the token itself is shown once and kept nowhere. */
  hash: string
  /** JSON array of scopes. */
  scopes: string
  /** Who made it (`us_…`): null from before that was kept, and for ADMIN_TOKEN and the command line. */
  created_by: string | null
  created_ts: number
}

/** Calls of browsers that a property did not take; counted, and nothing else kept. */
interface RefusedCallTable {
  property_id: string
  /** Days since 1970-01-01, UTC. */
  day: number
  reason: 'host' | 'revenue' | 'identify' | 'amount'
  /** Of the page; '' for the other reasons, and for hosts beyond those that are named. */
  host: string
  calls: number
}

export interface PropertyTables {
  properties: PropertyTable
  tokens: TokenTable
  refused_calls: RefusedCallTable
}
