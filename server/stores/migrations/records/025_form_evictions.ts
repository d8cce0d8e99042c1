// What was removed of a form because it held as many submissions as a form may, and whether it soon will.
import type { RecordMigration } from '../records.ts'

export const formEvictions: RecordMigration = {
  name: '025_form_evictions',
  up: async (tx) => {
    const counted = ['spam', 'flagged', 'clean'] as const
    const table = tx.schema
      .createTable('form_evictions')
      .addColumn('form_id', 'text', (column) => column.primaryKey().references('forms.id').onDelete('cascade'))
      .addColumn('last_ms', 'bigint')
      .addColumn('stored', 'integer')
    await counted
      .reduce((made, name) => made.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0)), table)
      .execute()
  },
}
