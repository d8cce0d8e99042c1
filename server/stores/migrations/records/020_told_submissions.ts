// Which automations were told of a submission that had been dropped, once the deliveries that say so are
// gone: a submission that is marked as no spam again is told of to nobody twice, however late.
import type { RecordMigration } from '../records.ts'

export const toldSubmissions: RecordMigration = {
  name: '020_told_submissions',
  up: async (tx) => {
    await tx.schema
      .createTable('told_submissions')
      .addColumn('submission_id', 'text', (column) => column.notNull().references('submissions.id').onDelete('cascade'))
      .addColumn('automation_id', 'text', (column) => column.notNull().references('automations.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('told_submissions_once', ['submission_id', 'automation_id'])
      .execute()
    await tx.schema
      .createIndex('told_submissions_of_automation')
      .on('told_submissions')
      .column('automation_id')
      .execute()
  },
}
