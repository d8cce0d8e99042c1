// What callers write of a link, checked and cleaned; and how a link is shown.
import { type Config, linkUrl } from '../config.ts'
import { Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
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
}

/**
 * A key that is not there is left as it is, and so is one of `utm`; null clears, all five values where `utm`
 * is null.
 */
export interface LinkChange extends Partial<Omit<LinkDraft, 'group_id' | 'code'>> {
  readonly is_active?: boolean
}

export const linkNotFound = (): Problem => new Problem('not_found', 'The link is not in this property.')

const idShape = /^ln_[\w-]{1,64}$/

export const isLinkId = (text: string): boolean => idShape.test(text)

/** Where the codes of the short domains live. */
export const ownUrls = (config: Config): string[] => domains.map((domain) => linkUrl(config, domain))

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
  shownLink(link, linkUrl(config, link.domain), clicks)
