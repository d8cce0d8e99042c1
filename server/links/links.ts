// Short links: a code that leads to a destination. Their rules; what a visitor of one meets is the
// redirect's.
import { type Config, linkUrl } from '../config.ts'
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { wordsOf } from '../kernel/words.ts'
import { newId } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import { randomCode } from './codes.ts'
import { checkLocation, readDestination } from './destination.ts'
import { countClicks } from '../clicks/facts.ts'
import { changeLinks, type CreateDeps, isGroupId, type LinkDeps } from './groups.ts'
import {
  type Domain,
  domains,
  type Link,
  type LinkGroup,
  MAX_LINK_NAME,
  MAX_UTM,
  shownLink,
  type Utm,
  utmNames,
  type UtmName,
} from './link-model.ts'
import {
  clearLeftBehind,
  deleteLinkRow,
  drawChange,
  findLink,
  hasGroup,
  insertGroup,
  insertLinks,
  isCodeTaken,
  leaveBehind,
  listLinkRows,
  type LinkSlice,
  updateLinkRow,
} from './records.ts'
import type { LinkScope } from './list-records.ts'

export { findLinks } from './records.ts'
export { exportLinks, linkBatches } from './export.ts'
export { listGroups, newGroup } from './groups.ts'
export { everyGroup } from './group-words.ts'
export { type Domain, type LinkGroup, type Purpose, type Utm, utmNames } from './link-model.ts'
export { withUtm } from './utm.ts'

export type ShownLink = ReturnType<typeof shownLink>

/** As the caller wrote them: null and '' are values that are not there. */
export type UtmDraft = Readonly<Partial<Record<UtmName, string | null>>>

/** Checked by a schema. */
export interface LinkDraft {
  readonly group_id: string
  readonly destination_url: string
  readonly domain: Domain
  readonly name?: string | null
  readonly utm?: UtmDraft | null
}

/**
 * A key that is not there is left as it is, and so is one of `utm`; null clears, all five values where `utm`
 * is null.
 */
export interface LinkChange extends Partial<Omit<LinkDraft, 'group_id'>> {
  readonly is_active?: boolean
}

export const linkNotFound = (): Problem => new Problem('not_found', 'The link is not in this property.')

const idShape = /^ln_[\w-]{1,64}$/

const isLinkId = (text: string): boolean => idShape.test(text)

/** With a million links, the first code is free in all but one case of a million. */
const MAX_ATTEMPTS = 20
/**
 * Rows of one insert, which takes some milliseconds on SQLite, and with its own number: whoever reads the
 * changes does so in slices.
 */
const INSERT_SLICE = 200

/** Where the codes of the short domains live. */
export const ownUrls = (config: Config): string[] => domains.map((domain) => linkUrl(config, domain))

const readName = (text: string | null | undefined): string | null => cleanText(text ?? '', MAX_LINK_NAME).trim() || null

/** Stored as they were sent; only what no database takes is left out. */
export function readUtm(before: Utm, draft: UtmDraft | null | undefined): Utm {
  if (draft === null) return {}
  const texts = utmNames.map((name) => [name, draft?.[name] === undefined ? before[name] : draft[name]] as const)
  const cleaned = texts.map(([name, text]) => [name, cleanText(text ?? '', MAX_UTM)] as const)
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''))
}

/** A link that is not stored yet. @throws Problem('validation_failed') */
function newLink(deps: Pick<Deps, 'config' | 'now' | 'randomBytes'>, draft: LinkDraft): Link {
  const destination = readDestination(draft.destination_url, ownUrls(deps.config))
  const utm = readUtm({}, draft.utm)
  checkLocation(destination, utm)
  return {
    id: newId(deps, 'ln'),
    group_id: draft.group_id,
    name: readName(draft.name),
    domain: draft.domain,
    code: randomCode(deps.randomBytes),
    destination_url: destination,
    utm,
    is_active: true,
    created_ts: currentTs(deps),
  }
}

