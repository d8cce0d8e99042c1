// Tags, notes and archived links, and the groups that a link was in before it was moved.
import type { RecordMigration } from '../records.ts'

export const linkLabels: RecordMigration = {
  name: '075_link_labels',
  up: async (tx) => {
    const add = (name: string) => tx.schema.alterTable('links').addColumn(name, 'text').execute()
    await add('tags')
    await add('notes')
    await add('past_groups')
    await tx.schema
      .alterTable('links')
      .addColumn('is_archived', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
