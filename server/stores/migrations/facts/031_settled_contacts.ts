// The sessions of a settled day that are linked to contacts, part of its copy: few of all, in the order of
// their contacts.
import type { FactMigration } from '../facts.ts'

export const migration: FactMigration = {
  name: '031_settled_contacts',
  tables: {
    settled_contacts: {
      shardBy: 'copy',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, session UInt64, entry_at DateTime64(3, 'UTC'), contact_id String`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, contact_id, day, session',
    },
  },
  views: {},
}