/** Stores them all; those whose code is taken with another one. @returns them as they are stored. */
async function insertAll(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  { links, changeNo }: LinkSlice,
): Promise<Link[]> {
  let drafts = [...links]
  const stored: Link[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const ids = await insertLinks(tx, propertyId, { links: drafts, changeNo })
    stored.push(...drafts.filter(({ id }) => ids.has(id)))
    drafts = drafts.filter(({ id }) => !ids.has(id)).map((link) => ({ ...link, code: randomCode(randomBytes) }))
    if (drafts.length === 0) return stored
  }
  throw new Problem('unavailable', 'No free code was found: try again.', { retryAfterSeconds: 1 })
}

async function checkGroups(tx: Tx, propertyId: string, links: readonly Link[]): Promise<void> {
  for (const id of new Set(links.map((link) => link.group_id)))
    if (!isGroupId(id) || !(await hasGroup(tx, propertyId, id)))
      throw invalid('group_id', 'group_id is not a group of this property.')
}

const show = (config: Config, link: Link, clicks: number): ShownLink =>
  shownLink(link, linkUrl(config, link.domain), clicks)

/** What is created together. */
export interface NewLinks {
  readonly drafts: readonly LinkDraft[]
  /** Made by newGroup, and stored along: drafts may name their ids. */
  readonly groups?: readonly LinkGroup[]
}

/**
 * All or none, in one transaction, in the given order.
 * @param onStored told after each slice how many links are stored so far.
 * @throws Problem('validation_failed')
 */
export async function createLinks(
  deps: CreateDeps,
  propertyId: string,
  { drafts, groups = [] }: NewLinks,
  onStored: (count: number) => void = () => undefined,
): Promise<ShownLink[]> {
  const links = drafts.map((draft) => newLink(deps, draft))
  const stored = new Map<string, Link>()
  const work = async (tx: Tx, changeNo: number): Promise<void> => {
    for (const group of groups) await insertGroup(tx, propertyId, group, changeNo)
    await checkGroups(tx, propertyId, links)
    for (let at = 0; at < links.length; at += INSERT_SLICE) {
      const sliceNo = at === 0 ? changeNo : await drawChange(tx)
      const slice = { links: links.slice(at, at + INSERT_SLICE), changeNo: sliceNo }
      for (const link of await insertAll(deps, tx, propertyId, slice)) stored.set(link.id, link)
      onStored(stored.size)
    }
  }
  await orNotFound(changeLinks(deps, work), propertyNotFound)
  return links.map(({ id }) => show(deps.config, stored.get(id)!, 0))
}

export async function createLink(deps: LinkDeps, propertyId: string, draft: LinkDraft): Promise<ShownLink> {
  const [link] = await createLinks(deps, propertyId, { drafts: [draft] })
  return link!
}

type ReadDeps = Pick<Deps, 'config' | 'records' | 'facts'>

async function showLinks(
  { config, facts }: ReadDeps,
  propertyId: string,
  links: readonly Link[],
): Promise<ShownLink[]> {
  const ids = links.map(({ id }) => id)
  const groups = links.map((link) => link.group_id)
  const clicks = ids.length > 0 ? await countClicks(facts, propertyId, { by: 'link', ids, groups }) : undefined
  return links.map((link) => show(config, link, clicks?.get(link.id) ?? 0))
}

/** Of an address of a short domain, its code. */
function withoutOwnUrl(config: Config, word: string): string {
  const own = ownUrls(config).flatMap((url) => [`${url}/`, `${url.replace(/^https?:\/\//, '')}/`])
  const found = own.find((url) => word.toLowerCase().startsWith(url.toLowerCase()))
  return found === undefined ? word : word.slice(found.length)
}

/** What is searched for, each once. PostgreSQL takes no NUL, not even to look for it. */
export function searchWords(config: Config, text: string): string[] {
  const words = text.replaceAll('\0', '').split(/\s+/)
  return wordsOf(words.map((word) => withoutOwnUrl(config, word)).join(' '))
}

