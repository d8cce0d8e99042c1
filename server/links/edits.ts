// Changes of many links at once: one transaction and one entry of the history, which can be undone. What
// somebody changed since is left as it is.
import type { Deps } from '../kernel/deps.ts'
import { changedNames, type EditorId, type EditKind, type EditSide, onlyOf } from '../kernel/edits.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem, propertyNotFound } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { countEdits, type EditsOf, findEdit, insertEdit, listEditRows, type StoredEdit } from '../stores/edits.ts'
import { orNotFound } from '../stores/gone.ts'
import type { Tx } from '../stores/records.ts'
import { checkLocation } from './destination.ts'
import { isLinkId, linkNotFound, readUtm, type UtmDraft } from './draft.ts'
import { countTags, readRuledLinks, type RuledLink } from './edits-records.ts'
import { changeLinks, isGroupId, type LinkDeps } from './groups.ts'
import { changedTags, readTags, tagKey } from './labels.ts'
import { groupsOf, type Utm } from './link-model.ts'
import { findTemplate, updateLinkRow, updateLinkRules } from './records.ts'
import { isNoRules } from './rules-model.ts'

/** Links of one change: a second of one transaction at most, in which nobody else writes on SQLite. */
export const MAX_EDITED = 500
/** Of a property: the oldest above that go. */
const MOST_EDITS = 200

type EditDeps = LinkDeps & { readonly editor: EditorId }

/** What is to be changed of each; what is left out stays. */
export interface LinksChange {
  readonly add_tags?: readonly string[]
  readonly remove_tags?: readonly string[]
  readonly group_id?: string
  readonly utm?: UtmDraft | null
  /** Unix seconds; null: it does not expire. */
  readonly ends_ts?: number | null
  readonly is_archived?: boolean
}

/** What of a link can be changed together, as the history has it. */
interface Fields {
  readonly group_id: string
  readonly tags: readonly string[]
  readonly utm: Utm
  readonly ends_ts: number | null
  readonly is_archived: boolean
}

const fieldsOf = ({ link, rules }: RuledLink): Fields => ({
  group_id: link.group_id,
  tags: link.tags,
  utm: link.utm,
  ends_ts: rules.ends_ts,
  is_archived: link.is_archived,
})

const editsOf = (propertyId: string): EditsOf => ({
  table: 'link_edits',
  column: 'property_id',
  own: [],
  propertyId,
  id: propertyId,
})

/** A side of an edit: fields by the id of their link. */
type Sides = Readonly<Record<string, EditSide>>

async function checkGroup(tx: Tx, propertyId: string, id: string | undefined): Promise<void> {
  if (id === undefined) return
  if (!isGroupId(id) || !(await findTemplate(tx, propertyId, id)))
    throw invalid('group_id', 'group_id is not a group of this property.')
}

/** New tags are spelled as they are on other links. */
async function spelledTags(tx: Tx, propertyId: string, tags: readonly string[] | undefined): Promise<string[]> {
  const read = readTags('add_tags', tags)
  if (read.length === 0) return read
  const known = new Map([...(await countTags(tx, propertyId)).keys()].map((tag) => [tagKey(tag), tag]))
  return read.map((tag) => known.get(tagKey(tag)) ?? tag)
}

function changedFields(fields: Fields, { group_id, utm, ends_ts, is_archived, ...tags }: LinksChange): Fields {
  const { add_tags: added = [], remove_tags: removed = [] } = tags
  return {
    group_id: group_id ?? fields.group_id,
    tags: changedTags(fields.tags, { added, removed }),
    utm: utm === undefined ? fields.utm : readUtm(fields.utm, utm),
    ends_ts: ends_ts === undefined ? fields.ends_ts : ends_ts,
    is_archived: is_archived ?? fields.is_archived,
  }
}

interface Writing {
  readonly propertyId: string
  readonly changeNo: number
}

/** @throws Problem('validation_failed') for what the link cannot have. */
async function writeFields(tx: Tx, { propertyId, changeNo }: Writing, { link, rules }: RuledLink, fields: Fields) {
  const { ends_ts, ...own } = fields
  if (ends_ts !== null && rules.starts_ts !== null && ends_ts <= rules.starts_ts)
    throw invalid('ends_ts', `ends_ts must be later than the start of ${link.code}.`)
  checkLocation(link.destination_url, own.utm)
  const isMoved = own.group_id !== link.group_id
  const past_groups = isMoved ? groupsOf(link).filter((id) => id !== own.group_id) : link.past_groups
  await updateLinkRow(tx, propertyId, { ...link, ...own, past_groups }, changeNo)
  if (ends_ts === rules.ends_ts) return
  const changed = { ...rules, ends_ts }
  const row = { rules: isNoRules(changed) ? null : JSON.stringify(changed) }
  await updateLinkRules(tx, propertyId, { id: link.id, changeNo, row })
}

export interface Edited {
  /** Of the entry of the history; null where nothing was different. */
  readonly edit_id: string | null
  /** Links that are different now. */
  readonly changed: number
  /** Of an undo: links that were changed since, or are gone. */
  readonly skipped: number
}

