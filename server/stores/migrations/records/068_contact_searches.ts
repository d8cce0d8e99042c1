// Searches of contacts that were saved under a name, by a person for themselves or for everybody.
import type { RecordMigration } from '../records.ts'

export const contactSearches: RecordMigration = {
  name: '068_contact_searches',
  up: async (tx) => {
    await tx.schema
      .createTable('contact_searches')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('property_id', 'text', (column) => column.notNull().references('properties.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('created_ms', 'bigint', (column) => column.notNull())
      .execute()
    const index = (name: string, column: string) => tx.schema.createIndex(name).on('contact_searches').column(column)
    await index('contact_searches_of_property', 'property_id').execute()
    await index('contact_searches_of_user', 'user_id').execute()
  },
}
