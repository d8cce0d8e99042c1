// The versions of a content block, of which each visitor is shown one.
import { invalid, Problem } from '../kernel/problem.ts'
import { newId } from '../kernel/secrets.ts'
import type { Property } from '../properties/properties.ts'
import type { Tx } from '../stores/records.ts'
import { changeBlock, type ContentDeps } from './changes.ts'
import { type Block, MAX_MADE_VERSIONS, MAX_VERSIONS, type Version } from './content-model.ts'
import { readVersionChange, readVersionDraft, type VersionDraft } from './draft.ts'
import { countMadeVersions } from './records.ts'

/** `content_policy`: which HTML is allowed. */
export type Owner = Pick<Property, 'id' | 'content_policy'>

/** A version as it was stored, and what the property's policy removed from its HTML. */
export interface SavedVersion {
  readonly version: Version
  readonly removed: readonly string[]
}

const notFound = () => new Problem('not_found', 'The version is not in this content block.')

/** @throws Problem('not_found') */
export function getVersion({ versions }: Pick<Block, 'versions'>, id: string): Version {
  const version = versions.find((each) => each.id === id)
  if (!version) throw notFound()
  return version
}

/** @throws Problem('validation_failed') */
export function assertRoom({ versions }: Block): void {
  if (versions.length >= MAX_VERSIONS)
    throw invalid('label', `A content block may have at most ${MAX_VERSIONS} versions: delete one first.`)
}

async function assertFewMade(tx: Tx, block: Block): Promise<void> {
  if ((await countMadeVersions(tx, block)) >= MAX_MADE_VERSIONS)
    throw invalid(
      'label',
      `At most ${MAX_MADE_VERSIONS} versions can be created in a content block over time. Create another block.`,
    )
}

/** The times are set when it is stored. */
export const addVersion = (block: Block, id: string, draft: VersionDraft, nowMs: number): Block => {
  const created_ts = Math.floor(nowMs / 1000)
  return { ...block, versions: [...block.versions, { id, ...draft, created_ts, updated_ts: created_ts }] }
}

export const replaceVersion = (block: Block, id: string, draft: VersionDraft): Block => ({
  ...block,
  versions: block.versions.map((version) => (version.id === id ? { ...version, ...draft } : version)),
})

export const withoutVersion = (block: Block, id: string): Block => ({
  ...block,
  versions: block.versions.filter((version) => version.id !== id),
})

/**
 * An active version is shown from now on, in a new phase. @throws Problem: not_found; validation_failed
 * naming the member.
 */
export async function createVersion(
  deps: ContentDeps,
  owner: Owner,
  blockId: string,
  body: unknown,
): Promise<SavedVersion> {
  const { draft, removed } = readVersionDraft(owner.content_policy, body)
  const versionId = newId(deps, 've')
  const of = { propertyId: owner.id, blockId }
  const block = await changeBlock(deps, of, { kind: 'create', versionId }, async (before, tx) => {
    assertRoom(before)
    await assertFewMade(tx, before)
    return addVersion(before, versionId, draft, deps.now())
  })
  return { version: getVersion(block, versionId), removed }
}

/**
 * Changes only the members that are sent. @throws Problem: not_found; validation_failed naming the member.
 */
export async function updateVersion(
  deps: ContentDeps,
  owner: Owner,
  { blockId, versionId }: { readonly blockId: string; readonly versionId: string },
  body: unknown,
): Promise<SavedVersion> {
  let removed: readonly string[] = []
  const of = { propertyId: owner.id, blockId }
  const block = await changeBlock(deps, of, { kind: 'update', versionId }, (before) => {
    const change = readVersionChange(owner.content_policy, getVersion(before, versionId), body)
    removed = change.removed
    return replaceVersion(before, versionId, change.draft)
  })
  return { version: getVersion(block, versionId), removed }
}

/** Deletes a version; undoing the edit restores it. Its impressions stay. @throws Problem('not_found') */
export async function removeVersion(
  deps: ContentDeps,
  propertyId: string,
  { blockId, versionId }: { readonly blockId: string; readonly versionId: string },
): Promise<void> {
  await changeBlock(deps, { propertyId, blockId }, { kind: 'delete', versionId }, (before) => {
    getVersion(before, versionId)
    return withoutVersion(before, versionId)
  })
}
