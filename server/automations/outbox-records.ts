// Deliveries as they are put down: in the transaction of what they follow from, or in an insert of their own.
import { type Insertable, sql } from 'kysely'
import type { Trigger, TriggerEvent } from '../kernel/triggers.ts'
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

/**
 * The automations that have a delivery of this event, which is that of a submission or of a session. Of one that was forgotten with its
 * person nobody knows what it told of: it counts.
 */
export async function selectTold(
  records: Tx | Records,
  propertyId: string,
  { event, session }: Pick<Trigger, 'event' | 'session'>,
): Promise<Set<string>> {
  const all = records.selectFrom('deliveries').select(['automation_id', 'event_type', 'event'])
  const ofSession = () =>
    all
      .where('property_id', '=', propertyId)
      .where('session_day', '=', session?.day ?? null)
      .where('session', '=', session?.hash.toString() ?? null)
  const rows = await (
    event.form_submit_id === null ? ofSession() : all.where('submission_id', '=', event.form_submit_id)
  ).execute()
  const isOfIt = (row: { event_type: string; event: string | null }) =>
    row.event_type === event.type && (row.event === null || (JSON.parse(row.event) as TriggerEvent).id === event.id)
  return new Set(rows.filter(isOfIt).map((row) => row.automation_id))
}
