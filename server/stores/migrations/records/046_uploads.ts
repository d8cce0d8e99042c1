// Files that visitors send with forms: each one that lies in storage, and what of it belongs to a
// submission.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'
import type { Tx } from '../../records.ts'

/** Goes with its submission, at once and with all that is personal. */
async function createSubmissionFiles(tx: Tx): Promise<void> {
  await tx.schema
    .createTable('submission_files')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
    .addColumn('submission_id', 'text', (column) => column.notNull().references('submissions.id').onDelete('cascade'))
    .addColumn('field', 'text', (column) => column.notNull())
    .addColumn('place', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .execute()
  const index = (name: string, column: string) => tx.schema.createIndex(name).on('submission_files').column(column)
  await index('submission_files_of_submission', 'submission_id').execute()
  await index('submission_files_of_property', 'property_id').execute()
}

export const uploads: RecordMigration = {
  name: '046_uploads',
  up: async (tx) => {
    await createSubmissionFiles(tx)
    // Refers to no property: a row stays until its file is gone, whatever else is deleted.
    await tx.schema
      .createTable('uploads')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('expires_ms', 'bigint', (column) => column.notNull())
      .addColumn('attached_id', 'text', (column) => column.references('submission_files.id').onDelete('set null'))
      .addColumn('address_mac', 'text', (column) => column.notNull())
      .addColumn('session_hash', 'text', (column) => column.notNull())
      .addColumn('field', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('sha256', 'text', (column) => column.notNull())
      .execute()
    const index = (name: string) => tx.schema.createIndex(name).on('uploads')
    await index('uploads_of_property').column('property_id').execute()
    await index('uploads_attached').column('attached_id').unique().execute()
    await index('uploads_unused')
      .column('expires_ms')
      .where(sql<boolean>`attached_id is null`)
      .execute()
    await index('uploads_of_address')
      .column('address_mac')
      .where(sql<boolean>`attached_id is null`)
      .execute()
  },
}
