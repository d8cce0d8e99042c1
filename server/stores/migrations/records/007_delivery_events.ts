// Which event a delivery tells of, for those that may come twice: a repeated order is looked up by it,
// however much its session has done.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'

export const deliveryEvents: RecordMigration = {
  name: '007_delivery_events',
  up: async (tx, kind) => {
    await tx.schema.alterTable('deliveries').addColumn('event_id', 'text').execute()
    const id = kind === 'sqlite' ? sql`json_extract(event, '$.id')` : sql`event::json ->> 'id'`
    await sql`update deliveries set event_id = ${id} where event_type = 'acquisition' and event is not null`.execute(tx)
    await tx.schema
      .createIndex('deliveries_by_event')
      .on('deliveries')
      .column('event_id')
      .where(sql<boolean>`event_id is not null`)
      .execute()
  },
}
