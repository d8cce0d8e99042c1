// What is said of the installation as a whole, a row for each thing: by which secret its records were kept.
import type { RecordMigration } from '../records.ts'

export const installation: RecordMigration = {
  name: '034_installation',
  up: async (tx) => {
    await tx.schema
      .createTable('installation')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
  },
}
