// How many people tried a form that is a draft: a row for each form and day.
import type { RecordMigration } from '../records.ts'

export const draftTries: RecordMigration = {
  name: '082_draft_tries',
  up: async (tx) => {
    await tx.schema
      .createTable('draft_tries')
      .addColumn('form_id', 'text', (column) => column.notNull().references('forms.id').onDelete('cascade'))
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('people', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('draft_tries_key', ['form_id', 'day'])
      .execute()
    await tx.schema.createIndex('draft_tries_by_day').on('draft_tries').column('day').execute()
  },
}
