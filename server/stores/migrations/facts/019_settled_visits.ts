// The visits of settled sessions after the first one of each, part of their copy: a row has what the first
// page view of the visit says (docs/decisions/0056-visits.md).
import type { FactMigration } from '../facts.ts'

const words = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name} LowCardinality(String)`)
    .join(', ')

export const migration: FactMigration = {
  name: '019_settled_visits',
  tables: {
    settled_visits: {
      shardBy: 'session',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, session UInt64, entry_at DateTime64(3, 'UTC'),
  ${words('entry_channel entry_source entry_referrer_domain entry_path entry_hostname')},
  ${words('utm_source utm_medium utm_campaign utm_term utm_content entry_link entry_link_group')}`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, day, session',
    },
  },
  views: {},
}
