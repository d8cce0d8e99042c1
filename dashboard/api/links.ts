// Short links and their groups, their clicks, and files of them.
import type { ClickJson as Click, PreviewJson as LinkPreview } from '../../server/clicks/schema.ts'
import type { ForeignFormat } from '../../server/links/foreign-fields.ts'
import type { Domain, Purpose, UtmName } from '../../server/links/link-model.ts'
import type {
  AvailabilityJson as Availability,
  LinkDomainsJson as LinkDomains,
  GroupJson as LinkGroup,
  ImportJson as ImportPart,
  LinkJson as Link,
  ListedLinkJson as ListedLink,
} from '../../server/links/schema.ts'
import type {
  OutcomeJson as Outcome,
  RulesInput as LinkRulesChange,
  RulesJson as LinkRules,
  VisitorInput,
} from '../../server/links/rules-schema.ts'
import type { CardJson as LinkCard } from '../../server/links/card-schema.ts'
import type {
  EditedJson as Edited,
  LinkEditJson as LinkEdit,
  TagsJson as LinkTags,
} from '../../server/links/edits-schema.ts'
import { get, type OrderAsk, type Page, post, remove, type PageQuery } from '../api.ts'
import { apiPath } from '../place.ts'
import type { WindowQuery } from './forms.ts'

export type {
  ForeignFormat,
  LinkRules,
  LinkRulesChange,
  Outcome,
  Availability,
  Click,
  Domain,
  ImportPart,
  Link,
  LinkGroup,
  LinkPreview,
  LinkCard,
  LinkEdit,
  ListedLink,
  Purpose,
  UtmName,
}
export const domains = ['link-a', 'link-b'] as const satisfies readonly Domain[]
export const purposes = [
  'campaign',
  'affiliate',
  'newsletter',
  'partner',
  'social',
] as const satisfies readonly Purpose[]
export const utmNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const satisfies readonly UtmName[]

/** null: not set. */
export type UtmValues = Readonly<Record<UtmName, string | null>>

export interface LinkPage extends Page<ListedLink> {
  readonly period: string
}

export interface GroupPage extends Omit<Page<never>, 'data'> {
  readonly groups: readonly LinkGroup[]
}

/** What links of one kind have in common: the link itself, or its group. */
export interface LinkOwner {
  readonly kind: 'link' | 'link_group'
  readonly id: string
}

