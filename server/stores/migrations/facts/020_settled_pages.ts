// What the views of each page of a settled day add up to, part of its copy. `sessions`: those that saw it.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '020_settled_pages',
  tables: {
    settled_pages: {
      shardBy: 'copy',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, path String,
  sessions UInt64, loads UInt64, timed UInt64, seconds_sum UInt64, scrolled UInt64, scroll_sum Int64`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, path, day',
    },
  },
  views: {},
}
