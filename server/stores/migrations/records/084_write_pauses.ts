// Whether writes are paused while the installation is carried to other stores, and which processes write.
import type { RecordMigration } from '../records.ts'

export const writePauses: RecordMigration = {
  name: '084_write_pauses',
  up: async (tx) => {
    await tx.schema
      .createTable('write_pauses')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('until_ms', 'bigint')
      .execute()
    await tx.schema
      .createTable('writers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seen_ms', 'bigint', (column) => column.notNull())
      .addColumn('pause_id', 'text', (column) => column.notNull())
      .execute()
  },
}
