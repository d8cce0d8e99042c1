// Deliveries as they are put down: in the transaction of what they follow from, or in an insert of their own.
import { type Insertable, sql } from 'kysely'
import type { Trigger } from '../kernel/triggers.ts'
import { type Records, recordsKind, type Tx } from '../stores/records.ts'
import type { RecordTables } from '../stores/tables.ts'

export type NewDelivery = Omit<Insertable<RecordTables['deliveries']>, 'seq'>

/** Rows of one statement: both databases take some ten thousand parameters. */
const ROWS_AT_ONCE = 500

export async function insertDeliveries(records: Tx | Records, rows: readonly NewDelivery[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await records
      .insertInto('deliveries')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
}

/** Whoever puts down the same event waits until the transaction has ended. SQLite's transactions wait for each other anyway. */
export async function lockEvent(tx: Tx | Records, records: Records, { event }: Pick<Trigger, 'event'>): Promise<void> {
  if (recordsKind(records) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${event.type} ${event.id}`}, 0))`.execute(tx)
}

/** Those whose deliveries of it went after DELIVERY_DAYS. */
async function selectToldLongAgo(records: Tx | Records, submissionId: string): Promise<string[]> {
  const rows = await records
    .selectFrom('told_submissions')
    .select('automation_id')
    .where('submission_id', '=', submissionId)
    .execute()
  return rows.map((row) => row.automation_id)
}

/**
 * The automations that have, or had, a delivery of this event, which is that of a submission or was put down
 * as one that may come again. One that was forgotten with its person counts.
 */
export async function selectTold(
  records: Tx | Records,
  propertyId: string,
  { event }: Pick<Trigger, 'event'>,
): Promise<Set<string>> {
  const { form_submit_id: submissionId } = event
  const all = records.selectFrom('deliveries').select(['automation_id', 'property_id', 'event_type'])
  const ofIt =
    submissionId === null ? all.where('event_id', '=', event.id) : all.where('submission_id', '=', submissionId)
  const rows = await ofIt.execute()
  // Not asked of the database: the way is through the index of the event, and there are few of one.
  const told = rows.filter((row) => row.property_id === propertyId && row.event_type === event.type)
  const longAgo = submissionId === null ? [] : await selectToldLongAgo(records, submissionId)
  return new Set([...told.map((row) => row.automation_id), ...longAgo])
}
