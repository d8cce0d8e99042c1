// What of a property is not counted, and whether it holds made-up data.
import type { RecordMigration } from '../records.ts'

export const exclusions: RecordMigration = {
  name: '011_exclusions',
  up: async (tx) => {
    for (const column of ['excluded_addresses', 'excluded_paths']) {
      await tx.schema
        .alterTable('properties')
        .addColumn(column, 'text', (definition) => definition.notNull().defaultTo('[]'))
        .execute()
    }
    await tx.schema
      .alterTable('properties')
      .addColumn('is_sample', 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute()
  },
}
