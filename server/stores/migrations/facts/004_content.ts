// What visitors saw of content and did with it, and what went wrong in the browser libraries.
import type { FactMigration } from '../facts.ts'

const time = "DateTime64(3, 'UTC')"

export const migration: FactMigration = {
  name: '004_content',
  tables: {
    impressions: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), block LowCardinality(String), phase UInt32, version LowCardinality(String),
  kind LowCardinality(String) DEFAULT 'view', day Date, session_day Date, session UInt64, id UInt64, request UInt64,
  at SimpleAggregateFunction(min, ${time}),
  dwell_ms SimpleAggregateFunction(max, UInt32),
  cta_key SimpleAggregateFunction(max, String),
  element_key SimpleAggregateFunction(max, String),
  event_name SimpleAggregateFunction(max, String),
  meta SimpleAggregateFunction(max, String),
  country_code SimpleAggregateFunction(max, LowCardinality(String)),
  device SimpleAggregateFunction(max, LowCardinality(String)),
  is_bot SimpleAggregateFunction(max, UInt8),
  bot_reason SimpleAggregateFunction(max, LowCardinality(String))`,
      // A view is told again with more time on it: one row for each id, with the first time and the longest
      // stay.
      engine: 'AggregatingMergeTree',
      orderBy: 'property, block, phase, version, kind, day, session_day, session, id, request',
    },
    lib_errors: {
      shardBy: 'id',
      columns: `
  property LowCardinality(String), day Date, lib LowCardinality(String), message String, id UInt64, at ${time},
  browser LowCardinality(String), os LowCardinality(String), is_bot UInt8`,
      engine: 'ReplacingMergeTree(at)',
      orderBy: 'property, day, lib, message, id',
    },
  },
  views: {},
}
