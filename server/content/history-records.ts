// The statements about the phases of a content block, written in the transaction of the change that opens
// them; and which table holds its edits.
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import type { ContentPhaseTable } from '../stores/tables/content-tables.ts'
import type { EditsOf, StoredEdit } from '../stores/edits.ts'
import type { Records, Tx } from '../stores/records.ts'
import { MAX_PHASES } from './content-model.ts'
import type { BareBlock } from './records.ts'

/** A version as it stood in a phase. */
export interface Share {
  readonly version_id: string
  readonly label: string
  readonly weight: number
}

/** The time in which nothing changed of what visitors can be shown: results are per phase. */
export interface Phase {
  readonly number: number
  readonly started_ms: number
  /** null: it is the current phase. */
  readonly ended_ms: number | null
  /** The active versions in the order of their creation. */
  readonly setup: readonly Share[]
}

/** `version_id` null: an edit of the block itself. */
export type Edit = StoredEdit<'version_id'>

type BlockRef = Pick<BareBlock, 'id' | 'property_id'>

// ---------------------------------------------------------------- phases

const phasesOf = (records: Records, block: BlockRef) =>
  records.selectFrom('content_phases').where('property_id', '=', block.property_id).where('block_id', '=', block.id)

const phaseColumns = ['number', 'started_ms', 'ended_ms', 'setup'] as const

const toPhase = (row: Pick<ContentPhaseTable, (typeof phaseColumns)[number]>): Phase => ({
  ...row,
  setup: JSON.parse(row.setup) as Share[],
})

/**
 * Also ends the previous phase at the same moment. @throws a unique violation when a concurrent change opened
 * it.
 */
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

/** Renaming a version does not open a phase. */
export async function relabelPhase(tx: Tx, block: BlockRef, setup: readonly Share[]): Promise<void> {
  await tx
    .updateTable('content_phases')
    .set({ setup: JSON.stringify(setup) })
    .where('property_id', '=', block.property_id)
    .where('block_id', '=', block.id)
    .where('ended_ms', 'is', null)
    .execute()
}

/** Undefined when the phase does not exist (any more). */
export async function findPhase(records: Records, block: BlockRef, number: number): Promise<Phase | undefined> {
  const row = await phasesOf(records, block).select(phaseColumns).where('number', '=', number).executeTakeFirst()
  return row && toPhase(row)
}

/** Newest first. */
export async function listPhaseRows(records: Records, block: BlockRef, query: PageQuery): Promise<Phase[]> {
  const rows = await phasesOf(records, block)
    .select(phaseColumns)
    .orderBy('number', 'desc')
    .offset(offsetOf(query))
    .limit(query.perPage)
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

export const editsOf = ({ property_id, id }: BlockRef): EditsOf<'version_id'> => ({
  table: 'content_edits',
  column: 'block_id',
  own: ['version_id'],
  propertyId: property_id,
  id,
})
