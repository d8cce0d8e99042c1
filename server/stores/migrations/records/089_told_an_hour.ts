// How many submissions of a form are mailed one by one in an hour: a setting of each form, ten until now.
import type { RecordMigration } from '../records.ts'

export const toldAnHour: RecordMigration = {
  name: '089_told_an_hour',
  up: async (tx) => {
    await tx.schema
      .alterTable('form_mails')
      .addColumn('most_an_hour', 'integer', (column) => column.notNull().defaultTo(10))
      .execute()
  },
}
