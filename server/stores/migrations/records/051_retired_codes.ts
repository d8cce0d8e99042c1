// Codes of links whose rows are gone, with their group or their property: nobody is given one again.
import type { RecordMigration } from '../records.ts'

export const retiredCodes: RecordMigration = {
  name: '051_retired_codes',
  up: async (tx) => {
    // Without a reference: a code outlives its property.
    await tx.schema
      .createTable('retired_codes')
      .addColumn('code', 'text', (column) => column.notNull())
      .addColumn('domain', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('retired_codes_by_code', ['code', 'domain'])
      .execute()
  },
}
