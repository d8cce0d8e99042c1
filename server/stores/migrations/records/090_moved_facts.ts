// A pause of writes may be of facts that were moved alone: whoever has them where they are now writes.
import type { RecordMigration } from '../records.ts'

export const movedFacts: RecordMigration = {
  name: '090_moved_facts',
  up: async (tx) => {
    await tx.schema.alterTable('write_pauses').addColumn('moved_to', 'text').execute()
  },
}
