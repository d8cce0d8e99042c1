// Links that expire after a number of clicks, and links that ask for a password.
import type { RecordMigration } from '../records.ts'

export const linkLimits: RecordMigration = {
  name: '070_link_limits',
  up: async (tx) => {
    await tx.schema
      .alterTable('links')
      .addColumn('uses', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await tx.schema.alterTable('links').addColumn('password_hash', 'text').execute()
  },
}
