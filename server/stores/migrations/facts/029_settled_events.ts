// What the custom events of each name add up to on a settled day, part of its copy. `sessions`: those that
// had one; `value`: what these brought in, in US cents.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '029_settled_events',
  tables: {
    settled_events: {
      shardBy: 'copy',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, name String,
  events UInt64, sessions UInt64, value Float64`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, name, day',
    },
  },
  views: {},
}
