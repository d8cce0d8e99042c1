// Views and events as they arrive; sessions fold themselves from both by materialized views.
// Every fold (min, max, maxMap, set union) gives the same result in any order and any number of times.
import type { FactMigration } from '../facts.ts'

const never = "toDateTime64('2299-12-31 00:00:00', 3, 'UTC')"
const time = "DateTime64(3, 'UTC')"

/** Constants of a session: they are part of its hash or derived from what is. */
const visitor = `
  country_code SimpleAggregateFunction(max, LowCardinality(String)),
  country SimpleAggregateFunction(max, LowCardinality(String)),
  region SimpleAggregateFunction(max, LowCardinality(String)),
  city SimpleAggregateFunction(max, LowCardinality(String)),
  timezone SimpleAggregateFunction(max, LowCardinality(String)),
  network SimpleAggregateFunction(max, LowCardinality(String)),
  browser SimpleAggregateFunction(max, LowCardinality(String)),
  os SimpleAggregateFunction(max, LowCardinality(String)),
  device SimpleAggregateFunction(max, LowCardinality(String)),
  language SimpleAggregateFunction(max, LowCardinality(String)),
  is_bot SimpleAggregateFunction(max, UInt8),
  bot_name SimpleAggregateFunction(max, LowCardinality(String)),
  bot_reason SimpleAggregateFunction(max, LowCardinality(String))`

const visitorColumns = [
  'country_code',
  'country',
  'region',
  'city',
  'timezone',
  'network',
  'browser',
  'os',
  'device',
  'language',
  'is_bot',
  'bot_name',
  'bot_reason',
]

const text = (names: string) =>
  names
    .split(' ')
    .map((name) => `  ${name} SimpleAggregateFunction(max, String),`)
    .join('\n')

/**
 * Fields of the first and the last view are folded as one tuple, smallest or largest by time. FINAL folds
 * whole columns alone: of a named element of a tuple (`entry.path`) it would show whichever row comes first,
 * in silence. So the elements have no names, and columns computed from the whole tuple have them instead. Hot
 * fields, read by the top lists, are apart from the cold ones, read by session documents: a fold reads its
 * whole tuple.
 */
const tuples = {
  entry: ['path', 'channel', 'source', 'referrer_domain'],
  detail:
    'url hostname title method referrer_url utm_source utm_medium utm_campaign utm_term utm_content click_id'.split(
      ' ',
    ),
  exit: ['path'],
}

type TupleName = keyof typeof tuples

const tupleType = (name: TupleName) => `Tuple(${time}, UInt32${', String'.repeat(tuples[name].length)})`

/** `entry.path` and the like, as columns that take no room. */
const elements = (Object.keys(tuples) as TupleName[])
  .flatMap((name) => [
    `\`${name}.at\` ${time} ALIAS tupleElement(${name}_fold, 1)`,
    `\`${name}.view\` UInt32 ALIAS tupleElement(${name}_fold, 2)`,
    ...tuples[name].map((field, index) => `\`${name}.${field}\` String ALIAS tupleElement(${name}_fold, ${index + 3})`),
  ])
  .join(',\n  ')

/** Later than any, so that rows of pings and events never win. */
const noTuple = (name: TupleName) => `(${never}, 0${", ''".repeat(tuples[name].length)})`

/** Plain texts, as the tuple holds them. */
const tupleOf = (name: TupleName) => `(v.at, v.view, ${tuples[name].map((field) => `toString(v.${field})`).join(', ')})`

