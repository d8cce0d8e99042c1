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
export const MAX_TAG = 40
/** Of one link. */
export const MAX_TAGS = 20
export const MAX_NOTES = 2_000
/**
 * Of a file of links that is sent to the service. It is one transaction: on SQLite others wait a second or
 * two to write. The command line takes larger ones.
 */
export const MAX_FILE_ROWS = 20_000
export const MAX_FILE_BYTES = 8 * 1024 * 1024

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
  /** What new links get where nothing is said (utm-template.ts). */
  readonly utm_template: Utm
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
  /** A host of the property's own in place of the short domain; null on the short domain itself. */
  readonly host: string | null
  readonly code: string
  readonly destination_url: string
  readonly utm: Utm
  readonly is_active: boolean
  readonly tags: readonly string[]
  readonly notes: string | null
  /** Out of the list, where nobody asks for it; it leads on as before. */
  readonly is_archived: boolean
  /** Groups that it was in before it was moved: clicks stay with the group in which they came. */
  readonly past_groups: readonly string[]
  /** Unix seconds. */
  readonly created_ts: number
}

/** Where a code is unique: a short domain, or a host of a property's own. */
export type Place = string

export const placeOf = ({ domain, host }: Pick<Link, 'domain' | 'host'>): Place => host ?? domain
/** All groups that clicks of a link may be in. */
export const groupsOf = ({ group_id, past_groups }: Pick<Link, 'group_id' | 'past_groups'>): string[] => [
  ...new Set([group_id, ...past_groups]),
]

/** As docs/api/links.md shows it. @param clicks those of people, now. */
export function shownGroup({ created_ts, ...group }: LinkGroup, clicks: number) {
  const { id, name, description, purpose, state, track_clicks, count_links } = group
  const utm_template = utmRecord((key) => group.utm_template[key] ?? null)
  const created_at = new Date(created_ts * 1000).toISOString()
  const shown = { id, name, description, purpose, state, track_clicks, utm_template, count_links }
  return { ...shown, count_clicks: clicks, created_at }
}

/**
 * As docs/api/links.md shows it. @param domainUrl where the codes of the link's place live (placeUrl of
 * domain-model.ts).
 */
export function shownLink(link: Link, domainUrl: string, clicks: number) {
  const { id, group_id, name, code, destination_url, domain, utm, is_active, created_ts } = link
  const short_url = `${domainUrl}/${code}`
  const shown = utmRecord((key) => utm[key] ?? null)
  const { tags, notes, is_archived, past_groups } = link
  const labels = { tags, notes, is_archived, past_groups }
  const where = { id, group_id, name, code, short_url, destination_url, domain }
  return { ...where, utm: shown, is_active, ...labels, clicks, created_ts }
}
