// Segments: filters that were saved under a name, and share links that show nothing but one. A segment that a
// share link shows cannot be deleted: the link would show everything.
import type { RecordMigration } from '../records.ts'

export const segments: RecordMigration = {
  name: '058_segments',
  up: async (tx) => {
    await tx.schema
      .createTable('segments')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('clauses', 'text', (column) => column.notNull())
      .addColumn('created_ts', 'bigint', (column) => column.notNull())
      .addColumn('updated_ts', 'bigint', (column) => column.notNull())
      .execute()
    await tx.schema.createIndex('segments_of_property').on('segments').column('property_id').execute()
    await tx.schema.createIndex('segments_of_user').on('segments').column('user_id').execute()
    await tx.schema
      .alterTable('shares')
      .addColumn('segment_id', 'text', (column) => column.references('segments.id'))
      .execute()
    await tx.schema.createIndex('shares_of_segment').on('shares').column('segment_id').execute()
  },
}
