// What was done with links, forms and content on a settled day, part of its copy: how often each was shown
// and used. Rows of these tables change the number of their day too, as sessions do.
import type { FactMigration, FactViewDefinition } from '../facts.ts'

const changesFrom = (table: string): FactViewDefinition => ({
  from: table,
  to: 'day_changes',
  select: `SELECT day, sum(rand64()) AS changes FROM {${table}} GROUP BY day`,
})

export const migration: FactMigration = {
  name: '032_settled_outcomes',
  tables: {
    settled_outcomes: {
      shardBy: 'copy',
      // `of`: the table of the rows; `at_day`: when it was, while `day` is that of the row.
      columns: `
  copy UInt64, property LowCardinality(String), day Date, of LowCardinality(String), id LowCardinality(String), at_day Date,
  shown UInt64, used UInt64`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, of, day, id',
    },
  },
  views: {
    day_changes_from_clicks: changesFrom('clicks'),
    day_changes_from_forms: changesFrom('form_events'),
    day_changes_from_impressions: changesFrom('impressions'),
  },
}
