// What advertising cost, as it was imported: a row for each day, source, medium and campaign. The key decides
// that a second import of a day replaces the first.
import type { RecordMigration } from '../records.ts'

export const costs: RecordMigration = {
  name: '080_costs',
  up: async (tx) => {
    await tx.schema
      .createTable('costs')
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('medium', 'text', (column) => column.notNull())
      .addColumn('campaign', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addColumn('amount_usd', 'bigint', (column) => column.notNull())
      .addColumn('currency', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('costs_key', ['property_id', 'day', 'source', 'medium', 'campaign'])
      .execute()
  },
}
