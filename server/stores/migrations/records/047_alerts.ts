// What a property is watched for, and how often somebody was told of it today.
import type { RecordMigration } from '../records.ts'

export const alerts: RecordMigration = {
  name: '047_alerts',
  up: async (tx) => {
    await tx.schema
      .createTable('alerts')
      .addColumn('property_id', 'text', (column) => column.primaryKey().references('properties.id').onDelete('cascade'))
      .addColumn('live_visitors', 'integer')
      .addColumn('has_sessions', 'integer', (column) => column.notNull())
      .addColumn('has_conversions', 'integer', (column) => column.notNull())
      .addColumn('told_day', 'text', (column) => column.notNull())
      .addColumn('told', 'integer', (column) => column.notNull())
      .addColumn('judged_ms', 'bigint', (column) => column.notNull())
      .addColumn('above_ms', 'bigint', (column) => column.notNull())
      .execute()
  },
}
