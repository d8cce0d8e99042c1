// Where a property sends people whose link leads nowhere; and whose a code was that went with its group.
import type { RecordMigration } from '../records.ts'

export const deadLinks: RecordMigration = {
  name: '081_dead_links',
  up: async (tx) => {
    await tx.schema.alterTable('properties').addColumn('dead_link_url', 'text').execute()
    // Without a reference: a code outlives its property. Of codes from before nobody knows.
    await tx.schema.alterTable('retired_codes').addColumn('property_id', 'text').execute()
  },
}
