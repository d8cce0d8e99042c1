// Steps of form sessions: shown, begun, sent. What was sent also folds into the visitor's session, as
// something that he did there.
import type { FactMigration } from '../facts.ts'

const time = "DateTime64(3, 'UTC')"

export const migration: FactMigration = {
  name: '003_forms',
  tables: {
    form_events: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), form LowCardinality(String), kind LowCardinality(String) DEFAULT 'view', day Date, id UInt64, at ${time},
  session_day Date, session UInt64, form_name LowCardinality(String), source LowCardinality(String),
  country_code LowCardinality(String), country LowCardinality(String), device LowCardinality(String),
  is_bot UInt8, is_flagged UInt8, submission String,
  earliness UInt64 MATERIALIZED toUInt64(9999999999999 - toUnixTimestamp64Milli(at)),
  INDEX by_session session TYPE bloom_filter(0.01) GRANULARITY 1`,
      // A step that is noted again after a crash is the same step: the first row stays.
      engine: 'ReplacingMergeTree(earliness)',
      orderBy: 'property, form, kind, day, id',
    },
  },
  views: {
    sessions_from_forms: {
      from: 'form_events',
      to: 'sessions',
      select: `
SELECT property, session_day AS day, session,
  f.at AS last_at,
  [toUInt16(dateDiff('minute', toDateTime(session_day, 'UTC'), f.at))] AS minutes,
  toUInt8(1) AS has_event
FROM {form_events} AS f WHERE f.kind = 'submit' AND f.session != 0`,
    },
  },
}
