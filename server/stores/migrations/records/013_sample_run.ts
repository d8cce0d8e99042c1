// Who is writing the sample data, for how long still, and how far it is: for the nodes that are not.
import type { RecordMigration } from '../records.ts'

export const sampleRun: RecordMigration = {
  name: '013_sample_run',
  up: async (tx) => {
    await tx.schema
      .alterTable('properties')
      .addColumn('sample_run', 'text', (definition) => definition.notNull().defaultTo(''))
      .execute()
  },
}
