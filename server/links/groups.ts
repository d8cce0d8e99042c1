// Link groups: what a campaign's links have in common. An archived one rests, its links answer 404; a deleted
// one is gone with its links.
import { currentTs, type Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { cleanText } from '../kernel/text.ts'
import { newId } from '../kernel/secrets.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import type { LinkDirectory } from '../redirect/directory.ts'
import { countClicks } from '../clicks/facts.ts'
import { readUtm, type UtmDraft } from './draft.ts'
import {
  type GroupState,
  type LinkGroup,
  MAX_DESCRIPTION,
  MAX_GROUP_NAME,
  type Purpose,
  shownGroup,
  type Utm,
  utmNames,
} from './link-model.ts'
import {
  deleteGroupRow,
  drawChange,
  findGroup,
  type GroupFields,
  insertGroup,
  listGroupRows,
  updateGroupRow,
} from './records.ts'
import { placeholders, unknownPlaceholder } from './utm-template.ts'

/**
 * `links`: this node's directory, told of each change; a command line, which has none, hands over
 * `noDirectory`.
 */
export interface LinkDeps extends Pick<Deps, 'config' | 'records' | 'facts' | 'now' | 'randomBytes' | 'log'> {
  readonly links: Pick<LinkDirectory, 'refresh'>
}

/** To create, nothing is asked of the facts: the command line does so beside a running server. */
export type CreateDeps = Omit<LinkDeps, 'facts'>

export const noDirectory: Pick<LinkDirectory, 'refresh'> = { refresh: async () => undefined }

export type ShownGroup = ReturnType<typeof shownGroup>

/** Checked by a schema. */
export interface GroupDraft {
  readonly name: string
  readonly description?: string | null
  readonly purpose?: Purpose
  readonly track_clicks?: boolean
  readonly utm_template?: UtmDraft | null
}

/** A key that is not there is left as it is. */
export interface GroupChange extends Partial<GroupDraft> {
  readonly state?: GroupState
}

export const groupNotFound = (): Problem => new Problem('not_found', 'The group is not in this property.')

const idShape = /^lg_[\w-]{1,64}$/

export const isGroupId = (text: string): boolean => idShape.test(text)

/**
 * One transaction that is one change. Afterwards this node's redirects know of it; should that fail, they
 * will by the next poll.
 */
export async function changeLinks<T>(
  { records, links, log }: Pick<LinkDeps, 'records' | 'links' | 'log'>,
  work: (tx: Tx, changeNo: number) => Promise<T>,
): Promise<T> {
  const done = await records.transaction().execute(async (tx) => work(tx, await drawChange(tx)))
  await links.refresh().catch((error: unknown) => log.warn({ err: error }, 'short links are refreshed later'))
  return done
}

/** What shows: neither blanks nor what has no shape, such as controls, joiners and fillers. */
const visible = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

export const isVisible = (text: string): boolean => visible.test(text)

function readName(text: string): string {
  const name = cleanText(text, MAX_GROUP_NAME).trim()
  if (!isVisible(name)) throw invalid('name', 'name may not be empty.')
  return name
}

const readDescription = (text: string | null): string | null => cleanText(text ?? '', MAX_DESCRIPTION).trim() || null

/** @throws Problem('validation_failed') for a word in braces that is no placeholder. */
function readTemplate(before: Utm, draft: UtmDraft | null): Utm {
  const template = readUtm(before, draft)
  for (const name of utmNames) {
    const unknown = unknownPlaceholder(template[name] ?? '')
    if (unknown === undefined) continue
    const known = placeholders.map((word) => `{${word}}`).join(', ')
    throw invalid(`utm_template.${name}`, `utm_template.${name} may have no placeholders but ${known}.`)
  }
  return template
}

/**
 * A group that is not stored yet, with the id that it is going to have. @throws Problem('validation_failed')
 */
export function newGroup(deps: Pick<Deps, 'now' | 'randomBytes'>, draft: GroupDraft): LinkGroup {
  return {
    id: newId(deps, 'lg'),
    name: readName(draft.name),
    description: readDescription(draft.description ?? null),
    purpose: draft.purpose ?? 'campaign',
    state: 'active',
    track_clicks: draft.track_clicks ?? true,
    utm_template: readTemplate({}, draft.utm_template ?? null),
    created_ts: currentTs(deps),
    count_links: 0,
  }
}

export async function createGroup(deps: CreateDeps, propertyId: string, draft: GroupDraft): Promise<ShownGroup> {
  const group = newGroup(deps, draft)
  const work = changeLinks(deps, (tx, changeNo) => insertGroup(tx, propertyId, group, changeNo))
  await orNotFound(work, propertyNotFound)
  return shownGroup(group, 0)
}

async function showGroups(
  { facts }: Pick<Deps, 'facts'>,
  propertyId: string,
  groups: readonly LinkGroup[],
): Promise<ShownGroup[]> {
  const ids = groups.map(({ id }) => id)
  const clicks = ids.length > 0 ? await countClicks(facts, propertyId, { by: 'link_group', ids }) : undefined
  return groups.map((group) => shownGroup(group, clicks?.get(group.id) ?? 0))
}

/** Newest first. */
export async function listGroups(
  deps: Pick<Deps, 'records' | 'facts'>,
  propertyId: string,
  query: PageQuery,
): Promise<Listed<ShownGroup>> {
  const { rows, total } = await listGroupRows(deps.records, propertyId, query)
  return { rows: await showGroups(deps, propertyId, rows), total }
}

/** @throws Problem('not_found') also for a deleted one and one of another property. */
export async function getGroup(
  deps: Pick<Deps, 'records' | 'facts'>,
  propertyId: string,
  id: string,
): Promise<ShownGroup> {
  const group = isGroupId(id) ? await findGroup(deps.records, propertyId, id) : undefined
  const [shown] = group ? await showGroups(deps, propertyId, [group]) : []
  if (!shown) throw groupNotFound()
  return shown
}

function readChange(
  before: Utm,
  { name, description, purpose, track_clicks, utm_template, state }: GroupChange,
): GroupFields {
  return {
    ...(name !== undefined && { name: readName(name) }),
    ...(description !== undefined && { description: readDescription(description) }),
    ...(purpose !== undefined && { purpose }),
    ...(track_clicks !== undefined && { track_clicks }),
    ...(utm_template !== undefined && { utm_template: readTemplate(before, utm_template) }),
    ...(state !== undefined && { state }),
  }
}

/** @throws Problem: not_found; validation_failed for a blank name. */
export async function updateGroup(
  deps: LinkDeps,
  propertyId: string,
  id: string,
  change: GroupChange,
): Promise<ShownGroup> {
  // Counted first: an answer that cannot be given must not stand for a change that was made.
  const before = await getGroup(deps, propertyId, id)
  const fields = readChange(readUtm({}, before.utm_template), change)
  if (Object.keys(fields).length === 0) return before
  return changeLinks(deps, async (tx, changeNo) => {
    const group = await updateGroupRow(tx, propertyId, before, { ...fields, change_no: changeNo })
    if (!group) throw groupNotFound()
    return shownGroup(group, before.count_clicks)
  })
}

/** Its links are gone with it: their codes answer 404. Its clicks stay. @throws Problem('not_found') */
export async function removeGroup(deps: LinkDeps, propertyId: string, id: string): Promise<void> {
  if (!isGroupId(id)) throw groupNotFound()
  await changeLinks(deps, async (tx, changeNo) => {
    if (!(await deleteGroupRow(tx, propertyId, id, changeNo))) throw groupNotFound()
  })
}
