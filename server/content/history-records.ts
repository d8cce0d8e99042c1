// The statements about the phases and edits of a content block: appended in the transaction of the change that makes them.
import type { PageAsk } from '../kernel/page.ts'
import type { ContentEditTable, ContentPhaseTable } from '../stores/content-tables.ts'
import type { Records, Tx } from '../stores/records.ts'
import { MAX_EDITS, MAX_PHASES } from './content.ts'
import type { BareBlock } from './records.ts'

/** A version as it stood in a phase. */
export interface Share {
  readonly version_id: string
  readonly label: string
  readonly weight: number
}

/** While nothing changed of what visitors can be shown: results are of one phase. */
export interface Phase {
  readonly number: number
  readonly started_ms: number
  /** null: it counts now. */
  readonly ended_ms: number | null
  /** The active versions in the order in which they were made. */
  readonly setup: readonly Share[]
}

/** What changed, in the words of the request that would make it so. */
export type EditSide = Readonly<Record<string, unknown>>

export interface Edit {
  readonly id: string
  /** null: of the block itself. */
  readonly version_id: string | null
  readonly edited_ms: number
  readonly kind: ContentEditTable['kind']
  /** null before a creation and after a deletion. */
  readonly before: EditSide | null
  readonly after: EditSide | null
}

type BlockRef = Pick<BareBlock, 'id' | 'property_id'>

// ---------------------------------------------------------------- phases

const phasesOf = (records: Records, block: BlockRef) =>
  records.selectFrom('content_phases').where('property_id', '=', block.property_id).where('block_id', '=', block.id)

const phaseColumns = ['number', 'started_ms', 'ended_ms', 'setup'] as const

const toPhase = (row: Pick<ContentPhaseTable, (typeof phaseColumns)[number]>): Phase => ({
  ...row,
  setup: JSON.parse(row.setup) as Share[],
})

/** Ends the one before at the same moment. @throws a unique violation when another change opened it first. */
export async function openPhase(
  tx: Tx,
  block: BlockRef,
  phase: Pick<Phase, 'number' | 'started_ms' | 'setup'>,
): Promise<void> {
  const { number, started_ms } = phase
  await tx
    .updateTable('content_phases')
    .set({ ended_ms: started_ms })
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .where('ended_ms', 'is', null)
    .execute()
  await tx
    .insertInto('content_phases')
    .values({
      property_id: block.property_id,
      block_id: block.id,
      number,
      started_ms,
      ended_ms: null,
      setup: JSON.stringify(phase.setup),
    })
    .execute()
  await tx
    .deleteFrom('content_phases')
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .where('number', '<=', number - MAX_PHASES)
    .execute()
}

/** Another name for a version is no other phase. */
export async function relabelPhase(tx: Tx, block: BlockRef, setup: readonly Share[]): Promise<void> {
  await tx
    .updateTable('content_phases')
    .set({ setup: JSON.stringify(setup) })
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .where('ended_ms', 'is', null)
    .execute()
}

/** Undefined when there is no such phase, or none any more. */
export async function findPhase(records: Records, block: BlockRef, number: number): Promise<Phase | undefined> {
  const row = await phasesOf(records, block).select(phaseColumns).where('number', '=', number).executeTakeFirst()
  return row && toPhase(row)
}

/** Newest first. */
export async function listPhaseRows(records: Records, block: BlockRef, ask: PageAsk): Promise<Phase[]> {
  const rows = await phasesOf(records, block)
    .select(phaseColumns)
    .orderBy('number', 'desc')
    .offset((ask.page - 1) * ask.perPage)
    .limit(ask.perPage)
    .execute()
  return rows.map(toPhase)
}

export async function countPhases(records: Records, block: BlockRef): Promise<number> {
  const { count } = await phasesOf(records, block)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

// ---------------------------------------------------------------- edits

const editsOf = (records: Records, block: BlockRef) =>
  records.selectFrom('content_edits').where('property_id', '=', block.property_id).where('block_id', '=', block.id)

const editColumns = ['id', 'version_id', 'edited_ms', 'kind', 'before', 'after'] as const

const toSide = (json: string | null): EditSide | null => (json === null ? null : (JSON.parse(json) as EditSide))

const toJson = (side: EditSide | null): string | null => (side === null ? null : JSON.stringify(side))

const toEdit = (row: Pick<ContentEditTable, (typeof editColumns)[number]>): Edit => ({
  ...row,
  before: toSide(row.before),
  after: toSide(row.after),
})

/** Those over the limit go with the same call. */
export async function insertEdit(tx: Tx, block: BlockRef, edit: Edit): Promise<void> {
  await tx
    .insertInto('content_edits')
    .values({
      ...edit,
      property_id: block.property_id,
      block_id: block.id,
      before: toJson(edit.before),
      after: toJson(edit.after),
    })
    .execute()
  await dropOldEdits(tx, block)
}

async function dropOldEdits(tx: Tx, block: BlockRef): Promise<void> {
  const oldest = await editsOf(tx, block)
    .select('seq')
    .orderBy('seq', 'desc')
    .offset(MAX_EDITS)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return
  await tx
    .deleteFrom('content_edits')
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .where('seq', '<=', oldest.seq)
    .execute()
}

export async function findEdit(records: Records, block: BlockRef, id: string): Promise<Edit | undefined> {
  const row = await editsOf(records, block).select(editColumns).where('id', '=', id).executeTakeFirst()
  return row && toEdit(row)
}

/** Newest first. */
export async function listEditRows(records: Records, block: BlockRef, ask: PageAsk): Promise<Edit[]> {
  const rows = await editsOf(records, block)
    .select(editColumns)
    .orderBy('seq', 'desc')
    .offset((ask.page - 1) * ask.perPage)
    .limit(ask.perPage)
    .execute()
  return rows.map(toEdit)
}

export async function countEdits(records: Records, block: BlockRef): Promise<number> {
  const { count } = await editsOf(records, block)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
