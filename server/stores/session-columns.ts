// What the questions about many sessions read of each: one value a column, computed from the folds of `sessions`, or stored as such in `settled`.

/** Minutes without a sign of the visitor after which the next one is another visit. */
const VISIT_GAP_MINUTES = 30

/** Texts that many sessions share. */
const words = [
  'entry.channel',
  'entry.source',
  'entry.referrer_domain',
  'entry.path',
  'exit.path',
  'detail.hostname',
  'detail.utm_source',
  'detail.utm_medium',
  'detail.utm_campaign',
  'detail.utm_term',
  'detail.utm_content',
  'link',
  'link_group',
  'country_code',
  'country',
  'region',
  'city',
  'timezone',
  'browser',
  'os',
  'device',
  'language',
] as const

const wordSql = Object.fromEntries(words.map((name) => [name, `toLowCardinality(toString(\`${name}\`))`]))

/** A place of one name may lie in two countries: `DE Berlin`. One column is grouped three times as fast as two. */
const placeSql = Object.fromEntries(
  (['country', 'region', 'city'] as const).map((name) => [
    `${name}_at`,
    `toLowCardinality(concat(toString(country_code), ' ', toString(${name})))`,
  ]),
)

/** SQL of each column over rows of `sessions` read with FINAL. */
export const sessionColumns = {
  ...(wordSql as Record<(typeof words)[number], string>),
  ...(placeSql as Record<'country_at' | 'region_at' | 'city_at', string>),
  day: 'day',
  session: 'session',
  entry_at: 'entry_at',
  view_count: 'length(seconds)',
  seconds_sum: 'arraySum(mapValues(seconds))',
  /** Of the views whose depth is known; 0 without one. */
  scroll_mean: 'if(notEmpty(scrolls), arrayAvg(mapValues(scrolls)), 0)',
  has_scroll: 'notEmpty(scrolls)',
  value_usd_sum: 'arraySum(mapValues(value_usd))',
  re_entries: `arrayCount(gap -> gap > ${VISIT_GAP_MINUTES}, arrayDifference(arraySort(minutes)))`,
  has_event: 'has_event',
  tags: 'tags',
  contact_id: 'contact_id',
} as const

export type SessionColumn = keyof typeof sessionColumns

export const isSessionColumn = (name: string): name is SessionColumn => Object.hasOwn(sessionColumns, name)
