// Short links: a code that leads to a destination. Their rules; what a visitor of one meets is the
// redirect's.
import { type Config, linkUrl } from '../config.ts'
import type { Deps } from '../kernel/deps.ts'
import type { PageAsk } from '../kernel/page.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { wordsOf } from '../kernel/words.ts'
import type { Listed } from '../properties/properties.ts'
import { randomText } from '../kernel/secrets.ts'
import { isForeignKeyViolation, type Tx } from '../stores/records.ts'
import { randomCode } from './codes.ts'
import { checkLocation, readDestination } from './destination.ts'
import { countClicks } from '../clicks/facts.ts'
import { changeLinks, type CreateDeps, isGroupId, type LinkDeps, nowTs } from './groups.ts'
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
  updateLinkRow,
} from './records.ts'

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

const ID_LENGTH = 20
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
    id: `ln_${randomText(deps.randomBytes, ID_LENGTH)}`,
    group_id: draft.group_id,
    name: readName(draft.name),
    domain: draft.domain,
    code: randomCode(deps.randomBytes),
    destination_url: destination,
    utm,
    is_active: true,
    created_ts: nowTs(deps),
  }
}

/** Stores them all; those whose code is taken with another one. @returns them as they are stored. */
async function insertAll(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  links: readonly Link[],
  changeNo: number,
): Promise<Link[]> {
  let drafts = [...links]
  const stored: Link[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const ids = await insertLinks(tx, propertyId, drafts, changeNo)
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

/**
 * All or none, in one transaction, in the given order.
 * @param groups made by newGroup, and stored along: drafts may name their ids.
 * @param onStored told after each slice how many links are stored so far.
 * @throws Problem('validation_failed')
 */
export async function createLinks(
  deps: CreateDeps,
  propertyId: string,
  drafts: readonly LinkDraft[],
  groups: readonly LinkGroup[] = [],
  onStored: (count: number) => void = () => undefined,
): Promise<ShownLink[]> {
  const links = drafts.map((draft) => newLink(deps, draft))
  const stored = new Map<string, Link>()
  const work = async (tx: Tx, changeNo: number): Promise<void> => {
    for (const group of groups) await insertGroup(tx, propertyId, group, changeNo)
    await checkGroups(tx, propertyId, links)
    for (let at = 0; at < links.length; at += INSERT_SLICE) {
      const sliceNo = at === 0 ? changeNo : await drawChange(tx)
      const slice = await insertAll(deps, tx, propertyId, links.slice(at, at + INSERT_SLICE), sliceNo)
      for (const link of slice) stored.set(link.id, link)
      onStored(stored.size)
    }
  }
  await changeLinks(deps, work).catch((error: unknown) => {
    throw isForeignKeyViolation(error) ? new Problem('not_found', 'Property not found.') : error
  })
  return links.map(({ id }) => show(deps.config, stored.get(id)!, 0))
}

export async function createLink(deps: LinkDeps, propertyId: string, draft: LinkDraft): Promise<ShownLink> {
  const [link] = await createLinks(deps, propertyId, [draft])
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

/**
 * Newest first.
 * @param groupId null: of every group; of one that is not there, none.
 * @param words all of them are in the name, the code or the destination.
 */
export async function listLinks(
  deps: ReadDeps,
  propertyId: string,
  groupId: string | null,
  ask: PageAsk,
  words: readonly string[] = [],
): Promise<Listed<ShownLink>> {
  if (groupId !== null && !isGroupId(groupId)) return { rows: [], total: 0 }
  const { rows, total } = await listLinkRows(deps.records, { propertyId, groupId, words }, ask)
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

/** The code goes along where it is free. Where the link comes back to, it has the code that it had there. */
async function moveLink(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  link: Link,
  domain: Domain,
): Promise<Link> {
  let code = (await clearLeftBehind(tx, propertyId, link.id, domain)) ?? link.code
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (!(await isCodeTaken(tx, domain, code))) return { ...link, domain, code }
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
    const next = isMoved ? await moveLink(deps, tx, propertyId, edited, domain) : edited
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
