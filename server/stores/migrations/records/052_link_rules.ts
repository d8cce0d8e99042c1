// When a link answers, and where it leads whom.
import type { RecordMigration } from '../records.ts'

export const linkRules: RecordMigration = {
  name: '052_link_rules',
  up: async (tx) => {
    await tx.schema.alterTable('links').addColumn('rules', 'text').execute()
  },
}