export const migration: FactMigration = {
  name: '001_views_events_sessions',
  tables: {
    views: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), day Date, session UInt64, view UInt32,
  at SimpleAggregateFunction(min, ${time}) DEFAULT ${never},
  seen SimpleAggregateFunction(max, ${time}),
  seconds SimpleAggregateFunction(max, UInt32),
  scroll SimpleAggregateFunction(max, Int8) DEFAULT -1,
${text('url path title referrer_url referrer_domain source utm_source utm_medium utm_campaign utm_term utm_content')}
  hostname SimpleAggregateFunction(max, LowCardinality(String)),
  status SimpleAggregateFunction(max, UInt16),
  width SimpleAggregateFunction(max, UInt16),
  height SimpleAggregateFunction(max, UInt16),
  channel SimpleAggregateFunction(max, LowCardinality(String)),
  method SimpleAggregateFunction(max, LowCardinality(String)),
  click_id SimpleAggregateFunction(max, LowCardinality(String)),${visitor}`,
      engine: 'AggregatingMergeTree',
      orderBy: 'property, day, session, view',
    },
    events: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), day Date, kind LowCardinality(String), name String, session UInt64, id UInt64,
  view UInt32, at ${time}, by_visitor UInt8,
  value Nullable(String), number Nullable(Float64), meta Map(String, String),
  amount Nullable(Int64), currency LowCardinality(String), amount_usd Int64, order_id String,
  tags Array(String), contact_id String,
  earliness UInt64 MATERIALIZED toUInt64(toUnixTimestamp64Milli(${never}) - toUnixTimestamp64Milli(at)),
  INDEX by_session session TYPE bloom_filter(0.01) GRANULARITY 1`,
      // Of two rows of one event (an order that is reported again) the first one stays.
      engine: 'ReplacingMergeTree(earliness)',
      orderBy: 'property, day, kind, name, session, id',
    },
    sessions: {
      shardBy: 'session',
      columns: `
  property LowCardinality(String), day Date, session UInt64,
  entry_at SimpleAggregateFunction(min, ${time}) DEFAULT ${never},
  last_at SimpleAggregateFunction(max, ${time}),
  entry_fold SimpleAggregateFunction(min, ${tupleType('entry')}) DEFAULT ${noTuple('entry')},
  detail_fold SimpleAggregateFunction(min, ${tupleType('detail')}) DEFAULT ${noTuple('detail')},
  exit_fold SimpleAggregateFunction(max, ${tupleType('exit')}),
  ${elements},
  seconds SimpleAggregateFunction(maxMap, Map(UInt32, UInt32)),
  scrolls SimpleAggregateFunction(maxMap, Map(UInt32, Int8)),
  minutes SimpleAggregateFunction(groupUniqArrayArray, Array(UInt16)),
  has_event SimpleAggregateFunction(max, UInt8),
  value_usd SimpleAggregateFunction(maxMap, Map(UInt64, Int64)),
  currency_fold SimpleAggregateFunction(max, Tuple(${time}, String)),
  \`currency.code\` String ALIAS tupleElement(currency_fold, 2),
  tags SimpleAggregateFunction(groupUniqArrayArray, Array(String)),
  contact_id SimpleAggregateFunction(max, String),${visitor}`,
      engine: 'AggregatingMergeTree',
      orderBy: 'property, day, session',
    },
  },
  views: {
    sessions_from_views: {
      from: 'views',
      to: 'sessions',
      select: `
SELECT property, day, session,
  v.at AS entry_at,
  v.seen AS last_at,
  ${tupleOf('entry')} AS entry_fold,
  ${tupleOf('detail')} AS detail_fold,
  if(v.at = ${never}, (toDateTime64(0, 3, 'UTC'), toUInt32(0), ''), ${tupleOf('exit')}) AS exit_fold,
  map(v.view, v.seconds) AS seconds,
  if(v.scroll >= 0, map(v.view, v.scroll), CAST(map(), 'Map(UInt32, Int8)')) AS scrolls,
  [toUInt16(dateDiff('minute', toDateTime(day, 'UTC'), v.seen))] AS minutes,
  ${visitorColumns.map((name) => `v.${name} AS ${name}`).join(', ')}
FROM {views} AS v`,
    },
    sessions_from_events: {
      from: 'events',
      to: 'sessions',
      select: `
SELECT property, day, session,
  if(e.by_visitor = 1, e.at, toDateTime64(0, 3, 'UTC')) AS last_at,
  if(e.by_visitor = 1, [toUInt16(dateDiff('minute', toDateTime(day, 'UTC'), e.at))], []) AS minutes,
  e.kind != 'identify' AS has_event,
  if(isNull(e.amount), CAST(map(), 'Map(UInt64, Int64)'), map(e.id, e.amount_usd)) AS value_usd,
  if(e.currency = '', (toDateTime64(0, 3, 'UTC'), ''), (e.at, toString(e.currency))) AS currency_fold,
  e.tags AS tags,
  e.contact_id AS contact_id
FROM {events} AS e`,
    },
  },
}
