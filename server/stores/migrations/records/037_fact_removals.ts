// Facts of one property that are to go, and how far that is; how long a property keeps its facts.
import type { RecordMigration } from '../records.ts'

export const factRemovals: RecordMigration = {
  name: '037_fact_removals',
  up: async (tx) => {
    await tx.schema.alterTable('properties').addColumn('kept_days', 'integer').execute()
    // Without a reference: it outlives its property.
    await tx.schema
      .createTable('fact_removals')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('before_day', 'text', (column) => column.notNull())
      .addColumn('weeks', 'integer', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('claimed_until_ms', 'bigint', (column) => column.notNull())
      .addColumn('finished_ms', 'bigint')
      .execute()
    await tx.schema.createIndex('fact_removals_by_state').on('fact_removals').columns(['state', 'created_ms']).execute()
    await tx.schema.createIndex('fact_removals_of').on('fact_removals').columns(['property_id', 'created_ms']).execute()
  },
}
