// The logs of edits: a table for each kind of record that is edited, all alike, appended in the transaction
// of the change and bounded in size.
import type { Insertable, Kysely } from 'kysely'
import type { EditSide, EditSides } from '../kernel/edits.ts'
import { offsetOf, type PageQuery } from '../kernel/page.ts'
import type { EditTable } from './tables/edit-tables.ts'
import type { Records, Tx } from './records.ts'
import { changedBy, inSteps } from './steps.ts'

/** Rows that one statement deletes: an edit may hold a hundred kilobytes. */
const ROWS_AT_ONCE = 50

/** Every column of every log. */
interface AnyEditTable extends EditTable {
  block_id: string
  form_id: string
  version_id: string | null
}

/** Columns that a log has beside those of all. */
type Own = 'version_id'

/** Of which record the edits are. */
export interface EditsOf<Its extends Own = never> {
  readonly table: 'content_edits' | 'form_edits' | 'link_edits'
  /** Names the record; the property where all of its records have one log. */
  readonly column: 'block_id' | 'form_id' | 'property_id'
  readonly own: readonly Its[]
  readonly propertyId: string
  readonly id: string
}

export type StoredEdit<Its extends Own = never> = EditSides &
  Pick<AnyEditTable, 'id' | 'edited_ms' | 'edited_by' | 'kind' | Its>

/** The tables are alike in what is asked here; which one it is, is said with its name. */
const logs = (records: Records | Tx) => records as unknown as Kysely<{ edits: AnyEditTable }>
const named = (table: EditsOf['table']) => table as 'edits'

const editsOf = <Its extends Own>(records: Records | Tx, { table, column, propertyId, id }: EditsOf<Its>) =>
  logs(records).selectFrom(named(table)).where('property_id', '=', propertyId).where(column, '=', id)

const columns = ['id', 'edited_ms', 'edited_by', 'kind', 'before', 'after'] as const

const rowsOf = <Its extends Own>(records: Records | Tx, of: EditsOf<Its>) =>
  editsOf(records, of)
    .select(columns)
    .select(of.own as readonly Own[])

const toSide = (json: string | null): EditSide | null => (json === null ? null : (JSON.parse(json) as EditSide))
const toJson = (side: EditSide | null): string | null => (side === null ? null : JSON.stringify(side))

const toEdit = <Its extends Own>(row: Pick<EditTable, 'before' | 'after'>): StoredEdit<Its> =>
  ({ ...row, before: toSide(row.before), after: toSide(row.after) }) as StoredEdit<Its>

/** @param most are kept of a record: the oldest above that go with the same call. */
export async function insertEdit<Its extends Own>(
  tx: Tx,
  of: EditsOf<Its>,
  edit: StoredEdit<Its>,
  most: number,
): Promise<void> {
  const sides = { before: toJson(edit.before), after: toJson(edit.after) }
  const row = { ...edit, ...sides, property_id: of.propertyId, [of.column]: of.id }
  await logs(tx)
    .insertInto(named(of.table))
    .values(row as unknown as Insertable<AnyEditTable>)
    .execute()
  await dropOldEdits(tx, of, most)
}

async function dropOldEdits<Its extends Own>(tx: Tx, of: EditsOf<Its>, most: number): Promise<void> {
  const oldest = await editsOf(tx, of).select('seq').orderBy('seq', 'desc').offset(most).limit(1).executeTakeFirst()
  if (!oldest) return
  await logs(tx)
    .deleteFrom(named(of.table))
    .where('property_id', '=', of.propertyId)
    .where(of.column, '=', of.id)
    .where('seq', '<=', oldest.seq)
    .execute()
}

export async function findEdit<Its extends Own>(
  records: Records,
  of: EditsOf<Its>,
  id: string,
): Promise<StoredEdit<Its> | undefined> {
  const row = await rowsOf(records, of).where('id', '=', id).executeTakeFirst()
  return row && toEdit<Its>(row)
}

/** Newest first. */
export async function listEditRows<Its extends Own>(
  records: Records,
  of: EditsOf<Its>,
  query: PageQuery,
): Promise<StoredEdit<Its>[]> {
  const rows = await rowsOf(records, of).orderBy('seq', 'desc').offset(offsetOf(query)).limit(query.perPage).execute()
  return rows.map((row) => toEdit<Its>(row))
}

export async function countEdits<Its extends Own>(records: Records, of: EditsOf<Its>): Promise<number> {
  const { count } = await editsOf(records, of)
    .select((with_) => with_.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** The oldest first. */
export async function deleteEdits<Its extends Own>(records: Records, of: EditsOf<Its>): Promise<void> {
  const own = editsOf(records, of).select('seq').orderBy('seq')
  const rows = logs(records).deleteFrom(named(of.table)).where('property_id', '=', of.propertyId)
  await inSteps((most) => changedBy(rows.where('seq', 'in', own.limit(most))), ROWS_AT_ONCE)
}
