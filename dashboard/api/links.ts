// Short links and their groups, what came of them, and files of them.
import type { ClickJson as Click, PreviewJson as LinkPreview } from '../../server/clicks/schema.ts'
import type { Domain, Purpose, UtmName } from '../../server/links/link-model.ts'
import type {
  AvailabilityJson as Availability,
  LinkDomainsJson as LinkDomains,
  GroupJson as LinkGroup,
  ImportJson as ImportPart,
  LinkJson as Link,
  ListedLinkJson as ListedLink,
  StatisticsJson as LinkStatistics,
} from '../../server/links/schema.ts'
import type {
  OutcomeJson as Outcome,
  RulesInput as LinkRulesChange,
  RulesJson as LinkRules,
  VisitorInput,
} from '../../server/links/rules-schema.ts'
import { get, type Page, post, remove, type PageQuery } from '../api.ts'
import { apiPath } from '../place.ts'
import type { WindowQuery } from './forms.ts'

export type {
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
  LinkStatistics,
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

export interface LinkFilter extends WindowQuery {
  readonly search: string
  readonly group_id: string
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

export type GroupChange = Partial<Pick<LinkGroup, 'name' | 'description' | 'purpose' | 'state' | 'track_clicks'>>

export const createGroup = (property: string, asked: GroupChange & { readonly name: string }) =>
  post<{ group: LinkGroup }>(GROUPS, asked, { property })
export const changeGroup = (property: string, id: string, asked: GroupChange) =>
  post<{ group: LinkGroup }>(at(GROUPS, id), asked, { property })
export const deleteGroup = (property: string, id: string) => remove(at(GROUPS, id), { property })

// ---------------------------------------------------------------- what came of them

export const readLinkStatistics = (property: string, { kind, id }: LinkOwner, ask: WindowQuery, signal?: AbortSignal) =>
  get<{ statistics: LinkStatistics }>(
    managed(property, `${at(kind === 'link' ? 'links' : 'link-groups', id)}/statistics`),
    { query: { ...ask }, signal },
  )

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

/** Of a picture, for the browser itself. */
export const qrUrl = (property: string, link: string, format: 'svg' | 'png'): string =>
  `${apiPath}${managed(property, `${at('links', link)}/qr?format=${format}&size=1024`)}`

export const exportUrl = (property: string, group: string): string =>
  `${apiPath}${managed(property, 'links/export')}${group === '' ? '' : `?group_id=${encodeURIComponent(group)}`}`

export interface LinkFile {
  readonly csv: string
  /** For rows that do not say theirs; '' for none. */
  readonly group: string
  readonly domain: Domain
  readonly create_groups: boolean
}

export const importLinks = (property: string, file: LinkFile, isTrial: boolean) =>
  post<ImportPart>(managed(property, 'links/import'), { ...file, is_trial: isTrial })
