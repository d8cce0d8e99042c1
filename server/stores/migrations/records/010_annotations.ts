// Notes that owners pin to a time of their property: a release, a campaign, an outage.
import type { RecordMigration } from '../records.ts'

export const annotations: RecordMigration = {
  name: '010_annotations',
  up: async (tx) => {
    await tx.schema
      .createTable('annotations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('ts', 'bigint', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('created_ts', 'bigint', (column) => column.notNull())
      .execute()
    await tx.schema.createIndex('annotations_in_order').on('annotations').columns(['property_id', 'ts', 'id']).execute()
  },
}
