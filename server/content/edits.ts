// The history of a content block: every edit can be read and undone. Undoing is an edit as well.
import type { Deps } from '../kernel/deps.ts'
import type { Listed, PageQuery } from '../kernel/page.ts'
import { invalid, Problem } from '../kernel/problem.ts'
import { countEdits, findEdit, listEditRows } from '../stores/edits.ts'
import type { Tx } from '../stores/records.ts'
import { changedBlock, getBlock } from './blocks.ts'
import { changeBlock, type ContentDeps } from './changes.ts'
import { type Block, editIdShape } from './content-model.ts'
import { readVersionChange, readVersionDraft } from './draft.ts'
import { countPhases, type Edit, editsOf, listPhaseRows, type Phase } from './history-records.ts'
import { addVersion, assertRoom, type Owner, replaceVersion, withoutVersion } from './versions.ts'

/** Newest first. @throws Problem('not_found') */
export async function listEdits(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  blockId: string,
  query: PageQuery,
): Promise<Listed<Edit>> {
  const block = await getBlock({ records }, propertyId, blockId)
  const of = editsOf(block)
  return { rows: await listEditRows(records, of, query), total: await countEdits(records, of) }
}

/** Newest first. @throws Problem('not_found') */
export async function listPhases(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  blockId: string,
  query: PageQuery,
): Promise<Listed<Phase>> {
  const block = await getBlock({ records }, propertyId, blockId)
  return { rows: await listPhaseRows(records, block, query), total: await countPhases(records, block) }
}

/** A block after an undo, and what today's policy of the property removed from its HTML. */
export interface Undone {
  readonly block: Block
  readonly removed: readonly string[]
}

const impossible = (sentence: string): Problem => invalid('edit', sentence)

/** Of a version, not of the block itself. */
type VersionEdit = Edit & { readonly version_id: string }

async function blockUndone(tx: Tx, block: Block, { before }: Edit): Promise<Undone> {
  if (before === null) throw impossible('The creation of a content block cannot be undone: delete the block.')
  return { block: await changedBlock(tx, block, before), removed: [] }
}

function versionUndone(owner: Owner, block: Block, edit: VersionEdit, nowMs: number): Undone {
  const { version_id: versionId, before, after } = edit
  const version = block.versions.find(({ id }) => id === versionId)
  if (before === null) {
    if (!version) throw impossible('The version is not in use any more.')
    return { block: withoutVersion(block, versionId), removed: [] }
  }
  if (after === null) {
    if (version) throw impossible('The version is in use again already.')
    assertRoom(block)
    const { draft, removed } = readVersionDraft(owner.content_policy, before)
    return { block: addVersion(block, versionId, draft, nowMs), removed }
  }
  if (!version) throw impossible('The version is not in use any more: undo its deletion first.')
  const { draft, removed } = readVersionChange(owner.content_policy, version, before)
  return { block: replaceVersion(block, versionId, draft), removed }
}

/**
 * Restores what was before the edit, whatever came after it; fields that the edit did not change stay as they
 * are. A deleted version returns with its id and its position.
 * @throws Problem: not_found; validation_failed with a sentence when it is no longer possible.
 */
export async function undoEdit(deps: ContentDeps, owner: Owner, blockId: string, editId: string): Promise<Undone> {
  const block = await getBlock(deps, owner.id, blockId)
  const edit = editIdShape.test(editId) ? await findEdit(deps.records, editsOf(block), editId) : undefined
  if (!edit) throw new Problem('not_found', 'This change was not found, or is no longer kept.')
  const { version_id: versionId } = edit
  let removed: readonly string[] = []
  const stored = await changeBlock(
    deps,
    { propertyId: owner.id, blockId },
    { kind: 'undo', versionId },
    async (before, tx) => {
      const undone =
        versionId === null
          ? await blockUndone(tx, before, edit)
          : versionUndone(owner, before, { ...edit, version_id: versionId }, deps.now())
      removed = undone.removed
      return undone.block
    },
  )
  return { block: stored, removed }
}
