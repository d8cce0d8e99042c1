// What the questions about many sessions read of each: one value a column, computed from the folds of
// `sessions`, or stored as such in `settled`.

/** Minutes without a sign of the visitor after which the next one is another visit. */
export const VISIT_GAP_MINUTES = 30

/** Seconds on the page from which a session with one view is no bounce. */
export const BOUNCE_SECONDS = 10

/**
 * Active minutes since the beginning of the session's day, in their order. Activity before it, by a clock
 * that was set back or another node's that is behind, was stored as a number near the largest of 16 bits; a
 * session goes on until the end of the next day at most.
 */
export const activeMinutes = `arraySort(arrayFilter(minute -> minute < ${2 * 24 * 60}, minutes))`

/**
 * Of what a session was first and last seen with, and of its money, which are folded as tuples (migration
 * 001). Their elements have no columns of their own: the engine would work these out for each statement that
 * names the table, whatever it asks (docs/decisions/0027-settled-days.md, "Planning").
 */
const entryOf = (element: number) => `tupleElement(entry_fold, ${element})`
const detailOf = (element: number) => `tupleElement(detail_fold, ${element})`

/**
 * From a click to the page view: redirect, connection, loading. Clocks of two nodes may differ by a little.
 */
const ARRIVAL_SECONDS = 60
const SKEW_SECONDS = 2

/**
 * SQL of the click through which a page view came: time, link and group, empty texts where there is none. A
 * click before the view comes first.
 * @param clicks those that the session remembers.
 */
export const clickSql = (seenAt: string, clicks: string): string =>
  `arraySort(click -> (click.1 > ${seenAt}, abs(toUnixTimestamp64Milli(${seenAt}) - toUnixTimestamp64Milli(click.1)), click),
      arrayFilter(click -> ${seenAt} BETWEEN click.1 - INTERVAL ${SKEW_SECONDS} SECOND AND click.1 + INTERVAL ${ARRIVAL_SECONDS} SECOND, ${clicks}))[1]`

const entered = clickSql('entry_at', 'clicked')

/** Texts that many sessions share, and where `sessions` has them. */
const words = {
  entry_channel: entryOf(4),
  entry_source: entryOf(5),
  entry_referrer_domain: entryOf(6),
  entry_path: entryOf(3),
  exit_path: 'tupleElement(exit_fold, 3)',
  entry_hostname: detailOf(4),
  utm_source: detailOf(8),
  utm_medium: detailOf(9),
  utm_campaign: detailOf(10),
  utm_term: detailOf(11),
  utm_content: detailOf(12),
  entry_link: `tupleElement(${entered}, 2)`,
  entry_link_group: `tupleElement(${entered}, 3)`,
  country_code: 'country_code',
  country: 'country',
  region: 'region',
  city: 'city',
  timezone: 'timezone',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
} as const

type Word = keyof typeof words

const wordSql = Object.fromEntries(
  Object.entries(words).map(([name, sql]) => [name, `toLowCardinality(toString(${sql}))`]),
)

/**
 * A place of one name may lie in two countries: `DE Berlin`. One column is grouped three times as fast as
 * two.
 */
const placeSql = Object.fromEntries(
  (['country', 'region', 'city'] as const).map((name) => [
    `${name}_at`,
    `toLowCardinality(concat(toString(country_code), ' ', toString(${name})))`,
  ]),
)

/**
 * Of people, and marked as invalid by nobody: over rows of `sessions` read with FINAL. What is not counted is
 * in no figure.
 * @param hasMarks false when the property has no session that is marked (Facts.hasMarks): then no mark is
 * read.
 */
export const isCounted = (hasMarks: boolean): string => (hasMarks ? 'is_bot = 0 AND mark % 2 = 0' : 'is_bot = 0')