/** Newest first. Of a group that is not there, none. */
export async function listLinks(deps: ReadDeps, scope: LinkScope, query: PageQuery): Promise<Listed<ShownLink>> {
  const { propertyId, groupId } = scope
  if (groupId !== null && !isGroupId(groupId)) return { rows: [], total: 0 }
  const { rows, total } = await listLinkRows(deps.records, scope, query)
  return { rows: await showLinks(deps, propertyId, rows), total }
}

/** What of a link is known without its clicks, which are in the facts. @throws Problem('not_found') */
export async function getShortUrl(
  { config, records }: Pick<ReadDeps, 'config' | 'records'>,
  propertyId: string,
  id: string,
): Promise<{ readonly code: string; readonly short_url: string }> {
  const link = isLinkId(id) ? await findLink(records, propertyId, id) : undefined
  if (!link) throw linkNotFound()
  return show(config, link, 0)
}

/** @throws Problem('not_found') also for a deleted one and one of another property. */
export async function getLink(deps: ReadDeps, propertyId: string, id: string): Promise<ShownLink> {
  const link = isLinkId(id) ? await findLink(deps.records, propertyId, id) : undefined
  const [shown] = link ? await showLinks(deps, propertyId, [link]) : []
  if (!shown) throw linkNotFound()
  return shown
}

function changed(link: Link, change: LinkChange, destination: string | undefined): Link {
  return {
    ...link,
    ...(destination !== undefined && { destination_url: destination }),
    ...(change.name !== undefined && { name: readName(change.name) }),
    ...(change.utm !== undefined && { utm: readUtm(link.utm, change.utm) }),
    ...(change.is_active !== undefined && { is_active: change.is_active }),
  }
}

/**
 * The code goes along where it is free. Where the link comes back to, it has the code that it had there.
 * @param link with the domain that it moves to.
 */
async function moveLink(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  link: Link,
): Promise<Link> {
  let code = (await clearLeftBehind(tx, propertyId, link.id, link.domain)) ?? link.code
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!(await isCodeTaken(tx, link.domain, code))) return { ...link, code }
    code = randomCode(randomBytes)
  }
  throw new Problem('unavailable', 'No free code was found: try again.', { retryAfterSeconds: 1 })
}

const isNothing = ({ destination_url, domain, name, utm, is_active }: LinkChange): boolean =>
  [destination_url, domain, name, utm, is_active].every((value) => value === undefined)

/** @throws Problem: not_found; validation_failed for a destination that may not be. */
export async function updateLink(
  deps: LinkDeps,
  propertyId: string,
  id: string,
  change: LinkChange,
): Promise<ShownLink> {
  const { destination_url: written, domain } = change
  const destination = written === undefined ? undefined : readDestination(written, ownUrls(deps.config))
  // Counted first: an answer that cannot be given must not stand for a change that was made.
  const before = await getLink(deps, propertyId, id)
  if (isNothing(change)) return before
  return changeLinks(deps, async (tx, changeNo) => {
    const link = await findLink(tx, propertyId, id)
    if (!link) throw linkNotFound()
    const edited = changed(link, change, destination)
    if (destination !== undefined || change.utm !== undefined) checkLocation(edited.destination_url, edited.utm)
    const isMoved = domain !== undefined && domain !== link.domain
    const next = isMoved ? await moveLink(deps, tx, propertyId, { ...edited, domain }) : edited
    await updateLinkRow(tx, propertyId, next, changeNo)
    if (isMoved) await leaveBehind(tx, propertyId, link, changeNo)
    return show(deps.config, next, before.clicks)
  })
}

/** Its code answers 404 and is given to no other. Its clicks stay. @throws Problem('not_found') */
export async function removeLink(deps: LinkDeps, propertyId: string, id: string): Promise<void> {
  if (!isLinkId(id)) throw linkNotFound()
  await changeLinks(deps, async (tx, changeNo) => {
    if (!(await deleteLinkRow(tx, propertyId, id, changeNo))) throw linkNotFound()
  })
}
