// Deliveries as they are put down: in the transaction of what they follow from, or in an insert of their own.
import { type Insertable } from 'kysely'
import { type Records, type Tx } from '../stores/records.ts'
import { type RecordTables } from '../stores/tables.ts'

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
