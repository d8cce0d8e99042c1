// Sums of the sessions of each settled day, part of its copy: `settled_figures` has one row a property and
// day, `settled_values` one for each value of some columns (docs/decisions/0027-settled-days.md).
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '014_settled_sums',
  tables: {
    settled_figures: {
      shardBy: 'copy',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, entry_at DateTime64(3, 'UTC'),
  sessions UInt64, views UInt64, bounced UInt64, seconds UInt64, scroll Float64, scrolled UInt64,
  measured UInt64, measured_bounces UInt64, value Float64, re_entries UInt64`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, day',
    },
    settled_values: {
      shardBy: 'copy',
      columns:
        'copy UInt64, property LowCardinality(String), day Date, list LowCardinality(String), value String, sessions UInt64',
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, list, value, day',
    },
  },
  views: {},
}
