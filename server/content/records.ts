// The statements about content blocks and their current versions. Rows are parsed here: past this file goals
// and ctas are objects. A block is read with its versions in one statement, so that phase and versions always
// fit together.
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import type { ContentBlockTable, ContentVersionTable } from '../stores/tables/content-tables.ts'
import type { Records, Tx } from '../stores/records.ts'
import type { Block, Cta, Goal, Version } from './content-model.ts'

const versionColumns = ['id', 'label', 'html', 'ctas', 'weight', 'is_active', 'created_ts', 'updated_ts'] as const

type BlockRow = Omit<ContentBlockTable, 'seq'>

const blockColumns = [
  'id',
  'property_id',
  'key',
  'name',
  'salt',
  'goal',
  'is_archived',
  'phase',
  'created_ts',
  'updated_ts',
] as const

type VersionRow = Pick<ContentVersionTable, (typeof versionColumns)[number]>

const toVersion = (row: VersionRow): Version => ({
  ...row,
  ctas: JSON.parse(row.ctas) as Cta[],
  is_active: row.is_active === 1,
})

const toVersionRow = (version: Version): VersionRow => ({
  ...version,
  ctas: JSON.stringify(version.ctas),
  is_active: Number(version.is_active),
})

/** A block without its versions. */
export type BareBlock = Omit<Block, 'versions'>

const toBlock = (row: BlockRow): BareBlock => ({
  ...row,
  goal: JSON.parse(row.goal) as Goal,
  is_archived: row.is_archived === 1,
})

const toBlockRow = ({ versions: _versions, ...block }: Block): BlockRow => ({
  ...block,
  goal: JSON.stringify(block.goal),
  is_archived: Number(block.is_archived),
})

// ---------------------------------------------------------------- a block with its versions

/** One row per version; a block without versions gives one row with nulls. */
function joined(records: Records) {
  return records
    .selectFrom('content_blocks as block')
    .leftJoin('content_versions as version', (join) =>
      join.onRef('version.block_id', '=', 'block.id').on('version.is_deleted', '=', 0),
    )
    .select(blockColumns.map((column) => `block.${column}` as const))
    .select(versionColumns.map((column) => `version.${column} as version_${column}` as const))
    .orderBy('version.seq')
}

type JoinedRow = Awaited<ReturnType<ReturnType<typeof joined>['execute']>>[number]

function versionIn(row: JoinedRow): Version | undefined {
  if (row.version_id === null) return undefined
  const entries = versionColumns.map((column) => [column, row[`version_${column}`]])
  return toVersion(Object.fromEntries(entries) as VersionRow)
}

function blockIn(rows: readonly JoinedRow[]): Block {
  const entries = blockColumns.map((column) => [column, rows[0]?.[column]])
  return {
    ...toBlock(Object.fromEntries(entries) as BlockRow),
    versions: rows.flatMap((row) => versionIn(row) ?? []),
  }
}

/** Of any property: for the content flow. */
export async function selectBlocks(
  records: Records,
  column: 'key' | 'id',
  texts: readonly string[],
): Promise<Map<string, Block>> {
  const rows = await joined(records).where(`block.${column}`, 'in', texts).execute()
  const byText = Map.groupBy(rows, (row) => row[column])
  return new Map([...byText].map(([text, ofBlock]) => [text, blockIn(ofBlock)]))
}

export async function findBlock(records: Records, propertyId: string, id: string): Promise<Block | undefined> {
  const rows = await joined(records).where('block.property_id', '=', propertyId).where('block.id', '=', id).execute()
  return rows.length === 0 ? undefined : blockIn(rows)
}

/**
 * Updates the block first, which locks it: a concurrent change waits, and then reads the result of this one.
 */
export async function findBlockToChange(tx: Tx, propertyId: string, id: string): Promise<Block | undefined> {
  await tx
    .updateTable('content_blocks')
    .set((of) => ({ phase: of.ref('phase') }))
    .where('property_id', '=', propertyId)
    .where('id', '=', id)
    .execute()
  return findBlock(tx, propertyId, id)
}

// ---------------------------------------------------------------- blocks

/** Every read of the owner's lists starts here, so that none can forget its property. */
const blocksOf = (records: Records, propertyId: string) =>
  records.selectFrom('content_blocks').where('property_id', '=', propertyId)

