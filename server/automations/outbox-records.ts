// Deliveries as they are put down: in the transaction of what they follow from, or in an insert of their own.
import type { Insertable } from 'kysely'
import type { SessionRef } from '../kernel/ids.ts'
import type { TriggerEvent } from '../kernel/triggers.ts'
import type { Records, Tx } from '../stores/records.ts'
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

/**
 * The automations that have a delivery of this event of the session. Of one that was forgotten with its person nobody knows what it told
 * of: it counts.
 */
export async function selectTold(
  records: Tx | Records,
  propertyId: string,
  session: SessionRef,
  event: Pick<TriggerEvent, 'type' | 'id'>,
): Promise<Set<string>> {
  const rows = await records
    .selectFrom('deliveries')
    .select(['automation_id', 'event'])
    .where('property_id', '=', propertyId)
    .where('session_day', '=', session.day)
    .where('session', '=', session.hash.toString())
    .where('event_type', '=', event.type)
    .execute()
  const isOfIt = (text: string | null) => text === null || (JSON.parse(text) as TriggerEvent).id === event.id
  return new Set(rows.filter((row) => isOfIt(row.event)).map((row) => row.automation_id))
}
