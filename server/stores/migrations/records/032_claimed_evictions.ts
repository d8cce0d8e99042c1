// Until when one node removes what a form holds too much of: two at once would remove more than that.
import type { RecordMigration } from '../records.ts'

export const claimedEvictions: RecordMigration = {
  name: '032_claimed_evictions',
  up: async (tx) => {
    await tx.schema.alterTable('form_evictions').addColumn('claimed_until_ms', 'bigint').execute()
  },
}
