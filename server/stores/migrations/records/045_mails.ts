// Mail that waits, was sent or has failed. What it says is kept only until then.
import type { RecordMigration } from '../records.ts'

export const mails: RecordMigration = {
  name: '045_mails',
  up: async (tx) => {
    await tx.schema
      .createTable('mails')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.references('properties.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('to_email', 'text', (column) => column.notNull())
      .addColumn('to_key', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('content', 'text')
      .addColumn('submission_id', 'text')
      .addColumn('once_key', 'text', (column) => column.unique())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .addColumn('claimed_until_ms', 'bigint', (column) => column.notNull())
      .addColumn('expires_ms', 'bigint')
      .addColumn('finished_ms', 'bigint')
      .execute()
    const index = (name: string, columns: string[]) => tx.schema.createIndex(name).on('mails').columns(columns)
    await index('mails_due', ['state', 'claimed_until_ms']).execute()
    await index('mails_in_order', ['created_ms', 'id']).execute()
    await index('mails_of_property', ['property_id', 'created_ms', 'id']).execute()
    await index('mails_to', ['to_key']).execute()
    await index('mails_by_submission', ['submission_id']).execute()
  },
}
