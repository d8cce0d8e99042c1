// What the questions about many sessions read of each: one value a column, computed from the folds of `sessions`, or stored as such in `settled`.

/** Minutes without a sign of the visitor after which the next one is another visit. */
export const VISIT_GAP_MINUTES = 30

/**
 * Active minutes since the beginning of the session's day, in their order. Activity before it, by a clock that was set back or another
 * node's that is behind, was stored as a number near the largest of 16 bits; a session goes on until the end of the next day at most.
 */
export const activeMinutes = `arraySort(arrayFilter(minute -> minute < ${2 * 24 * 60}, minutes))`

/**
 * Texts that many sessions share, and where `sessions` has them. None has the name of a column there that is computed: on another node of a
 * cluster it would be taken for that one.
 */
const words = {
  entry_channel: '`entry.channel`',
  entry_source: '`entry.source`',
  entry_referrer_domain: '`entry.referrer_domain`',
  entry_path: '`entry.path`',
  exit_path: '`exit.path`',
  entry_hostname: '`detail.hostname`',
  utm_source: '`detail.utm_source`',
  utm_medium: '`detail.utm_medium`',
  utm_campaign: '`detail.utm_campaign`',
  utm_term: '`detail.utm_term`',
  utm_content: '`detail.utm_content`',
  entry_link: 'link',
  entry_link_group: 'link_group',
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

/** A place of one name may lie in two countries: `DE Berlin`. One column is grouped three times as fast as two. */
const placeSql = Object.fromEntries(
  (['country', 'region', 'city'] as const).map((name) => [
    `${name}_at`,
    `toLowCardinality(concat(toString(country_code), ' ', toString(${name})))`,
  ]),
)

/**
 * Of people, and marked as invalid by nobody: over rows of `sessions` read with FINAL. What is not counted is in no figure.
 * @param hasMarks false when the property has no session that is marked (Facts.hasMarks): then no mark is read.
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
  contact_id: 'contact_id',
} as const

export type SessionColumn = keyof typeof sessionColumns

/** The column for conditions on rows of `sessions` themselves, which need no conversion. */
export const foldedColumn = (name: SessionColumn): string =>
  name in words ? words[name as Word] : sessionColumns[name]

export const isSessionColumn = (name: string): name is SessionColumn => Object.hasOwn(sessionColumns, name)
