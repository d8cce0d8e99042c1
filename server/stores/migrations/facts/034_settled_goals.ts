// What meets the goals of a property on a settled day, beside its copy: added up by the values of the
// overview's lists (../../goal-sums.ts).
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '034_settled_goals',
  tables: {
    settled_goals: {
      shardBy: 'copy',
      // A list without a name says that the day is complete. Rows are the same however often they are made.
      columns: `
  copy UInt64, property LowCardinality(String), goal LowCardinality(String), day Date, list LowCardinality(String), number Int64,
  hits UInt64, sessions UInt64, version UInt8`,
      engine: 'ReplacingMergeTree(version)',
      partitionBy: 'copy',
      orderBy: 'list, property, goal, day, number',
    },
  },
  views: {},
}