/** SQL of each column over rows of `sessions` read with FINAL. */
export const sessionColumns = {
  ...(wordSql as Record<Word, string>),
  ...(placeSql as Record<'country_at' | 'region_at' | 'city_at', string>),
  day: 'day',
  session: 'session',
  entry_at: 'entry_at',
  view_count: 'length(seconds)',
  seconds_sum: 'arraySum(mapValues(seconds))',
  /** Of the views whose depth is known; 0 without one. */
  scroll_mean: 'if(notEmpty(scrolls), arrayAvg(mapValues(scrolls)), 0)',
  has_scroll: 'notEmpty(scrolls)',
  /** US cents; at most the largest whole number that JSON readers agree on, as in the session's document. */
  value_usd_sum: `least(arraySum(mapValues(value_usd)), toInt64(${Number.MAX_SAFE_INTEGER}))`,
  re_entries: `arrayCount(gap -> gap > ${VISIT_GAP_MINUTES}, arrayDifference(${activeMinutes}))`,
  has_event: 'has_event',
  tags: 'tags',
  /**
   * The page of each of its views. Only copies of settled days have them (settled/ledger.ts); of other days
   * the views are asked.
   */
  paths: "CAST([], 'Array(LowCardinality(String))')",
  /** Who was merged stands behind a count that is larger with each merge (identify/facts.ts). */
  contact_id: "substringIndex(contact_id, '~', -1)",
} as const

export type SessionColumn = keyof typeof sessionColumns

/** Whether folds say it: what they do not is in copies of settled days alone. */
export const isFolded = (name: SessionColumn): boolean => name !== 'paths'

/**
 * Whether a session bounced (docs/definitions.md, "Bounce").
 * @param of the SQL of a column: by its name over rows of plain columns, foldedColumn over rows of
 * `sessions`.
 */
export const bouncedSql = (of: (name: (typeof bouncedColumns)[number]) => string): string =>
  `${of('view_count')} <= 1 AND ${of('has_event')} = 0 AND ${of('seconds_sum')} < ${BOUNCE_SECONDS}`
export const bouncedColumns = ['view_count', 'has_event', 'seconds_sum'] as const satisfies readonly SessionColumn[]

/** The column for conditions on rows of `sessions` themselves, which need no conversion. */
export const foldedColumn = (name: SessionColumn): string =>
  name in words ? words[name as Word] : sessionColumns[name]

export const isSessionColumn = (name: string): name is SessionColumn => Object.hasOwn(sessionColumns, name)

/**
 * What lists, documents and files also say of a session. It is read of few sessions at a time, so `settled`
 * has no copy.
 */
const details = {
  entry_ms: 'toUnixTimestamp64Milli(entry_at)',
  last_at: 'last_at',
  last_ms: 'toUnixTimestamp64Milli(last_at)',
  bounced: bouncedSql(foldedColumn),
  /** With one decimal; null where it is not known. */
  scroll: `if(${sessionColumns.has_scroll}, round(${sessionColumns.scroll_mean}, 1), NULL)`,
  minutes: activeMinutes,
  sorted_tags: 'arraySort(tags)',
  entry_url: detailOf(3),
  entry_title: detailOf(5),
  method: detailOf(6),
  referrer_url: detailOf(7),
  click_id: detailOf(13),
  currency: 'tupleElement(currency_fold, 2)',
  network: 'network',
  is_bot: 'is_bot',
  bot_name: 'bot_name',
  bot_reason: 'bot_reason',
  /** Marked as invalid by its owner. */
  is_invalid: 'mark % 2',
} as const

export type ListedColumn = SessionColumn | keyof typeof details

const listedSql = (name: ListedColumn): string =>
  name in details ? details[name as keyof typeof details] : foldedColumn(name as SessionColumn)

const selected = (entries: Iterable<readonly [name: string, sql: string]>): string =>
  [...entries].map(([name, sql]) => (sql === name ? name : `${sql} AS ${name}`)).join(', ')

/** For SELECT: the columns by their names, over rows of `sessions` read with FINAL. */
export const listedColumns = (names: Iterable<ListedColumn>): string =>
  selected([...new Set(names)].map((name) => [name, listedSql(name)]))

/** The same with names of the caller's own. */
export const renamedColumns = (names: Readonly<Record<string, ListedColumn>>): string =>
  selected(Object.entries(names).map(([name, column]) => [name, listedSql(column)]))

/** The same in the types of `settled`, so that rows of both can stand together. */
export const plainColumns = (names: Iterable<SessionColumn>): string =>
  selected([...new Set(names)].map((name) => [name, sessionColumns[name]]))