const LINKS = '/v2/property/links'
const GROUPS = '/v2/property/link-groups'
const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`
const managed = (property: string, rest: string): string => `/manage/properties/${encodeURIComponent(property)}/${rest}`

// ---------------------------------------------------------------- links

export const linkStates = ['active', 'archived', 'all'] as const
export type LinkState = (typeof linkStates)[number]

export interface LinkFilter extends WindowQuery, OrderAsk {
  readonly search: string
  readonly group_id: string
  readonly tag?: string
  readonly state?: LinkState
}

export const listLinks = (
  property: string,
  ask: LinkFilter & { readonly page: number; readonly per_page: number },
  signal?: AbortSignal,
) => get<LinkPage>(managed(property, 'links'), { query: { ...ask }, signal })
export const readLink = (property: string, id: string, signal?: AbortSignal) =>
  get<{ link: Link }>(at(LINKS, id), { property, signal })

export interface LinkChange {
  readonly destination_url?: string
  readonly domain?: Domain
  readonly name?: string | null
  /** Values that are not named stay. */
  readonly utm?: Partial<UtmValues>
  readonly is_active?: boolean
  readonly tags?: readonly string[]
  readonly notes?: string | null
}

export interface NewLink extends LinkChange {
  readonly group_id: string
  /** '' for a random one. */
  readonly code?: string
}

export const createLink = (property: string, asked: NewLink) => post<{ link: Link }>(LINKS, asked, { property })
export const changeLink = (property: string, id: string, asked: LinkChange) =>
  post<{ link: Link }>(at(LINKS, id), asked, { property })
export const deleteLink = (property: string, id: string) => remove(at(LINKS, id), { property })

export interface CodeAsk {
  readonly domain: Domain
  readonly code: string
  readonly name: string
  readonly destination_url: string
}

/** Whether a code is free, and others that are. */
export const checkCode = (property: string, ask: CodeAsk, signal?: AbortSignal) =>
  get<Availability>(managed(property, 'links/code'), { query: { ...ask }, signal })

export const readRules = (property: string, link: string, signal?: AbortSignal) =>
  get<{ rules: LinkRules }>(managed(property, `${at('links', link)}/rules`), { signal })
export const writeRules = (property: string, link: string, asked: LinkRulesChange) =>
  post<{ rules: LinkRules }>(managed(property, `${at('links', link)}/rules`), asked)

export const readCard = (property: string, link: string, signal?: AbortSignal) =>
  get<{ card: LinkCard | null }>(managed(property, `${at('links', link)}/card`), { signal })
/** @param card null: none. */
export const writeCard = (property: string, link: string, card: LinkCard | null) =>
  post<{ card: LinkCard | null }>(managed(property, `${at('links', link)}/card`), { card })

export interface RulesTrial {
  readonly visitor: VisitorInput
  /** Those that are typed. */
  readonly rules: LinkRulesChange
}

export const tryRules = (property: string, link: string, asked: RulesTrial) =>
  post<Outcome>(managed(property, `${at('links', link)}/rules/try`), asked)

/** The short domains with their addresses. */
export const listLinkDomains = (property: string, signal?: AbortSignal) =>
  get<LinkDomains>(managed(property, 'link-domains'), { signal })

// ---------------------------------------------------------------- many at once

export interface LinksChange {
  readonly add_tags?: readonly string[]
  readonly remove_tags?: readonly string[]
  readonly group_id?: string
  /** Values that are not named stay. */
  readonly utm?: Partial<UtmValues>
  readonly ends_ts?: number | null
  readonly is_archived?: boolean
}

export const editLinks = (property: string, link_ids: readonly string[], change: LinksChange) =>
  post<Edited>(managed(property, 'links/edit'), { link_ids, ...change })
export const undoLinkEdit = (property: string, id: string) =>
  post<Edited>(managed(property, `${at('link-edits', id)}/undo`), {})
export const listLinkEdits = (property: string, ask: PageQuery, signal?: AbortSignal) =>
  get<Page<LinkEdit>>(managed(property, 'link-edits'), { query: { ...ask }, signal })
export const listLinkTags = (property: string, signal?: AbortSignal) =>
  get<LinkTags>(managed(property, 'links/tags'), { signal })

// ---------------------------------------------------------------- groups

export const listGroups = (property: string, page: number, perPage: number, signal?: AbortSignal) =>
  get<GroupPage>(GROUPS, { property, query: { page, per_page: perPage }, signal })

const PER_PAGE = 100
const MOST_PAGES = 5

/** For choosing one; the newest, where there are very many. */
export async function listAllGroups(property: string, signal?: AbortSignal): Promise<readonly LinkGroup[]> {
  const first = await listGroups(property, 1, PER_PAGE, signal)
  const others = Array.from({ length: Math.min(first.last_page, MOST_PAGES) - 1 }, (_, index) =>
    listGroups(property, index + 2, PER_PAGE, signal),
  )
  return [first, ...(await Promise.all(others))].flatMap(({ groups }) => groups)
}

export const readGroup = (property: string, id: string, signal?: AbortSignal) =>
  get<{ group: LinkGroup }>(at(GROUPS, id), { property, signal })

export interface GroupChange extends Partial<
  Pick<LinkGroup, 'name' | 'description' | 'purpose' | 'state' | 'track_clicks'>
> {
  /** Values that are not named stay. */
  readonly utm_template?: Partial<UtmValues>
}

export const createGroup = (property: string, asked: GroupChange & { readonly name: string }) =>
  post<{ group: LinkGroup }>(GROUPS, asked, { property })
export const changeGroup = (property: string, id: string, asked: GroupChange) =>
  post<{ group: LinkGroup }>(at(GROUPS, id), asked, { property })
export const deleteGroup = (property: string, id: string) => remove(at(GROUPS, id), { property })

// ---------------------------------------------------------------- clicks

export const listClicks = (property: string, { kind, id }: LinkOwner, ask: PageQuery, signal?: AbortSignal) =>
  get<Page<Click>>('/v2/property/clicks', {
    property,
    query: { [`${kind === 'link' ? 'link' : 'group'}_id`]: id, ...ask },
    signal,
  })

export interface PreviewAsk {
  readonly destination_url: string
  readonly utm: UtmValues
}

/** What sessions through a link would be counted as. */
export const previewLink = (property: string, ask: PreviewAsk, signal?: AbortSignal) =>
  post<LinkPreview>('/v2/property/attribution/preview', ask, { property, signal })

// ---------------------------------------------------------------- files

export const exportUrl = (property: string, group: string): string =>
  `${apiPath}${managed(property, 'links/export')}${group === '' ? '' : `?group_id=${encodeURIComponent(group)}`}`

/** The services whose files are read. */
export const foreignFormats = [
  'bitly',
  'dub',
  'shlink',
  'yourls',
  'kutt',
  'rebrandly',
] as const satisfies readonly ForeignFormat[]

export interface LinkFile {
  /** Left out for a file of columns of our own. */
  readonly from?: ForeignFormat
  readonly csv: string
  /** For rows that do not say theirs; '' for none. */
  readonly group: string
  readonly domain: Domain
  readonly create_groups: boolean
}

export const importLinks = (property: string, file: LinkFile, isTrial: boolean) =>
  post<ImportPart>(managed(property, 'links/import'), { ...file, is_trial: isTrial })
