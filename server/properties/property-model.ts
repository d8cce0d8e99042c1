// What a property is: a tracked site with its rules.
import type { WeekStart } from '../kernel/calendar.ts'

export const contentPolicies = ['standard', 'wide'] as const
export type ContentPolicy = (typeof contentPolicies)[number]

export interface Property {
  /** `pr_…` */
  readonly id: string
  /** `ff_…`, public: the tracker's X-SVC-ID. */
  readonly key: string
  readonly name: string
  /** Hosts in the spelling of hosts.ts. */
  readonly domains: string[]
  /**
   * One of the periods except `custom`; null: `last_7`, which `/v2` also has for those that it does not know.
   */
  readonly default_period: string | null
  /** Name of an IANA time zone: its days are those of windows, graphs and dates. */
  readonly timezone: string
  /** The day with which its weeks begin. */
  readonly week_start: WeekStart
  /** Whose site it is, for those who run several; '' for nobody's in particular. */
  readonly client: string
  /** ISO 4217, in which its money is told; null: that of its first order, and US dollars until then. */
  readonly currency: string | null
  readonly plan: 'free' | 'paid'
  /** SHA-256 of the key by which a forwarding proxy authenticates (X-PROXY-KEY). */
  readonly proxy_key_hash: string | null
  /** Which HTML its content may contain: server/html/content-html.ts. */
  readonly content_policy: ContentPolicy
  /** Which visitors and pages are not counted: exclusions.ts. */
  readonly excluded_addresses: string[]
  readonly excluded_paths: string[]
  /** Refuses revenue and identification from browsers: these need an access token. */
  readonly is_token_only: boolean
  /** Only accepts page views of its domains and their subdomains; without domains those of any host. */
  readonly is_listed_only: boolean
  /** The most that one call of a browser may report, in whole US dollars. */
  readonly browser_max_usd: number
  /** Facts older than this many days go, by whole weeks; null: as the installation keeps them. */
  readonly kept_days: number | null
  /** Where people are sent whose short link leads nowhere; null: to a page that says so. */
  readonly dead_link_url: string | null
  /** Its data is generated, as a sample. */
  readonly is_sample: boolean
  /** Unix seconds. */
  readonly created_ts: number
}

/** Anything else cannot exist. */
export const keyShape = /^ff_[0-9A-Za-z]{16,64}$/

/** False as soon as its removal has begun: its remaining data is no longer served. */
export const isOpenProperty = ({ key }: Pick<Property, 'key'>): boolean => keyShape.test(key)
