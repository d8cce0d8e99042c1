// What callers write of a link, checked and cleaned; and how a link is shown.
import { type Config, linkUrl } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import { Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { placeUrl } from './domain-model.ts'
import { verifiedHosts } from './domain-records.ts'
import {
  type Domain,
  domains,
  type Link,
  MAX_LINK_NAME,
  MAX_UTM,
  shownLink,
  type Utm,
  utmNames,
  type UtmName,
} from './link-model.ts'

import type { LinkRules } from './rules-model.ts'

export type ShownLink = ReturnType<typeof shownLink>

/** As the caller wrote them: null and '' are values that are not there. */
export type UtmDraft = Readonly<Partial<Record<UtmName, string | null>>>

/** Checked by a schema. */
export interface LinkDraft {
  readonly group_id: string
  readonly destination_url: string
  readonly domain: Domain
  /** Null, '' and left out: a random one. */
  readonly code?: string | null
  readonly name?: string | null
  readonly utm?: UtmDraft | null
  readonly tags?: readonly string[] | null
  readonly notes?: string | null
}

/** What a file says of a link beside what creating one takes. */
export interface ImportedDetails {
  /** Its code comes from another service, which may have shorter ones. */
  readonly isKept?: boolean
  /** Unix seconds; now when left out. */
  readonly createdTs?: number
  readonly isActive?: boolean
  readonly isArchived?: boolean
  readonly rules?: LinkRules
  /** Clicks that its limit has counted. */
  readonly uses?: number
  /** It is turned off until it has one again: no file holds a password. */
  readonly hadPassword?: boolean
}

/** Of a file; nobody says it of a link by itself. */
export interface ImportedDraft extends LinkDraft {
  readonly told?: ImportedDetails
}

/**
 * A key that is not there is left as it is, and so is one of `utm`; null clears, all five values where `utm`
 * is null.
 */
export interface LinkChange extends Partial<Omit<LinkDraft, 'group_id' | 'code'>> {
  readonly is_active?: boolean
  readonly is_archived?: boolean
}

export const linkNotFound = (): Problem => new Problem('not_found', 'The link is not in this property.')

const idShape = /^ln_[\w-]{1,64}$/

export const isLinkId = (text: string): boolean => idShape.test(text)

/** Where the codes of the short domains live. */
export const ownUrls = (config: Config): string[] => domains.map((domain) => linkUrl(config, domain))

export const shortUrls = async ({ config, records }: Pick<Deps, 'config' | 'records'>) => ({
  urls: ownUrls(config),
  hosts: await verifiedHosts(records),
})

export const readName = (text: string | null | undefined): string | null =>
  cleanText(text ?? '', MAX_LINK_NAME).trim() || null

/** Stored as they were sent; only what no database takes is left out. */
export function readUtm(before: Utm, draft: UtmDraft | null | undefined): Utm {
  if (draft === null) return {}
  const texts = utmNames.map((name) => [name, draft?.[name] === undefined ? before[name] : draft[name]] as const)
  const cleaned = texts.map(([name, text]) => [name, cleanText(text ?? '', MAX_UTM)] as const)
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''))
}

export const show = (config: Config, link: Link, clicks: number): ShownLink =>
  shownLink(link, placeUrl(config, link), clicks)