/** Writes what differs, and one entry of the history for all of it. */
async function writeAll(
  deps: EditDeps,
  tx: Tx,
  { propertyId, changeNo }: Writing,
  { links, kind }: { readonly links: readonly (readonly [RuledLink, Fields])[]; readonly kind: EditKind },
): Promise<Edited> {
  const before: Record<string, EditSide> = {}
  const after: Record<string, EditSide> = {}
  for (const [ruled, fields] of links) {
    const known = { ...fieldsOf(ruled) }
    const names = changedNames(known, { ...fields })
    if (names.length === 0) continue
    await writeFields(tx, { propertyId, changeNo }, ruled, fields)
    before[ruled.link.id] = onlyOf(known, names)
    after[ruled.link.id] = onlyOf({ ...fields }, names)
  }
  const changed = Object.keys(after).length
  if (changed === 0) return { edit_id: null, changed, skipped: 0 }
  const id = newId(deps, 'le')
  const edit = { id, edited_ms: deps.now(), edited_by: deps.editor, kind, before, after }
  await insertEdit(tx, editsOf(propertyId), edit, MOST_EDITS)
  return { edit_id: id, changed, skipped: 0 }
}

/** All or none. @throws Problem: not_found for a link that is not of the property; validation_failed */
export async function editLinks(
  deps: EditDeps,
  propertyId: string,
  ids: readonly string[],
  change: LinksChange,
): Promise<Edited> {
  const wanted = [...new Set(ids)]
  if (!wanted.every(isLinkId)) throw linkNotFound()
  const work = async (tx: Tx, changeNo: number): Promise<Edited> => {
    await checkGroup(tx, propertyId, change.group_id)
    const add_tags = await spelledTags(tx, propertyId, change.add_tags)
    const found = await readRuledLinks(tx, propertyId, wanted)
    if (found.size < wanted.length) throw linkNotFound()
    const links = [...found.values()].map(
      (ruled) => [ruled, changedFields(fieldsOf(ruled), { ...change, add_tags })] as const,
    )
    return writeAll(deps, tx, { propertyId, changeNo }, { links, kind: 'update' })
  }
  return orNotFound(changeLinks(deps, work), propertyNotFound)
}

const editNotFound = (): Problem => new Problem('not_found', 'The edit is not in this property.')

/** Only what is still as the edit left it is put back. */
function undoneFields(ruled: RuledLink, before: EditSide, after: EditSide): Fields | undefined {
  const known: EditSide = { ...fieldsOf(ruled) }
  const isAsLeft = changedNames(after, known).length === 0
  return isAsLeft ? ({ ...known, ...before } as unknown as Fields) : undefined
}

async function isGroupGone(tx: Tx, propertyId: string, { group_id }: EditSide): Promise<boolean> {
  return typeof group_id === 'string' && !(await findTemplate(tx, propertyId, group_id))
}

/** Anything else cannot exist, and may hold what a database does not take. */
const editIdShape = /^le_[0-9A-Za-z]{20}$/

/** An undo is an edit of its own, and can be undone. @throws Problem('not_found') */
export async function undoLinkEdit(deps: EditDeps, propertyId: string, id: string): Promise<Edited> {
  return changeLinks(deps, async (tx, changeNo) => {
    const edit = editIdShape.test(id) ? await findEdit(tx, editsOf(propertyId), id) : undefined
    if (!edit) throw editNotFound()
    const [before, after] = [edit.before as Sides, edit.after as Sides]
    const found = await readRuledLinks(tx, propertyId, Object.keys(before))
    const links: (readonly [RuledLink, Fields])[] = []
    for (const [linkId, side] of Object.entries(before)) {
      const ruled = found.get(linkId)
      const fields = ruled && undoneFields(ruled, side, after[linkId] ?? {})
      if (ruled && fields && !(await isGroupGone(tx, propertyId, side))) links.push([ruled, fields])
    }
    const edited = await writeAll(deps, tx, { propertyId, changeNo }, { links, kind: 'undo' })
    return { ...edited, skipped: Object.keys(before).length - links.length }
  })
}

/** What changed of the first link stands for all: they were changed together. */
function shownEdit({ before, after, ...edit }: StoredEdit) {
  const [first = {}] = Object.values((after ?? {}) as Sides)
  const names = [...new Set(Object.values((after ?? {}) as Sides).flatMap((side) => Object.keys(side)))]
  const [old = {}] = Object.values((before ?? {}) as Sides)
  return {
    ...edit,
    links: Object.keys(after ?? {}).length,
    before: onlyOf({ ...nothingOf(names), ...old }, names),
    after: onlyOf({ ...nothingOf(names), ...first }, names),
  }
}

const nothingOf = (names: readonly string[]): EditSide => Object.fromEntries(names.map((name) => [name, null]))

/** Newest first. */
export async function listLinkEdits({ records }: Pick<Deps, 'records'>, propertyId: string, query: PageQuery) {
  const of = editsOf(propertyId)
  const rows = (await listEditRows(records, of, query)).map(shownEdit)
  return { rows, total: await countEdits(records, of) } satisfies Listed<unknown>
}

/** Those of the most links first. */
export async function listTags({ records }: Pick<Deps, 'records'>, propertyId: string) {
  const counts = [...(await countTags(records, propertyId))].map(([name, links]) => ({ name, links }))
  return counts.toSorted((a, b) => b.links - a.links || a.name.localeCompare(b.name, 'en'))
}
