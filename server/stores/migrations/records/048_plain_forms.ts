// Forms that a page posts without a script, where their visitors go afterwards, and in which language they
// are spoken to. Forms from before stay in English, as they were.
import type { RecordMigration } from '../records.ts'

export const plainForms: RecordMigration = {
  name: '048_plain_forms',
  up: async (tx) => {
    await tx.schema.alterTable('forms').addColumn('redirect_url', 'text').execute()
    await tx.schema
      .alterTable('forms')
      .addColumn('is_plain_on', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await tx.schema
      .alterTable('forms')
      .addColumn('language', 'text', (column) => column.notNull().defaultTo('en'))
      .execute()
  },
}
