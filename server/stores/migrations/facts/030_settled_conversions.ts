// What meets conversions on a settled day, part of its copy: events of each name, submissions of each form,
// orders and identifications. `number`: how many; `sessions`: those that had one; `is_any`: of all values of
// the type together.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '030_settled_conversions',
  tables: {
    settled_conversions: {
      shardBy: 'copy',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, type LowCardinality(String), is_any UInt8, value String,
  number UInt64, sessions UInt64`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, type, value, day',
    },
  },
  views: {},
}
