// Which nodes there are: each says every few seconds that it is alive.
import type { RecordMigration } from '../records.ts'

export const nodes: RecordMigration = {
  name: '035_nodes',
  up: async (tx) => {
    await tx.schema
      .createTable('nodes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seen_ms', 'bigint', (column) => column.notNull())
      .execute()
  },
}
