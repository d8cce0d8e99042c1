// The history of what was changed of many links at once, so that it can be undone.
import type { RecordMigration } from '../records.ts'

export const linkEdits: RecordMigration = {
  name: '076_link_edits',
  up: async (tx, kind) => {
    const table = tx.schema.createTable('link_edits')
    const withSeq =
      kind === 'sqlite'
        ? table.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        : table.addColumn('seq', 'bigserial', (column) => column.primaryKey())
    await withSeq
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('edited_ms', 'bigint', (column) => column.notNull())
      .addColumn('edited_by', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('before', 'text')
      .addColumn('after', 'text')
      .execute()
    await tx.schema.createIndex('link_edits_in_order').on('link_edits').columns(['property_id', 'seq']).execute()
  },
}
