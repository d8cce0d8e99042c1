// Content blocks as their owner manages them: created, changed, archived, deleted.
import type { Deps } from '../kernel/deps.ts'
import { type Listed, offsetOf, type PageQuery } from '../kernel/page.ts'
import { invalid, propertyNotFound } from '../kernel/problem.ts'
import { hasWords, wordsOf } from '../kernel/words.ts'
import { newId } from '../kernel/secrets.ts'
import { isForeignKeyViolation, isUniqueViolation, type Records } from '../stores/records.ts'
import { blockNotFound, changeBlock, type ContentDeps, noteEdit } from './changes.ts'
import { type Block, blockIdShape, MAX_BLOCKS, type Version } from './content-model.ts'
import { readBlockChange, readBlockDraft } from './draft.ts'
import { assertGoal } from './goal-check.ts'
import { openPhase } from './history-records.ts'
import {
  type BareBlock,
  countBlocks,
  findBlock,
  insertBlock,
  listBlockNames,
  listBlockRows,
  listSketches,
  selectBlockRows,
  type VersionSketch,
} from './records.ts'
import { removeBlockRows } from './remove.ts'

/** Bytes: too many to guess, and cheap to hash. */
const SALT_BYTES = 16

/** As the management API and the command line answer it, without the salt. */
export function blockJson<Shown extends VersionSketch>(block: BareBlock & { readonly versions: readonly Shown[] }) {
  const { property_id: _property, salt: _salt, ...shown } = block
  return shown
}

async function storeBlock(deps: ContentDeps, block: Block, nowMs: number): Promise<void> {
  const { name, goal, is_archived } = block
  await deps.records.transaction().execute(async (tx) => {
    if ((await countBlocks(tx, block.property_id)) >= MAX_BLOCKS)
      throw invalid('name', `A property may have at most ${MAX_BLOCKS} content blocks: delete one first.`)
    await assertGoal(tx, block.property_id, goal)
    await insertBlock(tx, block)
    await openPhase(tx, block, { number: block.phase, started_ms: nowMs, setup: [] })
    await noteEdit(tx, deps, block, {
      version_id: null,
      edited_ms: nowMs,
      kind: 'create',
      before: null,
      after: { name, goal, is_archived },
    })
  })
}

function explained(error: unknown): unknown {
  if (isForeignKeyViolation(error)) return propertyNotFound()
  // Unique over all properties: render has only the key in its URL.
  return isUniqueViolation(error) ? invalid('key', 'key is taken: choose another one, or leave it out.') : error
}

/**
 * @param body validated here. @throws Problem: validation_failed naming the member; not_found when the
 * property is gone.
 */
export async function createBlock(deps: ContentDeps, propertyId: string, body: unknown): Promise<Block> {
  const { key, ...draft } = readBlockDraft(body)
  const nowMs = deps.now()
  const created_ts = Math.floor(nowMs / 1000)
  const block: Block = {
    id: newId(deps, 'cb'),
    property_id: propertyId,
    key: key ?? newId(deps, 'ck'),
    salt: deps.randomBytes(SALT_BYTES).toString('hex'),
    ...draft,
    phase: 1,
    created_ts,
    updated_ts: created_ts,
    versions: [],
  }
  await storeBlock(deps, block, nowMs).catch((error: unknown) => {
    throw explained(error)
  })
  deps.content.forgetKey(block.key)
  return block
}

/**
 * For management: read from the database, not from memory. @throws Problem('not_found') also for a block of
 * another property.
 */
export async function getBlock({ records }: Pick<Deps, 'records'>, propertyId: string, id: string): Promise<Block> {
  const block = blockIdShape.test(id) ? await findBlock(records, propertyId, id) : undefined
  if (!block) throw blockNotFound()
  return block
}

async function findBlocks(
  records: Records,
  propertyId: string,
  query: PageQuery,
  search: string,
): Promise<Listed<BareBlock>> {
  const words = wordsOf(search)
  if (words.length === 0)
    return { rows: await listBlockRows(records, propertyId, query), total: await countBlocks(records, propertyId) }
  const all = await listBlockNames(records, propertyId)
  const found = all.filter(({ name, key }) => hasWords(words, [name, key]))
  const first = offsetOf(query)
  const ids = found.slice(first, first + query.perPage).map(({ id }) => id)
  return { rows: await selectBlockRows(records, propertyId, ids), total: found.length }
}

/**
 * Newest first, with their versions but without the versions' HTML.
 * @param search words that must all occur in the name or the key.
 */
export async function listBlocks(
  { records }: Pick<Deps, 'records'>,
  propertyId: string,
  query: PageQuery,
  search = '',
): Promise<Listed<BareBlock & { readonly versions: readonly VersionSketch[] }>> {
  const { rows, total } = await findBlocks(records, propertyId, query, search)
  const sketches = await listSketches(
    records,
    propertyId,
    rows.map(({ id }) => id),
  )
  return { rows: rows.map((block) => ({ ...block, versions: sketches.get(block.id) ?? [] })), total }
}

/** Unchanged versions keep their objects, and so are not stored again. */
function weighted(versions: readonly Version[], weights: ReadonlyMap<string, number>): Version[] {
  return versions.map((version) => {
    const weight = weights.get(version.id) ?? version.weight
    return weight === version.weight ? version : { ...version, weight }
  })
}

/**
 * A block changed by a body of the management API; also used to undo. @throws Problem('validation_failed')
 */
export async function changedBlock(records: Deps['records'], before: Block, body: unknown): Promise<Block> {
  const { weights, ...change } = readBlockChange(before, body)
  if (change.goal !== before.goal) await assertGoal(records, before.property_id, change.goal)
  return { ...before, ...change, versions: weighted(before.versions, weights) }
}

/**
 * Changes only the members that are sent. @throws Problem: not_found; validation_failed naming the member.
 */
export async function updateBlock(deps: ContentDeps, propertyId: string, blockId: string, body: unknown) {
  return changeBlock(deps, { propertyId, blockId }, { kind: 'update', versionId: null }, (before, tx) =>
    changedBlock(tx, before, body),
  )
}

/**
 * With its versions, phases and edits; impressions stay in the facts, where nothing refers to the block any
 * more. @throws Problem('not_found')
 */
export async function removeBlock(
  deps: Pick<ContentDeps, 'records' | 'content'>,
  propertyId: string,
  id: string,
): Promise<void> {
  const isRemoved = blockIdShape.test(id) && (await removeBlockRows(deps.records, propertyId, id))
  deps.content.forget(id)
  if (!isRemoved) throw blockNotFound()
}
