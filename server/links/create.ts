// Links that are made: alone or many in one transaction, with a code of the owner's choice or a random one.
import { currentTs, type Deps } from '../kernel/deps.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId, type RandomBytes } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import { codeProblem, randomCode, readSlug } from './codes.ts'
import { checkLocation, readDestination, type ShortUrls } from './destination.ts'
import { readNotes, readTags } from './labels.ts'
import { changeLinks, type CreateDeps, isGroupId, type LinkDeps } from './groups.ts'
import type { Link, LinkGroup, Utm } from './link-model.ts'
import { type ImportedDraft, type LinkDraft, readName, readUtm, shortUrls, show, type ShownLink } from './draft.ts'
import type { OwnHosts } from './domain-model.ts'
import { ownHostsOf } from './domain-records.ts'
import { drawChange, findTemplate, insertGroup, insertLinks } from './records.ts'
import { isNoRules, type LinkRules } from './rules-model.ts'
import { filledTemplate, withTemplate } from './utm-template.ts'

/** With a million links, the first code is free in all but one case of a million. */
const MAX_ATTEMPTS = 20
/**
 * Rows of one insert, which takes some milliseconds on SQLite, and with its own number: whoever reads the
 * changes does so in slices.
 */
const INSERT_SLICE = 200

interface NewLink extends Link {
  /** As it was asked for, before the template of the group. */
  readonly asked: LinkDraft['utm']

  /** The owner chose the code: where it is taken, no other takes its place. */
  readonly isChosen: boolean

  readonly rules: string | null
  readonly uses: number
}

interface Where {
  readonly short: ShortUrls
  /** Of the property: new links live there. */
  readonly hosts: OwnHosts
}

/** Clicks on a split are compared from now on. */
function storedRules({ now }: Pick<Deps, 'now'>, rules: LinkRules | undefined): string | null {
  if (!rules || isNoRules(rules)) return null
  return JSON.stringify(rules.split.length === 0 ? rules : { ...rules, split_ms: now() })
}

/** A link that is not stored yet. @throws Problem('validation_failed') */
function newLink(deps: Pick<Deps, 'now' | 'randomBytes'>, draft: ImportedDraft, { short, hosts }: Where): NewLink {
  const { isKept, createdTs, isActive = true, isArchived = false, rules, uses = 0, hadPassword } = draft.told ?? {}
  const chosen = readSlug(draft.code, isKept)
  const destination = readDestination(draft.destination_url, short)
  const utm = readUtm({}, draft.utm)
  checkLocation(destination, utm)
  return {
    id: newId(deps, 'ln'),
    group_id: draft.group_id,
    name: readName(draft.name),
    domain: draft.domain,
    host: hosts.get(draft.domain) ?? null,
    code: chosen ?? randomCode(deps.randomBytes),
    isChosen: chosen !== undefined,
    destination_url: destination,
    utm,
    asked: draft.utm,
    is_active: isActive && hadPassword !== true,
    tags: readTags('tags', draft.tags),
    notes: readNotes(draft.notes),
    is_archived: isArchived,
    past_groups: [],
    created_ts: createdTs ?? currentTs(deps),
    rules: storedRules(deps, rules),
    uses,
  }
}

/** Names and templates of groups by their ids. */
type Templates = ReadonlyMap<string, { readonly name: string; readonly template: Utm }>

/**
 * Where the group has a template, with its values.
 * @throws Problem('validation_failed') where they are too long.
 */
function templated(link: NewLink, templates: Templates): NewLink {
  const group = templates.get(link.group_id)
  if (!group || Object.keys(group.template).length === 0) return link
  const filled = filledTemplate(group.template, { code: link.code, name: link.name, group: group.name })
  const utm = readUtm({}, withTemplate(link.asked, filled))
  checkLocation(link.destination_url, utm)
  return { ...link, utm }
}

function withAnotherCode(link: NewLink, randomBytes: RandomBytes): NewLink {
  if (link.isChosen) throw codeProblem('taken')
  return { ...link, code: randomCode(randomBytes) }
}

interface NewSlice {
  readonly links: readonly NewLink[]
  readonly changeNo: number
  readonly templates: Templates
}

/** Stores them all; those whose code is taken with another one. @returns them as they are stored. */
async function insertAll(
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  tx: Tx,
  propertyId: string,
  { links, changeNo, templates }: NewSlice,
): Promise<Link[]> {
  let drafts = links.map((link) => templated(link, templates))
  const stored: NewLink[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const rows = drafts.map(({ isChosen: _chosen, asked: _asked, ...link }) => link)
    const ids = await insertLinks(tx, propertyId, { links: rows, changeNo })
    stored.push(...drafts.filter(({ id }) => ids.has(id)))
    drafts = drafts
      .filter(({ id }) => !ids.has(id))
      .map((link) => templated(withAnotherCode(link, randomBytes), templates))
    if (drafts.length === 0) return stored
  }
  throw new Problem('unavailable', 'No free code was found. Try again.', { retryAfterSeconds: 1 })
}

/** @throws Problem('validation_failed') for a group that is not of the property. */
async function readTemplates(tx: Tx, propertyId: string, links: readonly Link[]): Promise<Templates> {
  const templates = new Map<string, { readonly name: string; readonly template: Utm }>()
  for (const id of new Set(links.map((link) => link.group_id))) {
    const group = isGroupId(id) ? await findTemplate(tx, propertyId, id) : undefined
    if (!group) throw invalid('group_id', 'group_id is not a group of this property.')
    templates.set(id, group)
  }
  return templates
}

/** What is created together. */
export interface NewLinks {
  readonly drafts: readonly ImportedDraft[]
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
  const where = { short: await shortUrls(deps), hosts: await ownHostsOf(deps.records, propertyId) }
  const links = drafts.map((draft) => newLink(deps, draft, where))
  const stored = new Map<string, Link>()
  const work = async (tx: Tx, changeNo: number): Promise<void> => {
    for (const group of groups) await insertGroup(tx, propertyId, group, changeNo)
    const templates = await readTemplates(tx, propertyId, links)
    for (let at = 0; at < links.length; at += INSERT_SLICE) {
      const sliceNo = at === 0 ? changeNo : await drawChange(tx)
      const slice = { links: links.slice(at, at + INSERT_SLICE), changeNo: sliceNo, templates }
      for (const link of await insertAll(deps, tx, propertyId, slice)) stored.set(link.id, link)
      onStored(stored.size)
    }
  }
  await orNotFound(changeLinks(deps, work), propertyNotFound)
  return links.map(({ id }) => show(deps.config, stored.get(id)!, 0))
}

export async function createLink(deps: LinkDeps, propertyId: string, draft: LinkDraft): Promise<ShownLink> {
  // A body may hold anything beside what its schema names.
  const { told: _told, ...asked }: ImportedDraft = draft
  const [link] = await createLinks(deps, propertyId, { drafts: [asked] })
  return link!
}
