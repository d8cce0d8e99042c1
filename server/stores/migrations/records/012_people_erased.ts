// How often somebody of a property was erased: what was taken out of it before is told from what was taken
// out since, on every node.
import type { RecordMigration } from '../records.ts'

export const peopleErased: RecordMigration = {
  name: '012_people_erased',
  up: async (tx) => {
    await tx.schema
      .alterTable('properties')
      .addColumn('people_erased', 'integer', (definition) => definition.notNull().defaultTo(0))
      .execute()
  },
}
