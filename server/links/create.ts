// Links that are made: alone or many in one transaction, with a code of the owner's choice or a random one.
import { currentTs, type Deps } from '../kernel/deps.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId, type RandomBytes } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import { codeProblem, randomCode, readSlug } from './codes.ts'
import { checkLocation, readDestination } from './destination.ts'
import { changeLinks, type CreateDeps, isGroupId, type LinkDeps } from './groups.ts'
import type { Link, LinkGroup } from './link-model.ts'
import { type LinkDraft, ownUrls, readName, readUtm, show, type ShownLink } from './draft.ts'
import { drawChange, hasGroup, insertGroup, insertLinks } from './records.ts'

/** With a million links, the first code is free in all but one case of a million. */
const MAX_ATTEMPTS = 20
/**
 * Rows of one insert, which takes some milliseconds on SQLite, and with its own number: whoever reads the
 * changes does so in slices.
 */
const INSERT_SLICE = 200

interface NewLink extends Link {
  /** The owner chose the code: where it is taken, no other takes its place. */
  readonly isChosen: boolean
}

/** A link that is not stored yet. @throws Problem('validation_failed') */
function newLink(deps: Pick<Deps, 'config' | 'now' | 'randomBytes'>, draft: LinkDraft): NewLink {
  const chosen = readSlug(draft.code)
  const destination = readDestination(draft.destination_url, ownUrls(deps.config))
  const utm = readUtm({}, draft.utm)
  checkLocation(destination, utm)
  return {
    id: newId(deps, 'ln'),
    group_id: draft.group_id,
    name: readName(draft.name),
    domain: draft.domain,
    code: chosen ?? randomCode(deps.randomBytes),
    isChosen: chosen !== undefined,
    destination_url: destination,
    utm,
    is_active: true,
    created_ts: currentTs(deps),
  }
}

function withAnotherCode(link: NewLink, randomBytes: RandomBytes): NewLink {
  if (link.isChosen) throw codeProblem('taken')
  return { ...link, code: randomCode(randomBytes) }
}

/** Stores them all; those whose code is taken with another one. @returns them as they are stored. */
async function insertAll(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  { links, changeNo }: { readonly links: readonly NewLink[]; readonly changeNo: number },
): Promise<Link[]> {
  let drafts = [...links]
  const stored: NewLink[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const rows = drafts.map(({ isChosen: _chosen, ...link }) => link)
    const ids = await insertLinks(tx, propertyId, { links: rows, changeNo })
    stored.push(...drafts.filter(({ id }) => ids.has(id)))
    drafts = drafts.filter(({ id }) => !ids.has(id)).map((link) => withAnotherCode(link, randomBytes))
    if (drafts.length === 0) return stored
  }
  throw new Problem('unavailable', 'No free code was found: try again.', { retryAfterSeconds: 1 })
}

async function checkGroups(tx: Tx, propertyId: string, links: readonly Link[]): Promise<void> {
  for (const id of new Set(links.map((link) => link.group_id)))
    if (!isGroupId(id) || !(await hasGroup(tx, propertyId, id)))
      throw invalid('group_id', 'group_id is not a group of this property.')
}

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
