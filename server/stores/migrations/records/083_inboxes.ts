// The mailbox that a mail goes to, however its address is written: what limits count by.
import type { RecordMigration } from '../records.ts'

export const inboxes: RecordMigration = {
  name: '083_inboxes',
  up: async (tx) => {
    // Of mail from before it stays empty: limits look back a day.
    await tx.schema
      .alterTable('mails')
      .addColumn('inbox_key', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await tx.schema.createIndex('mails_to_inbox').on('mails').columns(['inbox_key', 'kind', 'created_ms']).execute()
    for (const unused of ['mails_to_lately', 'list_memberships_mailed', 'list_memberships_by_mail'])
      await tx.schema.dropIndex(unused).execute()
  },
}
