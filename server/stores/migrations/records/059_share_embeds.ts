// Where a share link may be embedded, and the public key of its badge.
import type { RecordMigration } from '../records.ts'

export const shareEmbeds: RecordMigration = {
  name: '059_share_embeds',
  up: async (tx) => {
    await tx.schema
      .alterTable('shares')
      .addColumn('origins', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    await tx.schema.alterTable('shares').addColumn('badge_key', 'text').execute()
    await tx.schema.createIndex('shares_by_badge').on('shares').column('badge_key').unique().execute()
  },
}
