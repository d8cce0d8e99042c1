// What owners note about contacts: the lists and tags that they are in, and notes.
import type { RecordMigration } from '../records.ts'

export const contactLabels: RecordMigration = {
  name: '050_contact_labels',
  up: async (tx) => {
    await tx.schema
      .createTable('contact_labels')
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('contact_id', 'text', (column) => column.notNull().references('contacts.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('label_key', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('added_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('contact_labels_key', ['contact_id', 'kind', 'label_key'])
      .execute()
    await tx.schema
      .createIndex('contact_labels_of_property')
      .on('contact_labels')
      .columns(['property_id', 'kind', 'label_key', 'label', 'contact_id'])
      .execute()
    await tx.schema
      .createTable('contact_notes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('contact_id', 'text', (column) => column.notNull().references('contacts.id').onDelete('cascade'))
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('noted_ms', 'bigint', (column) => column.notNull())
      .addColumn('edited_by', 'text', (column) => column.notNull())
      .execute()
    await tx.schema
      .createIndex('contact_notes_of_contact')
      .on('contact_notes')
      .columns(['contact_id', 'noted_ms'])
      .execute()
    await tx.schema.createIndex('contact_notes_of_property').on('contact_notes').column('property_id').execute()
  },
}
