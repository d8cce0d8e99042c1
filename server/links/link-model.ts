// What groups and links are: their fields with their limits, and how they are shown (docs/api/links.md).
import { byName } from '../kernel/by-name.ts'

export const purposes = ['campaign', 'affiliate', 'newsletter', 'partner', 'social'] as const
export type Purpose = (typeof purposes)[number]

export const groupStates = ['active', 'archived'] as const
export type GroupState = (typeof groupStates)[number]

export const domains = ['link-a', 'link-b'] as const
export type Domain = (typeof domains)[number]

export const MAX_GROUP_NAME = 120
export const MAX_DESCRIPTION = 500
export const MAX_LINK_NAME = 120
export const MAX_DESTINATION = 2048
export const MAX_UTM = 255
/** Of one part of a file of links, which is one transaction that others wait for: a fraction of a second. */
export const MAX_PART_ROWS = 5_000

export const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const
export type UtmName = (typeof utmNames)[number]

/** A value for each of the five. */
export const utmRecord = <Value>(valueOf: (name: UtmName) => Value) => byName(utmNames, valueOf)

/** Only what is set: never null, never ''. */
export type Utm = Readonly<Partial<Record<UtmName, string>>>

export interface LinkGroup {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly purpose: Purpose
  readonly state: GroupState
  readonly track_clicks: boolean
  /** Unix seconds. */
  readonly created_ts: number
  /** Links in use. */
  readonly count_links: number
}

export interface Link {
  readonly id: string
  readonly group_id: string
  readonly name: string | null
  readonly domain: Domain
  readonly code: string
  readonly destination_url: string
  readonly utm: Utm
  readonly is_active: boolean
  /** Unix seconds. */
  readonly created_ts: number
}

/** As docs/api/links.md shows it. @param clicks those of people, now. */
export function shownGroup({ created_ts, ...group }: LinkGroup, clicks: number) {
  const { id, name, description, purpose, state, track_clicks, count_links } = group
  const created_at = new Date(created_ts * 1000).toISOString()
  return { id, name, description, purpose, state, track_clicks, count_links, count_clicks: clicks, created_at }
}

/**
 * As docs/api/links.md shows it. @param domainUrl where the codes of the link's domain live (linkUrl of
 * config.ts).
 */
export function shownLink(link: Link, domainUrl: string, clicks: number) {
  const { id, group_id, name, code, destination_url, domain, utm, is_active, created_ts } = link
  const short_url = `${domainUrl}/${code}`
  const shown = utmRecord((key) => utm[key] ?? null)
  return { id, group_id, name, code, short_url, destination_url, domain, utm: shown, is_active, clicks, created_ts }
}
