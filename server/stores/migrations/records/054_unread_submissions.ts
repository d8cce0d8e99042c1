// Which submissions nobody of the team has opened yet. Those of before count as read.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'

export const unreadSubmissions: RecordMigration = {
  name: '054_unread_submissions',
  up: async (tx) => {
    await tx.schema
      .alterTable('submissions')
      .addColumn('is_read', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await tx.schema
      .createIndex('submissions_unread')
      .on('submissions')
      .column('form_id')
      .where(sql<boolean>`is_read = 0`)
      .execute()
  },
}
