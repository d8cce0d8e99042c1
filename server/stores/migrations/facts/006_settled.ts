// Copies of the sessions of weeks that are over, folded once and for all: plain columns, which are read
// several times as fast as folds. Each copy has a number and a partition of its own and never changes;
// `settled_weeks` says which copy is whole, and of what.
import type { FactMigration } from '../facts.ts'

const words = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name} LowCardinality(String)`)
    .join(', ')

export const migration: FactMigration = {
  name: '006_settled',
  tables: {
    settled: {
      shardBy: 'session',
      columns: `
  copy UInt64, property LowCardinality(String), day Date, session UInt64, entry_at DateTime64(3, 'UTC'),
  view_count UInt64, seconds_sum UInt64, scroll_mean Float64, has_scroll UInt8, value_usd_sum Int64, re_entries UInt64,
  has_event UInt8, tags Array(String), contact_id String,
  ${words('entry_channel entry_source entry_referrer_domain entry_path exit_path entry_hostname')},
  ${words('utm_source utm_medium utm_campaign utm_term utm_content entry_link entry_link_group')},
  ${words('country_code country country_at region region_at city city_at timezone browser os device language')}`,
      engine: 'MergeTree',
      partitionBy: 'copy',
      orderBy: 'property, day, session',
    },
    settled_weeks: {
      shardBy: 'copy',
      columns: `day Date, copy UInt64, mark String, first_ms Int64, last_ms Int64, at DateTime64(3, 'UTC') DEFAULT now64(3)`,
      engine: 'ReplacingMergeTree(at)',
      orderBy: 'day',
    },
  },
  views: {},
}
