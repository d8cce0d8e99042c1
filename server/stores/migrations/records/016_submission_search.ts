// What was sent is searched in a column of its own, spelled as searches are. Rows from before get theirs a
// few at a time while the service runs (submissions/search-filling.ts): there may be too many for a start to
// wait for.
import { sql } from 'kysely'
import type { RecordMigration } from '../records.ts'

export const submissionSearch: RecordMigration = {
  name: '016_submission_search',
  up: async (tx) => {
    await tx.schema.alterTable('submissions').addColumn('search', 'text').execute()
    await sql`create index submissions_unsearched on submissions (seq) where search is null`.execute(tx)
  },
}
