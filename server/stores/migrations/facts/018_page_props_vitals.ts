// What a page says of itself (author, section, plan), and how fast it was for those who saw it.
import type { FactMigration } from '../facts.ts'

const time = "DateTime64(3, 'UTC')"
/** Reported again as it grows: the largest counts. -1: not reported. */
const measured = 'SimpleAggregateFunction(max, Int32) DEFAULT -1'

export const migration: FactMigration = {
  name: '018_page_props_vitals',
  tables: {
    vitals: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), day Date, session UInt64, id UInt32,
  at SimpleAggregateFunction(min, ${time}),
  path SimpleAggregateFunction(max, String),
  device SimpleAggregateFunction(max, LowCardinality(String)),
  browser SimpleAggregateFunction(max, LowCardinality(String)),
  country_code SimpleAggregateFunction(max, LowCardinality(String)),
  is_bot SimpleAggregateFunction(max, UInt8),
  lcp ${measured}, inp ${measured}, cls ${measured}, fcp ${measured}, ttfb ${measured}`,
      engine: 'AggregatingMergeTree',
      orderBy: 'property, day, session, id',
    },
  },
  columns: { views: ['props SimpleAggregateFunction(max, String)'] },
  views: {},
}
