// Clicks on short links. People's clicks also fold into the session that follows, so that a session can say through which link it began.
import { type FactMigration } from '../facts.ts'

const time = "DateTime64(3, 'UTC')"
const never = "toDateTime64('2299-12-31 00:00:00', 3, 'UTC')"
const zero = "toDateTime64(0, 3, 'UTC')"

const words = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name} LowCardinality(String)`)
    .join(', ')

/** Of a click and the page view that follows: redirect, connection, loading of the page. Clocks of two nodes may differ by a little. */
const ARRIVAL_SECONDS = 60
const SKEW_SECONDS = 2

const isArrival = (at: string) =>
  `entry_at >= ${at} - INTERVAL ${SKEW_SECONDS} SECOND AND entry_at <= ${at} + INTERVAL ${ARRIVAL_SECONDS} SECOND`

/**
 * Element 2 is the link, 3 the group. The first and the last click of a visitor's day are kept, which takes the same room however often
 * somebody clicks; the last one before the entry counts, so it is looked at first.
 */
const entered = (element: number) =>
  `multiIf(${isArrival('tupleElement(last_click_fold, 1)')}, tupleElement(last_click_fold, ${element}),
    ${isArrival('tupleElement(first_click_fold, 1)')}, tupleElement(first_click_fold, ${element}), '')`

const clickTuple = `Tuple(${time}, String, String)`

export const migration: FactMigration = {
  name: '002_clicks',
  tables: {
    clicks: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), day Date, link_group LowCardinality(String), link String, id UInt64, at ${time},
  session_day Date, session UInt64, destination String, referrer_url String, referrer_domain String,
  ${words('country_code country region city network browser os device language')},
  is_bot UInt8, ${words('bot_name bot_reason')},
  INDEX by_id id TYPE bloom_filter(0.01) GRANULARITY 1`,
      engine: 'ReplacingMergeTree(at)',
      orderBy: 'property, link_group, link, day, id',
    },
  },
  columns: {
    sessions: [
      `first_click_fold SimpleAggregateFunction(min, ${clickTuple}) DEFAULT (${never}, '', '')`,
      `last_click_fold SimpleAggregateFunction(max, ${clickTuple}) DEFAULT (${zero}, '', '')`,
      `link String ALIAS ${entered(2)}`,
      `link_group String ALIAS ${entered(3)}`,
    ],
  },
  views: {
    sessions_from_clicks: {
      from: 'clicks',
      to: 'sessions',
      select: `
SELECT property, session_day AS day, session,
  (c.at, toString(c.link), toString(c.link_group)) AS first_click_fold,
  first_click_fold AS last_click_fold
FROM {clicks} AS c WHERE c.is_bot = 0`,
    },
  },
}
