// Every change of a content block is one transaction: it stores the block, the phase that begins with it, and
// the edit, which can be undone.
import type { Deps } from '../kernel/deps.ts'
import { changedNames, type EditorId, type EditSide, onlyOf } from '../kernel/edits.ts'
import { Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import { insertEdit } from '../stores/edits.ts'
import type { Tx } from '../stores/records.ts'
import { type Block, blockIdShape, MAX_EDITS, type Version } from './content-model.ts'
import type { ContentDirectory } from './directory.ts'
import { type Edit, editsOf, openPhase, relabelPhase, type Share } from './history-records.ts'
import { dropVersion, findBlock, findBlockToChange, storeVersion, updateBlockRow } from './records.ts'

/**
 * `editor`: the author of the change, for the history. `content`: this node's directory, notified of each
 * change; the command line has none and passes `noContentDirectory`.
 */
export interface ContentDeps extends Pick<Deps, 'records' | 'now' | 'randomBytes'> {
  readonly content: Pick<ContentDirectory, 'forget' | 'forgetKey'>
  readonly editor: EditorId
}

/** A running server notices the change within two seconds. */
export const noContentDirectory: ContentDeps['content'] = { forget: () => undefined, forgetKey: () => undefined }

export const blockNotFound = () => new Problem('not_found', 'The content block is not in this property.')

/** What an edit is about; one request makes one edit. */
export interface EditOf {
  readonly kind: Edit['kind']
  /** null: the block itself, including the weights of its versions. */
  readonly versionId: string | null
}

// ---------------------------------------------------------------- phases

/** What the choice of a version depends on. */
export const setupOf = ({ versions }: Pick<Block, 'versions'>): Share[] =>
  versions.filter((version) => version.is_active).map(({ id, label, weight }) => ({ version_id: id, label, weight }))

/** Everything that makes a difference to visitors: blocks with the same offer belong to the same phase. */
const offerOf = ({ versions }: Block): string =>
  JSON.stringify(
    versions.filter((version) => version.is_active).map(({ id, weight, html, ctas }) => [id, weight, html, ctas]),
  )

// ---------------------------------------------------------------- edits

const versionSide = (version: Version | undefined): EditSide | null =>
  version
    ? {
        label: version.label,
        html: version.html,
        ctas: version.ctas,
        weight: version.weight,
        is_active: version.is_active,
      }
    : null

/** Only weights of versions that the other has too: adding or removing a version is an edit of its own. */
const blockSide = (block: Block, other: Block): EditSide => ({
  name: block.name,
  goal: block.goal,
  is_archived: block.is_archived,
  ...Object.fromEntries(
    block.versions
      .filter(({ id }) => other.versions.some((version) => version.id === id))
      .map(({ id, weight }) => [`weights.${id}`, weight]),
  ),
})

/** Puts `weights.{id}` together under `weights`, as a request spells it. */
function gathered(side: EditSide): EditSide {
  const entries = Object.entries(side)
  const weights = entries.filter(([name]) => name.startsWith('weights.'))
  return {
    ...Object.fromEntries(entries.filter(([name]) => !name.startsWith('weights.'))),
    ...(weights.length > 0 && {
      weights: Object.fromEntries(weights.map(([name, weight]) => [name.slice('weights.'.length), weight])),
    }),
  }
}

/** Undefined when nothing changed. */
function sidesOf(before: Block, after: Block, versionId: string | null): Pick<Edit, 'before' | 'after'> | undefined {
  const [left, right] =
    versionId === null
      ? [blockSide(before, after), blockSide(after, before)]
      : [before, after].map(({ versions }) => versionSide(versions.find(({ id }) => id === versionId)))
  if (!left || !right) return left || right ? { before: left ?? null, after: right ?? null } : undefined
  const names = changedNames(left, right)
  if (names.length === 0) return undefined
  return { before: gathered(onlyOf(left, names)), after: gathered(onlyOf(right, names)) }
}

// ---------------------------------------------------------------- storing

async function storeVersions(tx: Tx, before: Block, after: Block, nowTs: number): Promise<void> {
  const known = new Map(before.versions.map((version) => [version.id, version]))
  for (const version of after.versions) {
    if (version !== known.get(version.id)) await storeVersion(tx, after, { ...version, updated_ts: nowTs })
    known.delete(version.id)
  }
  for (const id of known.keys()) await dropVersion(tx, after, id, nowTs)
}

async function storePhase(tx: Tx, before: Block, after: Block, nowMs: number): Promise<void> {
  const setup = setupOf(after)
  if (after.phase !== before.phase) await openPhase(tx, after, { number: after.phase, started_ms: nowMs, setup })
  else await relabelPhase(tx, after, setup)
}

/** Part of the change's transaction. */
export const noteEdit = (
  tx: Tx,
  deps: Pick<ContentDeps, 'randomBytes' | 'editor'>,
  block: Block,
  edit: Omit<Edit, 'id' | 'edited_by'>,
): Promise<void> =>
  insertEdit(tx, editsOf(block), { id: newId(deps, 'ce'), edited_by: deps.editor, ...edit }, MAX_EDITS)

/** @returns the block as it is stored; the same block when the change changes nothing. */
async function storeChange(
  tx: Tx,
  deps: ContentDeps,
  { before, after }: { readonly before: Block; readonly after: Block },
  { kind, versionId }: EditOf,
): Promise<Block> {
  const sides = sidesOf(before, after, versionId)
  if (!sides) return before
  const nowMs = deps.now()
  const nowTs = Math.floor(nowMs / 1000)
  const phase = offerOf(before) === offerOf(after) ? before.phase : before.phase + 1
  const block = { ...after, phase, updated_ts: nowTs }
  await storeVersions(tx, before, block, nowTs)
  await updateBlockRow(tx, block)
  // Read again: a restored version returns to its old position, and results compare all versions with the
  // first one.
  const stored = (await findBlock(tx, block.property_id, block.id)) ?? block
  await storePhase(tx, before, stored, nowMs)
  await noteEdit(tx, deps, stored, { version_id: versionId, edited_ms: nowMs, kind, ...sides })
  return stored
}

/**
 * Changes of one block take turns, over all nodes: each starts from the result of the one before, so that no
 * phase is skipped or counted twice.
 * @param change returns the block as it should be; it keeps the objects of unchanged versions.
 * @throws Problem('not_found'), and whatever `change` throws: then nothing is stored.
 */
export async function changeBlock(
  deps: ContentDeps,
  { propertyId, blockId }: { readonly propertyId: string; readonly blockId: string },
  editOf: EditOf,
  change: (before: Block, tx: Tx) => Block | Promise<Block>,
): Promise<Block> {
  const block = await deps.records.transaction().execute(async (tx) => {
    const before = blockIdShape.test(blockId) ? await findBlockToChange(tx, propertyId, blockId) : undefined
    if (!before) throw blockNotFound()
    return storeChange(tx, deps, { before, after: await change(before, tx) }, editOf)
  })
  deps.content.forget(blockId)
  return block
}
