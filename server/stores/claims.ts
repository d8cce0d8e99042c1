// Work that any process may do, and one at a time does: rows that are claimed until a time, after which
// whoever claimed them is taken for gone.
import type { Kysely } from 'kysely'
import type { Records } from './records.ts'
import type { RecordTables } from './tables.ts'

/** Tables of such rows; what the statements below need is alike in all of them. */
type Claimed = 'session_marks' | 'fact_removals' | 'mails'
type ClaimedRow<Table extends Claimed> = RecordTables[Table]

interface Claim<Table extends Claimed> {
  readonly table: Table
  /** In which there is something to do. */
  readonly states: readonly ClaimedRow<Table>['state'][]
  readonly nowMs: number
  readonly untilMs: number
}

/** The oldest that nobody has claimed. Undefined when there is none, or somebody else was faster. */
export async function claimOldest<Table extends Claimed>(
  records: Records,
  { table, states, nowMs, untilMs }: Claim<Table>,
): Promise<ClaimedRow<Table> | undefined> {
  const one = records as unknown as Kysely<Pick<RecordTables, 'fact_removals'>>
  const [name, open] = [table as 'fact_removals', states as readonly ClaimedRow<'fact_removals'>['state'][]]
  const free = await one
    .selectFrom(name)
    .select('id')
    .where('state', 'in', open)
    .where('claimed_until_ms', '<=', nowMs)
    .orderBy('created_ms')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!free) return undefined
  const claimed = await one
    .updateTable(name)
    .set({ claimed_until_ms: untilMs })
    .where('id', '=', free.id)
    .where('state', 'in', open)
    .where('claimed_until_ms', '<=', nowMs)
    .returningAll()
    .executeTakeFirst()
  return claimed as ClaimedRow<Table> | undefined
}
