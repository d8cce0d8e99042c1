// Who made a token or a share link, so that those of somebody who is removed can be listed. Of those from
// before nobody knows.
import type { RecordMigration } from '../records.ts'

export const makers: RecordMigration = {
  name: '023_makers',
  up: async (tx) => {
    // No reference: an account that was deleted is remembered as the maker all the same.
    await tx.schema.alterTable('tokens').addColumn('created_by', 'text').execute()
    await tx.schema.alterTable('shares').addColumn('created_by', 'text').execute()
  },
}
