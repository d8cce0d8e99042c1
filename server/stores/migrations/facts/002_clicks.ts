// Clicks on short links. People's clicks also fold into the session that follows, so that a session can say
// through which link it began.
import type { FactMigration } from '../facts.ts'

const time = "DateTime64(3, 'UTC')"

const words = (names: string) =>
  names
    .split(' ')
    .map((name) => `${name} LowCardinality(String)`)
    .join(', ')

/**
 * Of a click and the page view that follows: redirect, connection, loading of the page. Clocks of two nodes
 * may differ by a little.
 */
const ARRIVAL_SECONDS = 60
const SKEW_SECONDS = 2

/**
 * Clicks that a session remembers, each of (time, link, group). Nobody clicks as often in a day; of a program
 * that does, some are forgotten, so that it cannot make a row without end.
 */
const MAX_CLICKS = 100

const at = 'tupleElement(click, 1)'
const isArrival = `entry_at >= ${at} - INTERVAL ${SKEW_SECONDS} SECOND AND entry_at <= ${at} + INTERVAL ${ARRIVAL_SECONDS} SECOND`
/** Those after the entry come last: they only count when there is none before. */
const distance = `(${at} > entry_at, abs(toUnixTimestamp64Milli(entry_at) - toUnixTimestamp64Milli(${at})), click)`

/**
 * Element 2 is the link, 3 the group; '' where no click is in time: an element that is not there has the
 * default.
 */
const entered = (element: number) =>
  `tupleElement(arraySort(click -> ${distance}, arrayFilter(click -> ${isArrival}, clicked))[1], ${element})`

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
      `clicked SimpleAggregateFunction(groupUniqArrayArray(${MAX_CLICKS}), Array(Tuple(${time}, String, String)))`,
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
  [(c.at, toString(c.link), toString(c.link_group))] AS clicked
FROM {clicks} AS c WHERE c.is_bot = 0`,
    },
  },
}
