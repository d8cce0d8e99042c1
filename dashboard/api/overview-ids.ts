// The metrics and the lists that the service has, in the order in which they are offered.

const idsOf = <const Id extends string>(...ids: readonly Id[]) => ids

export const metricIds = idsOf(
  'sessions',
  'visits',
  'views',
  'views_session',
  'bounce',
  'duration',
  'scroll',
  'cost',
  'value',
)
export type MetricId = (typeof metricIds)[number]

/** Every list that the service has; the first thirteen come with the overview. */
export const listIds = idsOf(
  'channel',
  'source',
  'referrer_domain',
  'entry_path_full',
  'exit_path_full',
  'country',
  'region',
  'city',
  'timezone',
  'browser',
  'os',
  'device',
  'language',
  'hostname',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'tag',
  'event_name',
)
export type ListId = (typeof listIds)[number]