/** Newest first. */
export async function listBlockRows(records: Records, propertyId: string, query: PageQuery): Promise<BareBlock[]> {
  const rows = await blocksOf(records, propertyId)
    .select(blockColumns)
    .orderBy('seq', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
    .execute()
  return rows.map(toBlock)
}

/** The names of all blocks, newest first: a property has few enough to search them one by one. */
export const listBlockNames = (records: Records, propertyId: string): Promise<Pick<Block, 'id' | 'name' | 'key'>[]> =>
  blocksOf(records, propertyId).select(['id', 'name', 'key']).orderBy('seq', 'desc').execute()

/** Those with these ids, newest first. */
export async function selectBlockRows(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<BareBlock[]> {
  if (ids.length === 0) return []
  const rows = await blocksOf(records, propertyId)
    .select(blockColumns)
    .where('id', 'in', ids)
    .orderBy('seq', 'desc')
    .execute()
  return rows.map(toBlock)
}

/** By id. */
export async function findBlockNames(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<Map<string, Pick<Block, 'name' | 'key'>>> {
  if (ids.length === 0) return new Map()
  const rows = await blocksOf(records, propertyId).select(['id', 'name', 'key']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, ...block }) => [id, block]))
}

export async function countBlocks(records: Records, propertyId: string): Promise<number> {
  const { count } = await blocksOf(records, propertyId)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** @throws a unique violation when the key is taken; a foreign key violation when the property is gone. */
export async function insertBlock(tx: Tx, block: Block): Promise<void> {
  await tx.insertInto('content_blocks').values(toBlockRow(block)).execute()
}

/** In the transaction that read it. */
export async function updateBlockRow(tx: Tx, block: Block): Promise<void> {
  const { id, property_id, key: _key, salt: _salt, created_ts: _created, ...change } = toBlockRow(block)
  await tx
    .updateTable('content_blocks')
    .set(change)
    .where('property_id', '=', property_id)
    .where('id', '=', id)
    .execute()
}

// ---------------------------------------------------------------- versions

/** What lists of blocks contain of a version. */
export type VersionSketch = Pick<Version, 'id' | 'label' | 'weight' | 'is_active'>

/** By block, in the order of creation, without the HTML: a page of blocks would have megabytes of it. */
export async function listSketches(
  records: Records,
  propertyId: string,
  blockIds: readonly string[],
): Promise<Map<string, VersionSketch[]>> {
  if (blockIds.length === 0) return new Map()
  const rows = await records
    .selectFrom('content_versions')
    .select(['block_id', 'id', 'label', 'weight', 'is_active'])
    .where('property_id', '=', propertyId)
    .where('block_id', 'in', blockIds)
    .where('is_deleted', '=', 0)
    .orderBy('seq')
    .execute()
  const byBlock = Map.groupBy(rows, (row) => row.block_id)
  return new Map(
    [...byBlock].map(([blockId, versions]) => [
      blockId,
      versions.map(({ block_id: _block, ...version }) => ({ ...version, is_active: version.is_active === 1 })),
    ]),
  )
}

/** By id, including deleted ones. */
export async function findVersionLabels(
  records: Records,
  propertyId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('content_versions')
    .select(['id', 'label'])
    .where('property_id', '=', propertyId)
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, label }) => [id, label]))
}

/** All versions ever created in a block, including deleted ones: results name them. */
export async function countMadeVersions(tx: Tx, block: BareBlock): Promise<number> {
  const { count } = await tx
    .selectFrom('content_versions')
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** A new version, a changed one, or a restored one, which keeps its position. */
export async function storeVersion(tx: Tx, block: BareBlock, version: Version): Promise<void> {
  const row = { ...toVersionRow(version), property_id: block.property_id, block_id: block.id, is_deleted: 0 }
  const { id: _id, property_id: _property, block_id: _block, created_ts: _created, ...change } = row
  await tx
    .insertInto('content_versions')
    .values(row)
    .onConflict((of) => of.column('id').doUpdateSet(change))
    .execute()
}

/** Marks it as deleted: its name stays for the results, its content is in the edits. */
export async function dropVersion(tx: Tx, block: BareBlock, versionId: string, nowTs: number): Promise<void> {
  await tx
    .updateTable('content_versions')
    .set({ is_deleted: 1, is_active: 0, html: '', ctas: '[]', updated_ts: nowTs })
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .where('id', '=', versionId)
    .execute()
}
